#include "agent_tools/server_role.h"

#include "agent_tools/run_reply.h"
#include "assembly/views/dag_view.h"
#include "base/text/comma_list.h"
#include "base/text/json_builder.h"
#include "capability/calls/capability_tools.h"
#include "catalog/call/reported_failure.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;

constexpr const char* kReportInput =
    R"({"type":"object","properties":{)"
    R"("workflow_id":{"type":"string","description":"what execute_code called the run"},)"
    R"("outcome":{"type":"object","description":"{ result | error, trace, metrics } of an ExecutionResult"}},)"
    R"("required":["workflow_id","outcome"],"additionalProperties":false})";

std::string name_of_tool(const std::string& server, const std::string& tool) {
  return server + ":" + tool;
}

struct Needed {
  ToolPlan plan;
  std::vector<std::string> tools;
  std::vector<std::string> client_tools;
};

Needed needed_by(assembly::GatewayProcess& process, ToolPlan plan) {
  Needed needed;
  for (const PlannedTool& tool : plan.tools) {
    const std::string name = name_of_tool(tool.server, tool.tool);
    needed.tools.push_back(name);
    if (process.is_client_tool(tool.server, tool.tool)) needed.client_tools.push_back(name);
  }
  needed.plan = std::move(plan);
  return needed;
}

void refuse(const Call& call, const Needed& needed) {
  call->reply(reply_of_failure(
      "CLIENT_TOOLS_REQUIRE_PACKAGE",
      "this code needs tools that only the client's machine has: " + base::comma_list(needed.client_tools) +
          ". Connect through a Glovebox gateway on that machine whose config has this one as "
          "its remote; nothing was executed",
      base::ObjectText().json("client_tools", base::text_list(needed.client_tools)).done()));
}

void reply_with_code(assembly::GatewayProcess& process, const Call& call, const std::string& code, const Needed& needed,
                     const Result<std::string>& id) {
  if (!id) return call->reply(reply_of_failure("NOT_HANDED_OUT", catalog::without_host_paths(id.failure().message)));
  const auto where = [&process](const PlannedCall& one) {
    return std::string(process.is_client_tool(one.server, one.tool) ? "client" : "server");
  };
  const std::string structured = base::ObjectText()
                                     .text("status", "execute_locally")
                                     .text("code", code)
                                     .json("dag", assembly::dag_json(needed.plan, where))
                                     .json("tools_used", base::text_list(needed.tools))
                                     .json("client_tools", base::text_list(needed.client_tools))
                                     .text("workflow_id", *id)
                                     .done();
  // Not filtered: the code has to come back as it was sent, and nothing else is in this.
  call->reply_with_own_words(
      tool_reply(structured, "Nothing has run. The client's gateway runs this code: workflow " + *id, false));
}

}  // namespace

// One that has given itself a name: see gateway/principal/asker.h.
bool is_gateway(const std::string& principal) {
  return principal.find(' ') != principal.npos;
}

void execute_as_server(assembly::GatewayProcess& process, const Call& call,
                       const std::shared_ptr<RunConversation>& conversation, gateway::ExecuteRequest request) {
  const auto shared = std::make_shared<gateway::ExecuteRequest>(std::move(request));
  const auto go_on = [&process, call, conversation, shared](Result<ToolPlan> plan) {
    if (call->done() || call->cancelled()) return;
    if (!plan) return call->reply_error(plan.failure().message);
    // The run itself reports the error in full.
    if (plan->error) return conversation->execute(std::move(*shared));
    const Needed needed = needed_by(process, std::move(plan).value());
    const bool may_need_client = !needed.client_tools.empty() || !needed.plan.dynamic.empty();
    if (may_need_client && is_gateway(call->facts().principal)) {
      return process.gateway().hand_out(*shared, call->facts().principal,
                                        [&process, call, shared, needed](const Result<std::string>& id) {
                                          reply_with_code(process, call, shared->code, needed, id);
                                        });
    }
    if (!needed.client_tools.empty()) return refuse(call, needed);
    conversation->execute(std::move(*shared));
  };
  if (shared->language != Language::kPython) return process.plan_tools(shared->code, shared->language, go_on);
  ToolPlan unread;
  unread.dynamic.push_back({"Python is not read before it runs", {1, 1}});
  go_on(std::move(unread));
}

Result<void> add_report_tool(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  return core.add_tool(
      {.name = "report_run",
       .description = "For gateways: the outcome of code that execute_code handed back to be run by the "
                      "client. Sent once, by the client that received the code.",
       .title = "Report a run",
       .input_schema = kReportInput},
      [&process](const Call& call) {
        const auto* outcome = mcp::object_member(call->arguments(), "outcome");
        const std::string id(call->argument("workflow_id"));
        const std::string& principal = call->facts().principal;
        if (!is_gateway(principal)) return call->reply_error("only a gateway can report runs");
        const auto reply = [call, id](const Result<void>& accepted) {
          if (!accepted) return call->reply_error(catalog::without_host_paths(accepted.failure().message));
          const std::string structured = base::ObjectText().text("workflow_id", id).flag("reported", true).done();
          call->reply(tool_reply(structured, id + " is reported", false));
        };
        process.gateway().accept_report(id, principal, outcome ? mcp::json::serialize(*outcome) : "", reply);
      });
}

}  // namespace glovebox::agent_tools
