#include "frontend/mcp_tools/discovery_tools.h"

#include <algorithm>

#include "base/try.h"
#include "catalog/word_search.h"
#include "frontend/mcp_tools/run_reply.h"
#include "gateway/words.h"

namespace glovebox::frontend {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using catalog::Tool;
using gateway::json_text;

constexpr std::size_t kMostDescription = 400;

constexpr const char* kSearchInput =
    R"({"type":"object","properties":{)"
    R"("intent":{"type":"string","description":"What you want to do, in words; empty lists all"},)"
    R"("k":{"type":"integer","minimum":1,"maximum":100,"default":5},)"
    R"("server":{"type":"string"},)"
    R"("detail":{"type":"string","enum":["names","summary","types"],"default":"summary"}},)"
    R"("required":["intent"],"additionalProperties":false})";

constexpr const char* kDescribeInput =
    R"({"type":"object","properties":{"tools":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":50,)"
    R"("description":"As search_tools names them: server.tool"}},"required":["tools"],"additionalProperties":false})";

// Calls `next` when every server, or the one that is named, has said what it offers or that it cannot.
void with_listed_servers(catalog::Catalog& catalog, const std::string& only, std::function<void()> next) {
  const auto waiting = std::make_shared<std::size_t>(1);
  const auto one_less = [waiting, next = std::move(next)] {
    if (--*waiting == 0) next();
  };
  for (const catalog::ServerHealth& server : catalog.health()) {
    if (server.state == catalog::ServerHealth::State::kReady ||
        server.state == catalog::ServerHealth::State::kDisabled || (!only.empty() && server.name != only)) {
      continue;
    }
    ++*waiting;
    catalog.list_tools(server.name, [one_less](const auto&) { one_less(); });
  }
  one_less();
}

std::string shortened(const std::string& text) {
  if (text.size() <= kMostDescription) return text;
  std::size_t end = kMostDescription;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string described(const Tool& tool, std::string_view detail) {
  std::string json = R"({"tool":)" + json_text(tool.server + "." + tool.name);
  if (detail != "names") {
    json += R"(,"call":)" + json_text("mcp." + tool.server + "." + (tool.alias.empty() ? tool.name : tool.alias));
    json += R"(,"description":)" + json_text(detail == "types" ? tool.description : shortened(tool.description));
  }
  if (detail == "types") {
    json += R"(,"inputSchema":)" + (tool.input_schema.empty() ? "{}" : tool.input_schema);
    if (!tool.output_schema.empty()) json += R"(,"outputSchema":)" + tool.output_schema;
  }
  if (tool.state != Tool::State::kUsable) json += R"(,"unusable":)" + json_text(tool.reason);
  return json + "}";
}

// The agent is not led to what it may never call.
std::vector<Tool> offered_tools(GatewayProcess& process, const std::string& server) {
  std::vector<Tool> offered;
  for (Tool& tool : process.catalog().known_tools()) {
    if (!server.empty() && tool.server != server) continue;
    if (tool.state != Tool::State::kUsable || process.gateway().is_denied(tool.server, tool.name)) continue;
    offered.push_back(std::move(tool));
  }
  return offered;
}

std::string troubles(GatewayProcess& process, const std::string& only) {
  std::string list;
  for (const catalog::ServerHealth& server : process.catalog().health()) {
    if (!only.empty() && server.name != only) continue;
    if (server.state != catalog::ServerHealth::State::kBackingOff &&
        server.state != catalog::ServerHealth::State::kBroken) {
      continue;
    }
    list += (list.empty() ? "" : ",") + (R"({"server":)" + json_text(server.name)) + R"(,"error":)" +
            json_text(shortened(server.error)) + "}";
  }
  return list;
}

void search(GatewayProcess& process, const Call& call) {
  const std::string intent(call->argument("intent"));
  const std::string only(call->argument("server"));
  const std::string server = only.empty() ? "" : process.catalog().resolve_server(only);
  if (!only.empty() && server.empty()) return call->reply_error("there is no server " + only);
  with_listed_servers(process.catalog(), server, [&process, call, intent, server] {
    const auto most = static_cast<std::size_t>(
        std::clamp(mcp::number_member(call->arguments(), "k").value_or(intent.empty() ? 100 : 5), 1.0, 100.0));
    std::string detail(call->argument("detail"));
    if (detail.empty()) detail = "summary";
    const auto tools = offered_tools(process, server);
    std::string list;
    for (const catalog::Found& found : catalog::search_words(tools, intent, most)) {
      if (!list.empty()) list += ',';
      list += described(tools[found.index], detail);
    }
    std::string structured = R"({"tools":[)" + list + "]";
    if (list.empty()) structured += R"(,"note":"no tool fits; try other words, or an empty intent to list all")";
    if (const std::string trouble = troubles(process, server); !trouble.empty()) {
      structured += R"(,"unavailable":[)" + trouble + "]";
    }
    structured += "}";
    call->reply(tool_reply(structured, structured, false));
  });
}

void describe(GatewayProcess& process, const Call& call) {
  const auto* names = mcp::array_member(call->arguments(), "tools");
  auto asked = std::make_shared<std::vector<std::string>>();
  for (const auto& name : *names) {
    if (const auto* text = name.if_string()) asked->emplace_back(text->data(), text->size());
  }
  auto answers = std::make_shared<std::vector<std::string>>(asked->size());
  const auto waiting = std::make_shared<std::size_t>(asked->size() + 1);
  const auto one_less = [call, answers, waiting] {
    if (--*waiting != 0) return;
    std::string list;
    for (const std::string& answer : *answers) list += (list.empty() ? "" : ",") + answer;
    const std::string structured = R"({"tools":[)" + list + "]}";
    call->reply(tool_reply(structured, structured, false));
  };
  for (std::size_t i = 0; i < asked->size(); ++i) {
    const std::string& name = (*asked)[i];
    const std::size_t dot = name.find_first_of(".:");
    const std::string server = process.catalog().resolve_server(name.substr(0, dot));
    const std::string tool = dot == std::string::npos ? "" : name.substr(dot + 1);
    process.catalog().find(server.empty() ? name.substr(0, dot) : server, tool,
                           [answers, one_less, i, name](const Result<Tool, catalog::CallFailure>& found) {
                             (*answers)[i] = found.ok() ? described(found.value(), "types")
                                                        : R"({"tool":)" + json_text(name) + R"(,"error":)" +
                                                              json_text(found.failure().message) + "}";
                             one_less();
                           });
  }
  one_less();
}

}  // namespace

Result<void> add_discovery_tools(mcp::ServerCore& core, GatewayProcess& process) {
  GLOVEBOX_TRY_VOID(core.add_tool({.name = "search_tools",
                                   .description = "Finds tools that code in execute_code can call, by what you want to "
                                                  "do. detail: names, summary (default) or types (with schemas).",
                                   .title = "Find tools",
                                   .input_schema = kSearchInput,
                                   .annotations = R"({"readOnlyHint":true})"},
                                  [&process](const Call& call) { search(process, call); }));
  return core.add_tool({.name = "describe_tools",
                        .description = "Shows the description and the schemas of tools by name.",
                        .title = "Describe tools",
                        .input_schema = kDescribeInput,
                        .annotations = R"({"readOnlyHint":true})"},
                       [&process](const Call& call) { describe(process, call); });
}

}  // namespace glovebox::frontend
