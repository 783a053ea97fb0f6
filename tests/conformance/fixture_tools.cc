#include "fixture_tools.h"

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "base/text/json_text.h"
#include "base/try.h"

namespace glovebox::mcp {
namespace {

using Call = std::shared_ptr<ServerCall>;

constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
constexpr const char* kWav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

void later(const boost::asio::any_io_executor& executor, int milliseconds, std::function<void()> action) {
  auto timer = std::make_shared<boost::asio::steady_timer>(executor, std::chrono::milliseconds(milliseconds));
  timer->async_wait([timer, action = std::move(action)](const boost::system::error_code&) { action(); });
}

std::string image() {
  return std::string(R"({"type":"image","data":")") + kPng + R"(","mimeType":"image/png"})";
}

CallHandler content(std::string items) {
  return [items = std::move(items)](const Call& call) { call->reply(R"({"content":[)" + items + "]}"); };
}

}  // namespace

void add_fixture_tool(ServerCore& core, std::string name, CallHandler handler, std::string schema) {
  ToolDefinition tool{.name = name, .description = "Conformance fixture " + name, .input_schema = std::move(schema)};
  const auto added = core.add_tool(std::move(tool), std::move(handler));
  GLOVEBOX_CHECK(added.ok());
}

void add_fixture_tools(ServerCore& core, const boost::asio::any_io_executor& executor) {
  add_fixture_tool(core, "test_simple_text",
                   content(R"({"type":"text","text":"This is a simple text response for testing."})"));
  add_fixture_tool(core, "test_image_content", content(image()));
  add_fixture_tool(core, "test_audio_content",
                   content(std::string(R"({"type":"audio","data":")") + kWav + R"(","mimeType":"audio/wav"})"));
  add_fixture_tool(core, "test_embedded_resource",
                   content(R"({"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain",)"
                           R"("text":"This is an embedded resource content."}})"));
  add_fixture_tool(
      core, "test_multiple_content_types",
      content(R"({"type":"text","text":"Multiple content types test:"},)" + image() +
              R"(,{"type":"resource","resource":{"uri":"test://mixed-content-resource","mimeType":"application/json",)"
              R"("text":"{\"test\":\"data\",\"value\":123}"}})"));
  add_fixture_tool(core, "test_error_handling",
                   [](const Call& call) { call->reply_error("This tool intentionally returns an error for testing"); });
  add_fixture_tool(core, "test_tool_with_logging", [executor](const Call& call) {
    call->log(NoticeLevel::kInfo, "", "Tool execution started");
    later(executor, 50, [executor, call] {
      call->log(NoticeLevel::kInfo, "", "Tool processing data");
      later(executor, 50, [call] {
        call->log(NoticeLevel::kInfo, "", "Tool execution completed");
        call->reply_text("logged");
      });
    });
  });
  add_fixture_tool(core, "test_tool_with_progress", [executor](const Call& call) {
    call->progress(0, 100);
    later(executor, 50, [executor, call] {
      call->progress(50, 100);
      later(executor, 50, [call] {
        call->progress(100, 100);
        call->reply_text("progressed");
      });
    });
  });
  add_fixture_tool(core, "test_reconnection", [executor](const Call& call) {
    call->release_connection();
    later(executor, 100, [call] { call->reply_text("Reconnection test completed"); });
  });
  add_fixture_tool(core, "test_logging_tool", [](const Call& call) {
    call->log(NoticeLevel::kError, "fixture", "said");
    call->reply_text("logged");
  });
  add_fixture_tool(core, "test_trigger_tool_change", [&core](const Call& call) {
    if (!core.remove_tool("test_dynamic")) add_fixture_tool(core, "test_dynamic", content(""));
    core.list_changed("tools");
    call->reply_text("changed");
  });
  add_fixture_tool(core, "test_trigger_prompt_change", [&core](const Call& call) {
    core.list_changed("prompts");
    call->reply_text("changed");
  });
  add_fixture_tool(
      core, "test_header_tool", [](const Call& call) { call->reply_text(call->argument("region")); },
      R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]})");
  add_fixture_tool(core, "json_schema_2020_12_tool", content(R"({"type":"text","text":"ok"})"),
                   R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
                   R"("$defs":{"address":{"$anchor":"addressDef","type":"object",)"
                   R"("properties":{"street":{"type":"string"},"city":{"type":"string"}}}},)"
                   R"("properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
                   R"("contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},)"
                   R"("email":{"type":"string"}},)"
                   R"("allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],)"
                   R"("if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},)"
                   R"("then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})");

  // Not for the suite, but for our own tests.
  const auto echo = core.add_tool(
      {.name = "echo",
       .description = "Gives its text back",
       .input_schema = R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})",
       .output_schema = R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})"},
      [](const Call& call) {
        const std::string text = base::json_string(call->argument("text"));
        call->reply(R"({"content":[{"type":"text","text":)" + text + R"(}],"structuredContent":{"text":)" + text +
                    "}}");
      });
  GLOVEBOX_CHECK(echo.ok());
  add_fixture_tool(core, "large", [](const Call& call) {
    const double size = number_member(call->arguments(), "bytes").value_or(0);
    call->reply_text(std::string(static_cast<std::size_t>(size), 'x'));
  });
  add_fixture_tool(core, "hang", [](const Call& call) {
    // The call keeps itself alive until the client gives up.
    call->on_cancel([call] {});
  });
}

