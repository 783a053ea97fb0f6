#include "frontend/mcp_tools/product_tools.h"

#include <algorithm>

#include "base/comma_list.h"
#include "base/try.h"
#include "capability/capability_tools.h"
#include "catalog/told_failure.h"
#include "frontend/mcp_tools/describe_tools.h"
#include "frontend/mcp_tools/run_conversation.h"
#include "frontend/mcp_tools/run_reply.h"
#include "frontend/mcp_tools/run_request.h"
#include "frontend/mcp_tools/run_state.h"
#include "frontend/mcp_tools/search_tools.h"
#include "frontend/mcp_tools/server_role.h"
#include "frontend/mcp_tools/workflow_conversation.h"
#include "frontend/mcp_tools/workflow_tools.h"
#include "frontend/serve/own_things.h"
#include "gateway/words.h"
#include "workflow/report.h"

namespace glovebox::frontend {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using gateway::json_text;

constexpr const char* kExecuteDescription =
    "Runs TypeScript, JavaScript or Python in a sealed process. The code is the body of an async function: use `await` "
    "and "
    "`return` what you need, and nothing more. Tools of the connected servers are functions: "
    "`await mcp.<server>.<tool>({...})`; call several at once with Promise.all. JSON objects and arrays come as "
    "values, "
    "already parsed; `mcp.<server>.<tool>.raw({...})` gives the content blocks. Filter and add up large results in the "
    "code and return only the answer. There is no file system, network or module, except what the owner granted. Find "
    "tools with search_tools and their arguments with describe_tools. A call may have to be approved by a person. "
    "Errors of tools are exceptions of the class MCPToolError. In Python (language: python) tools are plain functions, "
    "`mcp.<server>.<tool>(name=value)`, several run at once with mcp.gather(...), and the last expression is the "
    "result.";

constexpr const char* kExecuteInput =
    R"({"type":"object","properties":{)"
    R"("code":{"type":"string","description":"The body of an async function, or one expression"},)"
    R"("language":{"type":"string","enum":["typescript","javascript","python","ts","js","py"],"default":"typescript"},)"
    R"("intent":{"type":"string","description":"What the code is for, in one sentence; shown to whoever approves it. )"
    R"(Without code: answers with the tools that fit, and runs nothing"},)"
    R"("context":{"description":"JSON that the code sees as `context`"},)"
    R"("tools":{"type":"array","items":{"type":"string"},)"
    R"("description":"Only these may be called, as patterns: server, server:tool, server:prefix_*"},)"
    R"("check":{"type":"string","enum":["off","warn","tools","strict"],"description":"What types that do not fit mean: )"
    R"(tools: wrong tool names, arguments or results stop the run before it begins; warn: they are only told"},)"
    R"("at":{"type":"string","enum":["local","remote"],"default":"local","description":"remote: by the gateway that )"
    R"(the config names; code that needs tools of this machine comes back and runs here"},)"
    R"("sandbox_config":{"type":"object","description":"Tighter limits for this run: timeoutMs, cpuMs, memoryMB, …"})"
    R"(},"additionalProperties":false})";  // either code or intent; several clients refuse schemas that say so

constexpr const char* kRunIdInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"}},"required":["run_id"],"additionalProperties":false})";

constexpr const char* kContinueInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"},)"
    R"("approval_id":{"type":"string","description":"The card that the person decided about, as approval_required )"
    R"(told it. A yes is for this card alone; without it a no is for all that the run waits for"},)"
    R"("approved":{"type":"boolean","description":"What the person decided. Never decide it yourself"},)"
    R"("scope":{"type":"string","enum":["once","run","session"],"default":"once"},)"
    R"("reason":{"type":"string"}},"required":["run_id","approved"],"additionalProperties":false})";

constexpr const char* kListInput =
    R"({"type":"object","properties":{)"
    R"("status":{"type":"string","enum":["running","waiting","finished","partial","failed","cancelled","paused","aborted","dead"],)"
    R"("description":"partial, paused, aborted and dead are of workflows, cancelled is of runs"},)"
    R"("limit":{"type":"integer","minimum":1,"maximum":100,"default":20}},"additionalProperties":false})";

// Nobody else pays for one who asks for too much.
std::optional<std::string> too_many_runs(GatewayProcess& process, const std::string& client) {
  const auto most = process.config().gateway.limits.runs_per_client;
  if (!most || process.gateway().busy_runs_of(client) < static_cast<std::size_t>(*most)) return std::nullopt;
  return "this client has " + std::to_string(*most) +
         " runs under way, which is all that limits.runsPerClient allows it; wait for one to end, or cancel one";
}

