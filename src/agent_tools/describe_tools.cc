#include "agent_tools/describe_tools.h"

#include <memory>
#include <set>

#include "agent_tools/product_tools.h"
#include "agent_tools/run_reply.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "catalog/call/reported_failure.h"
#include "catalog/plain_text.h"
#include "code_check/tool_shapes.h"
#include "types/python_stubs.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using base::ObjectText;
using catalog::Tool;

// More is not a selection, and a model would not read it.
constexpr std::size_t kMostTools = 100;
constexpr std::size_t kMostInstructionBytes = 4096;

constexpr const char* kInput =
    R"({"type":"object","properties":{"tools":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":50},)"
    R"("form":{"type":"string","enum":["compact","full"]},"language":{"type":"string"}},)"
    R"("required":["tools"],"additionalProperties":false})";
constexpr const char* kListed = R"({"type":"object","properties":{"tools":{"type":"array","items":{"type":"string"},)"
                                R"("description":"server.tool, server.prefix* or server"},)"
                                R"("language":{"type":"string","description":"python: stubs"}},"required":["tools"]})";

// What a server says of itself, each line as a comment, so that it cannot pass for a declaration.
std::string instructions_of(const catalog::Catalog& catalog, const std::string& server, bool is_python) {
  for (const catalog::ServerHealth& health : catalog.health()) {
    if (health.name != server || health.instructions.empty()) continue;
    const std::string mark = is_python ? "# " : "// ";
    std::string text = mark + server + " says of itself:\n" + mark;
    for (const char c : base::neutralise(catalog::plain_text(health.instructions, kMostInstructionBytes)))
      text += c == '\n' ? "\n" + mark : std::string(1, c);
    return text + "\n";
  }
  return "";
}

// One request. Names may have to wait for their servers; the answer goes out when the last one is known.
class Description : public std::enable_shared_from_this<Description> {
 public:
  Description(assembly::GatewayProcess& process, Call call) : process_(process), call_(std::move(call)) {}

  void start() {
    const auto* names = mcp::array_member(call_->arguments(), "tools");
    answers_.resize(names->size());
    waiting_ = names->size() + 1;
    for (std::size_t i = 0; i < names->size(); ++i) {
      const auto* name = (*names)[i].if_string();
      look_up(i, name ? std::string(name->data(), name->size()) : "");
    }
    one_less();
  }

 private:
  struct Answer {
    std::string asked;
    std::string error;
    std::vector<Tool> tools;
    std::string server;  // where all of its tools are meant
  };

  void look_up(std::size_t place, const std::string& name) {
    answers_[place].asked = name;
    const auto choice = code_check::ToolChoice::parse(process_.catalog(), name);
    if (!choice || choice->server().empty()) {
      answers_[place].error = choice ? "name a server" : choice.failure().message;
      return one_less();
    }
    const auto fill = [self = shared_from_this(), place](Result<std::vector<Tool>, catalog::CallFailure> found) {
      if (found) {
        self->answers_[place].tools = std::move(found).value();
      } else {
        self->answers_[place].error = catalog::reported_failure(found.failure()).message;
      }
      self->one_less();
    };
    if (!choice->tool().empty()) {
      return process_.catalog().find(choice->server(), choice->tool(), [fill](auto found) {
        if (!found) return fill(std::move(found).failure());
        fill(std::vector<Tool>{std::move(found).value()});
      });
    }
    if (choice->includes(Tool{.server = choice->server()})) answers_[place].server = choice->server();
    process_.catalog().list_tools(choice->server(), [fill, choice = *choice](auto listed) {
      if (listed) std::erase_if(*listed, [&](const Tool& tool) { return !choice.includes(tool); });
      fill(std::move(listed));
    });
  }

  void one_less() {
    if (--waiting_ > 0) return;
    std::vector<types::ToolShape> shapes;
    std::set<std::pair<std::string, std::string>> seen;
    base::ListText tools;
    std::string remarks;
    const auto failed = [&](const std::string& name, const std::string& why) {
      tools.json(ObjectText().text("tool", name).text("error", why).done());
      remarks += "\n" + name + ": " + why;
    };
    for (const Answer& answer : answers_) {
      if (!answer.error.empty()) failed(answer.asked, answer.error);
      if (answer.error.empty() && answer.tools.empty()) failed(answer.asked, "there is no such tool");
      for (const Tool& tool : answer.tools) {
        const std::string name = tool.server + "." + tool.name;
        if (!seen.emplace(tool.server, tool.name).second) continue;
        if (seen.size() > kMostTools) {
          failed(answer.asked, "more than " + std::to_string(kMostTools) + " tools at once; ask for fewer");
          break;
        }
        if (tool.state != Tool::State::kUsable) {
          failed(name, "it cannot be used: " + tool.reason);
          continue;
        }
        if (process_.gateway().is_denied(tool.server, tool.name)) {
          failed(name, "the policy denies it");
          continue;
        }
        shapes.push_back(code_check::shape_of(process_.catalog(), tool));
        tools.json(ObjectText().text("tool", name).text("call", types::call_of(shapes.back())).done());
      }
    }
    const bool is_python = language_named(call_->argument("language")) == Language::kPython;
    std::string declarations;
    std::set<std::string> described;
    for (const Answer& answer : answers_) {
      if (answer.error.empty() && !answer.server.empty() && described.insert(answer.server).second)
        declarations += instructions_of(process_.catalog(), answer.server, is_python);
    }
    const std::string list = tools.done();
    if (shapes.empty()) return reply(declarations, list, remarks);
    const auto form = call_->argument("form") == "full" ? types::Form::kFull : types::Form::kCompact;
    const auto compose = [shapes = std::move(shapes), form, is_python](const types::AskForPart& ask) {
      return is_python ? types::python_stubs(shapes, ask) : types::declare_all(shapes, form, ask);
    };
    process_.declare(compose, [self = shared_from_this(), declarations, list, remarks](const std::string& text) {
      self->reply(declarations + text, list, remarks);
    });
  }

  void reply(const std::string& declarations, const std::string& list, const std::string& remarks) {
    const std::string structured = ObjectText().text("declarations", declarations).json("tools", list).done();
    // The text is what a model reads: without quotes and escapes it is shorter by a quarter.
    const std::string text = declarations + (remarks.empty() ? "" : remarks.substr(declarations.empty() ? 1 : 0));
    call_->reply(tool_reply(structured, text, false));
  }

  assembly::GatewayProcess& process_;
  Call call_;
  std::vector<Answer> answers_;
  std::size_t waiting_ = 0;
};

}  // namespace

Result<void> add_describe_tools(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  return core.add_tool(
      {.name = "describe_tools",
       .description = "Declarations of tools: arguments, results and what they mean.",
       .input_schema = kInput,
       .listed_schema = kListed,
       .annotations = R"({"readOnlyHint":true})"},
      after_trust(process, [&process](const Call& call) { std::make_shared<Description>(process, call)->start(); }));
}

}  // namespace glovebox::agent_tools