void add_fixture_resources(ServerCore& core) {
  const auto text = [](std::string body) {
    return [body = std::move(body)](const Call& call) {
      call->reply(R"({"contents":[{"uri":)" + base::json_string(call->facts().name) +
                  R"(,"mimeType":"text/plain","text":)" + base::json_string(body) + "}]}");
    };
  };
  bool fine =
      core.add_resource(
              {.uri = "test://static-text", .name = "static-text", .description = "A text", .mime_type = "text/plain"},
              text("This is the content of the static text resource."))
          .ok();
  fine &= core.add_resource({.uri = "test://static-binary",
                             .name = "static-binary",
                             .description = "A picture",
                             .mime_type = "image/png"},
                            [](const Call& call) {
                              call->reply(std::string(R"({"contents":[{"uri":"test://static-binary",)"
                                                      R"("mimeType":"image/png","blob":")") +
                                          kPng + "\"}]}");
                            })
              .ok();
  fine &= core.add_resource({.uri = "test://watched-resource",
                             .name = "watched-resource",
                             .description = "May be subscribed to",
                             .mime_type = "text/plain"},
                            text("watched"))
              .ok();
  fine &= core.add_resource_template(
                  {.uri_template = "test://template/{id}/data",
                   .name = "template",
                   .description = "A template",
                   .mime_type = "application/json"},
                  [](const Call& call) {
                    const std::string id(call->argument("id"));
                    const std::string body = R"({"id":)" + base::json_string(id) + R"(,"templateTest":true,"data":)" +
                                             base::json_string("Data for ID: " + id) + "}";
                    call->reply(R"({"contents":[{"uri":)" + base::json_string(call->facts().name) +
                                R"(,"mimeType":"application/json","text":)" + base::json_string(body) + "}]}");
                  })
              .ok();
  GLOVEBOX_CHECK(fine);
}

void add_fixture_prompts(ServerCore& core) {
  const auto message = [](const std::string& item) { return R"({"role":"user","content":)" + item + "}"; };
  const auto text = [message](const std::string& words) {
    return message(R"({"type":"text","text":)" + base::json_string(words) + "}");
  };
  bool fine = core.add_prompt({.name = "test_simple_prompt", .description = "A prompt"},
                              [text](const Call& call) {
                                call->reply(R"({"messages":[)" + text("This is a simple prompt for testing.") + "]}");
                              })
                  .ok();
  fine &=
      core.add_prompt({.name = "test_prompt_with_arguments",
                       .description = "A prompt with arguments",
                       .arguments = {{"arg1", "First test argument", true}, {"arg2", "Second test argument", true}}},
                      [text](const Call& call) {
                        call->reply(R"({"messages":[)" +
                                    text("Prompt with arguments: arg1='" + std::string(call->argument("arg1")) +
                                         "', arg2='" + std::string(call->argument("arg2")) + "'") +
                                    "]}");
                      })
          .ok();
  fine &=
      core.add_prompt(
              {.name = "test_prompt_with_embedded_resource",
               .description = "A prompt with a resource",
               .arguments = {{"resourceUri", "What to embed", true}}},
              [message, text](const Call& call) {
                call->reply(R"({"messages":[)" +
                            message(R"({"type":"resource","resource":{"uri":)" +
                                    base::json_string(call->argument("resourceUri")) +
                                    R"(,"mimeType":"text/plain","text":"Embedded resource content for testing."}})") +
                            "," + text("Please process the embedded resource above.") + "]}");
              })
          .ok();
  fine &= core.add_prompt({.name = "test_prompt_with_image", .description = "A prompt with a picture"},
                          [message, text](const Call& call) {
                            call->reply(R"({"messages":[)" + message(image()) + "," +
                                        text("Please analyze the image above.") + "]}");
                          })
              .ok();
  fine &= core.add_prompt({.name = "test_input_required_result_prompt", .description = "A prompt that asks"},
                          [text](const Call& call) {
                            call->ask({elicit_form("user_context", "What context should the prompt use?",
                                                   R"({"type":"object","properties":{"context":{"type":"string"}},)"
                                                   R"("required":["context"]})")},
                                      [call, text](Result<Answers, RpcError> answers) {
                                        if (!answers) return call->fail(answers.failure());
                                        call->reply(R"({"messages":[)" + text("With context") + "]}");
                                      });
                          })
              .ok();
  GLOVEBOX_CHECK(fine);
  core.set_completer([](const Call& call) {
    call->reply(R"({"completion":{"values":["test","testing"],"total":2,"hasMore":false}})");
  });
}

}  // namespace glovebox::mcp
