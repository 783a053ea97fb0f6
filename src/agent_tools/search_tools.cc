#include "agent_tools/search_tools.h"

#include <algorithm>

#include "agent_tools/found_tools.h"
#include "agent_tools/product_tools.h"
#include "agent_tools/run_reply.h"
#include "assembly/tool_search.h"
#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "catalog/plain_text.h"
#include "code_check/tool_shapes.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using base::ObjectText;
using discovery::Findings;

constexpr const char* kSearchInput =
    R"({"type":"object","properties":{"intent":{"type":"string"},"k":{"type":"integer","minimum":1,"maximum":100},)"
    R"("server":{"type":"string"},"detail":{"type":"string","enum":["names","summary","types"]},)"
    R"("language":{"type":"string"}},"required":["intent"],"additionalProperties":false})";
constexpr const char* kSearchListed =
    R"({"type":"object","properties":{"intent":{"type":"string","description":"empty lists all"},)"
    R"("k":{"type":"integer","default":5},"server":{"type":"string"},)"
    R"("detail":{"type":"string","enum":["names","summary","types"]},)"
    R"("language":{"type":"string","description":"python: stubs"}},"required":["intent"]})";

// A client gives up after a minute, and has learnt nothing then.
constexpr std::chrono::seconds kClientPatience{15};

constexpr std::size_t kInjected = 5;
// So many come with their types, where nothing else is asked for.
constexpr std::size_t kMostTyped = 5;

// An array; empty where there are none.
std::string troubles(assembly::GatewayProcess& process, const std::string& only) {
  using State = catalog::ServerHealth::State;
  base::ListText list;
  for (const catalog::ServerHealth& server : process.catalog().health()) {
    if (!only.empty() && server.name != only) continue;
    const bool slow = server.state == State::kStarting && server.tools == 0;
    if (server.state != State::kBackingOff && server.state != State::kBroken && !slow) continue;
    const std::string error = slow ? "it has not listed its tools yet" : catalog::plain_text(server.error, 400);
    list.json(ObjectText().text("server", server.name).text("error", error).done());
  }
  return list.empty() ? "" : list.done();
}

void search(assembly::GatewayProcess& process, const Call& call) {
  discovery::Wish wish;
  wish.intent = call->argument("intent");
  wish.user = assembly::search_user(call->facts().principal);
  const bool has_intent = !base::is_blank(wish.intent);
  const std::string only(call->argument("server"));
  if (!only.empty()) wish.server = process.catalog().resolve_server(only);
  if (!only.empty() && wish.server.empty()) return call->reply_error("there is no server " + only);
  wish.most = static_cast<std::size_t>(
      std::clamp(mcp::number_member(call->arguments(), "k").value_or(has_intent ? 5 : 100), 1.0, 100.0));
  std::string detail(call->argument("detail"));
  // A few come with all that a call needs, so that no second request is needed; those that hardly fit do not.
  const bool by_fit = detail.empty() && has_intent && wish.most <= kMostTyped;
  if (detail.empty()) detail = "summary";
  const bool is_python = language_named(call->argument("language")) == Language::kPython;
  const auto found = [&process, call, detail, by_fit, is_python, has_intent,
                      server = wish.server](const Findings& findings) {
    std::vector<ShownTool> tools;
    for (const discovery::FoundTool& tool : findings.tools) {
      tools.push_back({tool, code_check::shape_of(process.catalog(), tool.tool),
                       by_fit && !tool.weak ? "types" : detail, has_intent, is_python});
    }
    const auto reply = [call,
                        remarks = search_remarks(process, findings, server, has_intent)](const std::string& list) {
      const std::string structured = ObjectText().json("tools", list).members(remarks).done();
      call->reply(tool_reply(structured, structured, false));
    };
    process.declare([tools = std::move(tools)](const types::AskForPart& ask) { return found_tools_json(tools, ask); },
                    reply);
  };
  assembly::with_known_tools(process.executor(), process.catalog(), wish.server, kClientPatience,
                             [&process, wish, found] { process.find_tools(wish, found); });
}

}  // namespace

std::string search_remarks(assembly::GatewayProcess& process, const Findings& findings, const std::string& server,
                           bool has_intent) {
  ObjectText remarks;
  remarks.text_if("note", note_about(findings, has_intent));
  // Which endpoint it is and what it said is for the owner only, and goes to standard error.
  if (!findings.trouble.empty()) {
    const std::string by = findings.model.empty() ? "their words alone" : "another one";
    remarks.text("warning", "the model that the owner chose cannot be used; tools are compared by " + by);
  }
  return remarks.json_if("unavailable", troubles(process, server)).done();
}

Result<void> add_search_tool(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  return core.add_tool({.name = "search_tools",
                        .description = "Finds tools that code can call, by what you want to do.",
                        .input_schema = kSearchInput,
                        .listed_schema = kSearchListed,
                        .annotations = R"({"readOnlyHint":true})"},
                       after_trust(process, [&process](const Call& call) { search(process, call); }));
}

discovery::Wish wish_for_run(const gateway::ExecuteRequest& request, const std::string& workspace) {
  discovery::Wish wish;
  wish.intent = request.intent;
  wish.most = kInjected;
  wish.user = assembly::search_user(request.client);
  if (request.tools) {
    std::vector<policy::ToolPattern> patterns;
    for (const std::string& text : *request.tools) {
      // The gateway refuses the run for a pattern that cannot be read.
      if (auto pattern = policy::ToolPattern::parse(text, workspace)) patterns.push_back(std::move(pattern).value());
    }
    wish.may = [patterns = std::move(patterns)](const std::string& server, const std::string& tool) {
      return std::any_of(patterns.begin(), patterns.end(),
                         [&](const policy::ToolPattern& pattern) { return pattern.matches_name(server, tool); });
    };
  }
  return wish;
}

void reply_with_tools(assembly::GatewayProcess& process, const Call& call, discovery::Wish wish) {
  const auto found = [&process, call](const Findings& findings) {
    const auto reply = [&process, call, findings](const std::string& declarations) {
      const std::string structured = ObjectText()
                                         .members(discovery_members(process.catalog(), findings))
                                         .text("declarations", declarations)
                                         .members(search_remarks(process, findings, "", true))
                                         .done();
      const std::string text =
          declarations.empty()
              ? "Nothing has run: " + note_about(findings, true) + "." + weak_list(findings)
              : "Nothing has run: call execute_code again with code. These tools fit the intent:\n\n" + declarations;
      call->reply(tool_reply(structured, text, false));
    };
    process.declare(declarations_of(process.catalog(), findings), reply);
  };
  assembly::with_known_tools(process.executor(), process.catalog(), "", kClientPatience,
                             [&process, wish = std::move(wish), found] { process.find_tools(wish, found); });
}

}  // namespace glovebox::agent_tools