void execute_code(GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call) {
  const bool resumes = !call->note().empty();
  auto request = read_execute_request(call->arguments(), process.sandbox_config(), process.config().gateway.check);
  if (!request && !resumes) return call->reply_error(request.failure().message);
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  if (request) {
    request->client = call->facts().principal;
    request->session = process.gateway().session_of(asker_of(*call));
    request->profile = call->facts().tools;
    request->privacy = process.gateway().privacy_in(call->facts().conversation);
    request->traceparent = call->facts().traceparent;
    discovery::Wish wish = wish_for_run(*request, process.workspace().folder);
    if (!mcp::member(call->arguments(), "code")) return reply_with_tools(process, call, std::move(wish));
    if (!request->intent.empty()) conversation->discover(std::move(wish));
  }
  if (resumes) return conversation->resume(call->note());
  if (const auto refusal = too_many_runs(process, request->client)) {
    return call->reply(reply_of_failure("TOO_MANY_RUNS", *refusal));
  }
  // Code that a gateway has sent is not sent on: two that name each other would go on for ever.
  if (is_gateway(request->client)) request->chain = {std::string(capability::kGatewayLink) + request->client};
  if (call->argument("at") == "remote") {
    if (request->profile)
      return call->reply(reply_of_failure(
          "TOKEN_IS_LIMITED", "this client's token is for some tools only, so its code runs nowhere but here"));
    if (is_gateway(request->client))
      return call->reply(reply_of_failure("REMOTE_LOOP", "code of a gateway is not sent on to another"));
    return conversation->execute_at_remote(std::move(request).value());
  }
  if (process.is_server_role()) return execute_as_server(process, call, conversation, std::move(request).value());
  conversation->execute(std::move(request).value());
}

// It is the model that says what the person decided. Where the person can be asked in a way that the model has no hand
// in, they are, whatever it says; a no is taken from anyone.
void continue_run(GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call) {
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  if (!call->note().empty()) return conversation->resume(call->note());
  const std::string id(call->argument("run_id"));
  const auto run = OwnThings(process, *call).run(id);
  if (!run) return call->reply_error(catalog::without_host_paths(run.failure().message));
  const bool can_ask = call->can_ask(mcp::elicit_form("approval", "", R"({"type":"object","properties":{}})"));
  gateway::Gateway::Continuation with;
  with.from = asker_of(*call);
  if (can_ask && mcp::true_member(call->arguments(), "approved")) {
    const auto may = process.gateway().check_answerer(run->session, with.from);
    return may || has_ended(run->status) ? conversation->resume(id) : call->reply_error(may.failure().message);
  }
  with.approved = mcp::true_member(call->arguments(), "approved");
  if (with.approved && !process.agent_may_approve()) {
    return call->reply_error(
        "the owner's config has approvals.agent: false, so nobody's yes is passed on here: the owner answers outside "
        "of this conversation, and get_run tells what has come of it");
  }
  with.approval = call->argument("approval_id");
  with.reason = call->argument("reason");
  with.scope = store::scope_of(call->argument("scope")).value_or(store::Scope::kOnce);
  conversation->continue_run(id, with);
}

void list_runs(GatewayProcess& process, const Call& call) {
  const auto most =
      static_cast<std::size_t>(std::clamp(mcp::number_member(call->arguments(), "limit").value_or(20), 1.0, 100.0));
  const std::string_view status = call->argument("status");
  const auto of_runs = store::run_status_of(status);
  const auto of_workflows = store::workflow_status_of(status);
  std::string list = R"({"runs":[)";
  if (status.empty() || of_runs) {
    const auto runs = OwnThings(process, *call).runs(of_runs, most);
    if (!runs) return call->reply_error(catalog::without_host_paths(runs.failure().message));
    for (const store::RunRecord& run : runs.value()) list += (list.back() == '[' ? "" : ",") + run_summary(run);
  }
  list += R"(],"workflows":[)";
  if (status.empty() || of_workflows) {
    const auto workflows = OwnThings(process, *call).workflows(of_workflows, most);
    if (!workflows) return call->reply_error(catalog::without_host_paths(workflows.failure().message));
    for (const store::WorkflowRecord& record : workflows.value()) {
      list += (list.back() == '[' ? "" : ",") + mcp::json::serialize(workflow::summary_of(record));
    }
  }
  list += "]}";
  call->reply(tool_reply(list, list, false));
}

