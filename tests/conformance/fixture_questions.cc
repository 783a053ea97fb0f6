// The fixture tools that ask the person or the model behind the client.
#include <boost/asio/steady_timer.hpp>

#include "base/text/json_text.h"
#include "fixture_tools.h"

namespace glovebox::mcp {
namespace {

using Call = std::shared_ptr<ServerCall>;
using Answered = std::function<void(const Call&, const Answers&)>;

constexpr const char* kNameSchema = R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";
constexpr const char* kOkSchema = R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]})";

InputRequest sampling(std::string key, std::string_view prompt) {
  return create_message(std::move(key), R"({"messages":[{"role":"user","content":{"type":"text","text":)" +
                                            base::json_string(prompt) + R"(}}],"maxTokens":100})");
}

void ask_and(const Call& call, std::vector<InputRequest> requests, Answered answered) {
  call->ask(std::move(requests), [call, answered = std::move(answered)](Result<Answers, RpcError> answers) {
    if (!answers) return call->fail(answers.failure());
    answered(call, answers.value());
  });
}

std::string answer_text(const Answers& answers) {
  const json::object& answer = answers.begin()->second;
  const json::value* content = member(answer, "content");
  return "action=" + string_member(answer, "action").value_or("") +
         ", content=" + (content ? json::serialize(*content) : "{}");
}

}  // namespace

void add_question_tools(ServerCore& core, const boost::asio::any_io_executor& executor) {
  add_fixture_tool(
      core, "test_sampling",
      [](const Call& call) {
        ask_and(call, {sampling("answer", call->argument("prompt"))}, [](const Call& held, const Answers& answers) {
          const json::object* content = object_member(answers.begin()->second, "content");
          held->reply_text("LLM response: " + (content ? string_member(*content, "text").value_or("") : ""));
        });
      },
      R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})");
  add_fixture_tool(
      core, "test_elicitation",
      [](const Call& call) {
        ask_and(
            call,
            {elicit_form(
                "answer", call->argument("message"),
                R"({"type":"object","properties":{"username":{"type":"string","description":"User's response"},)"
                R"("email":{"type":"string","description":"User's email address"}},"required":["username","email"]})")},
            [](const Call& held, const Answers& answers) {
              held->reply_text("User response: " + answer_text(answers));
            });
      },
      R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})");
  const auto completed = [](const Call& held, const Answers& answers) {
    held->reply_text("Elicitation completed: " + answer_text(answers));
  };
  add_fixture_tool(core, "test_elicitation_sep1034_defaults", [completed](const Call& call) {
    ask_and(call,
            {elicit_form("answer", "Please review the defaults",
                         R"({"type":"object","properties":{"name":{"type":"string","default":"John Doe"},)"
                         R"("age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},)"
                         R"("status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},)"
                         R"("verified":{"type":"boolean","default":true}},"required":[]})")},
            completed);
  });
  add_fixture_tool(core, "test_elicitation_sep1330_enums", [completed](const Call& call) {
    ask_and(call,
            {elicit_form(
                "answer", "Please choose",
                R"({"type":"object","properties":{)"
                R"("untitledSingle":{"type":"string","enum":["option1","option2","option3"]},)"
                R"("titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},)"
                R"({"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},)"
                R"("legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],)"
                R"("enumNames":["Option One","Option Two","Option Three"]},)"
                R"("untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},)"
                R"("titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},)"
                R"({"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},)"
                R"("required":[]})")},
            completed);
  });
  add_fixture_tool(core, "test_missing_capability", [](const Call& call) {
    ask_and(call, {sampling("answer", "Anything")},
            [](const Call& held, const Answers&) { held->reply_text("sampled"); });
  });
  add_fixture_tool(core, "test_streaming_elicitation", [executor](const Call& call) {
    ask_and(call, {elicit_form("confirm", "Please confirm", kOkSchema)},
            [](const Call& held, const Answers&) { held->reply_text("confirmed"); });
  });
  add_fixture_tool(core, "test_input_required_result_elicitation", [](const Call& call) {
    InputRequest request = elicit_form("user_name", "What is your name?", kNameSchema);
    request.accepts_unasked = true;
    ask_and(call, {std::move(request)}, [](const Call& held, const Answers& answers) {
      const json::object* content = object_member(answers.begin()->second, "content");
      held->reply_text("Hello, " + (content ? string_member(*content, "name").value_or("") : "nobody") + "!");
    });
  });
  add_fixture_tool(core, "test_input_required_result_sampling", [](const Call& call) {
    ask_and(call, {sampling("capital_question", "What is the capital of France?")},
            [](const Call& held, const Answers&) { held->reply_text("sampled"); });
  });
  add_fixture_tool(core, "test_input_required_result_list_roots", [](const Call& call) {
    ask_and(call, {list_roots("client_roots")}, [](const Call& held, const Answers& answers) {
      held->reply_text(json::serialize(answers.begin()->second));
    });
  });
  for (const char* name : {"test_input_required_result_request_state", "test_input_required_result_tampered_state"})
    add_fixture_tool(core, name, [](const Call& call) {
      ask_and(call, {elicit_form("confirm", "Please confirm", kOkSchema)},
              [](const Call& held, const Answers&) { held->reply_text("state-ok"); });
    });
  add_fixture_tool(core, "test_input_required_result_multiple_inputs", [](const Call& call) {
    ask_and(call,
            {elicit_form("user_name", "What is your name?", kNameSchema), sampling("greeting", "Generate a greeting"),
             list_roots("client_roots")},
            [](const Call& held, const Answers& answers) {
              held->reply_text(std::to_string(answers.size()) + " answers");
            });
  });
  add_fixture_tool(core, "test_input_required_result_multi_round", [](const Call& call) {
    ask_and(
        call, {elicit_form("step1", "Step 1: What is your name?", kNameSchema)}, [](const Call& first, const Answers&) {
          ask_and(first,
                  {elicit_form("step2", "Step 2: What is your favorite color?",
                               R"({"type":"object","properties":{"color":{"type":"string"}},"required":["color"]})")},
                  [](const Call& held, const Answers&) { held->reply_text("both steps done"); });
        });
  });
  add_fixture_tool(core, "test_input_required_result_capabilities", [](const Call& call) {
    std::vector<InputRequest> requests;
    for (InputRequest request :
         {elicit_form("user_name", "What is your name?", kNameSchema), sampling("greeting", "Generate a greeting")})
      if (call->can_ask(request)) requests.push_back(std::move(request));
    ask_and(call, std::move(requests), [](const Call& held, const Answers&) { held->reply_text("answered"); });
  });
}

}  // namespace glovebox::mcp