void get_run(GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  if (is_workflow_id(id)) return std::make_shared<WorkflowConversation>(process, call)->reply_now(id);
  const auto run = OwnThings(process, *call).run(id);
  if (!run) return call->reply_error(catalog::without_host_paths(run.failure().message));
  if (store::has_ended(run->status)) {
    const std::string state = state_member(run->outcome, [&] { return run->context; });
    return call->reply(reply_of_end({id, run->status, run->outcome, nullptr}, state));
  }
  const auto pending = process.gateway().pending(id);
  if (pending && !pending.value().empty()) {
    std::vector<gateway::ApprovalCard> cards;
    for (const store::ApprovalRecord& approval : pending.value()) cards.push_back({approval.id, id, "", approval.card});
    return call->reply(reply_of_cards(*call, cards, process.agent_may_approve()));
  }
  const std::string summary = run_summary(run.value());
  call->reply(tool_reply(summary, summary, false));
}

void cancel_run(GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  if (is_workflow_id(id)) return call->reply_error("abort a workflow with workflow_command");
  const auto own = OwnThings(process, *call).run(id);
  const bool is_there = own || own.failure().code == ErrorCode::kNotFound;
  if (!is_there) return call->reply_error(catalog::without_host_paths(own.failure().message));
  const auto cancelled = own ? process.gateway().cancel_run(id) : Result<bool>(false);
  if (!cancelled) return call->reply_error(catalog::without_host_paths(cancelled.failure().message));
  if (!cancelled.value()) return call->reply_error("there is no run " + id + " that has not ended");
  call->reply(tool_reply(R"({"run_id":)" + json_text(id) + R"(,"cancelled":true})", id + " is cancelled", false));
}

}  // namespace

Result<void> add_product_tools(mcp::ServerCore& core, GatewayProcess& process) {
  const auto questions = std::make_shared<OpenQuestions>();
  const auto add = [&core](mcp::ToolDefinition definition, mcp::CallHandler handler) {
    return core.add_tool(std::move(definition), std::move(handler));
  };
  GLOVEBOX_TRY_VOID(add({.name = "execute_code",
                         .description = kExecuteDescription,
                         .title = "Run code",
                         .input_schema = kExecuteInput,
                         .output_schema = run_reply_schema()},
                        [&process, questions](const Call& call) { execute_code(process, questions, call); }));
  GLOVEBOX_TRY_VOID(
      add({.name = "continue_run",
           .description = "Goes on with a run that answered approval_required, after the person has decided about one "
                          "card. What the run asks next is in the answer.",
           .title = "Go on with a run",
           .input_schema = kContinueInput,
           .output_schema = run_reply_schema()},
          [&process, questions](const Call& call) { continue_run(process, questions, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "list_runs",
                         .description = "Lists your runs and workflows, the newest first.",
                         .title = "List runs",
                         .input_schema = kListInput,
                         .annotations = R"({"readOnlyHint":true})"},
                        [&process](const Call& call) { list_runs(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "get_run",
                         .description = "Shows a run or a workflow: its result, or what it waits for.",
                         .title = "Show a run",
                         .input_schema = kRunIdInput,
                         .annotations = R"({"readOnlyHint":true})"},
                        [&process](const Call& call) { get_run(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "cancel_run",
                         .description = "Ends a run that is under way or waits for a person.",
                         .title = "Cancel a run",
                         .input_schema = kRunIdInput},
                        [&process](const Call& call) { cancel_run(process, call); }));
  if (process.is_server_role()) GLOVEBOX_TRY_VOID(add_report_tool(core, process));
  GLOVEBOX_TRY_VOID(add_workflow_tools(core, process));
  GLOVEBOX_TRY_VOID(add_describe_tools(core, process));
  return add_search_tool(core, process);
}

// The agent learns why, and nothing that would agree in the owner's place.
constexpr const char* kUntrusted =
    " The owner has not yet agreed to the config of this workspace, so its servers and grants are off.";

std::string product_instructions(const GatewayProcess& process) {
  const std::string servers = base::comma_list(process.catalog().servers());
  return std::string(
             "Glovebox runs code that uses tools. Write one program with execute_code instead of many calls: ") +
         "it calls tools as `await mcp.<server>.<tool>({...})`, filters their results and returns only what you "
         "need. " +
         (servers.empty() ? "No server is connected." : "Connected servers: " + servers + ".") +
         (process.workspace().untrusted.empty() ? "" : kUntrusted);
}

}  // namespace glovebox::frontend
