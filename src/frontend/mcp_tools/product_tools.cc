#include "frontend/mcp_tools/product_tools.h"

#include <algorithm>

#include "base/try.h"
#include "frontend/mcp_tools/discovery_tools.h"
#include "frontend/mcp_tools/run_conversation.h"
#include "frontend/mcp_tools/run_reply.h"
#include "frontend/mcp_tools/run_request.h"
#include "gateway/words.h"

namespace glovebox::frontend {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using gateway::json_text;

constexpr const char* kExecuteDescription =
    "Runs TypeScript or JavaScript in a sealed process. The code is the body of an async function: use `await` and "
    "`return` what you need, and nothing more. Tools of the connected servers are functions: "
    "`await mcp.<server>.<tool>({...})`; call several at once with Promise.all. Filter and add up large results in the "
    "code and return only the answer. There is no file system, network or module, except what the owner granted. Find "
    "tools with search_tools and their arguments with describe_tools. A call may have to be approved by a person. "
    "Errors of tools are exceptions of the class MCPToolError.";

constexpr const char* kExecuteInput =
    R"({"type":"object","properties":{)"
    R"("code":{"type":"string","description":"The body of an async function, or one expression"},)"
    R"("language":{"type":"string","enum":["typescript","javascript","ts","js"],"default":"typescript"},)"
    R"("intent":{"type":"string","description":"What the code is for, in one sentence; shown to whoever approves it"},)"
    R"("context":{"description":"JSON that the code sees as `context`"},)"
    R"("tools":{"type":"array","items":{"type":"string"},)"
    R"("description":"Only these may be called, as patterns: server, server:tool, server:prefix_*"},)"
    R"("sandbox_config":{"type":"object","description":"Tighter limits for this run: timeoutMs, cpuMs, memoryMB, …"})"
    R"(},"required":["code"],"additionalProperties":false})";

constexpr const char* kRunIdInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"}},"required":["run_id"],"additionalProperties":false})";

constexpr const char* kContinueInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"},)"
    R"("approved":{"type":"boolean","description":"What the person decided. Never decide it yourself"},)"
    R"("scope":{"type":"string","enum":["once","run","session"],"default":"once"},)"
    R"("reason":{"type":"string"}},"required":["run_id","approved"],"additionalProperties":false})";

constexpr const char* kListInput =
    R"({"type":"object","properties":{)"
    R"("status":{"type":"string","enum":["running","waiting","finished","failed","cancelled"]},)"
    R"("limit":{"type":"integer","minimum":1,"maximum":100,"default":20}},"additionalProperties":false})";

// Runs of one client share a session; over HTTP all clients have the owner's token.
std::string client_of(const mcp::ServerCall& call) {
  return call.facts().principal;
}

void execute_code(GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call) {
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  if (!call->note().empty()) return conversation->resume(call->note());
  auto request = read_execute_request(call->arguments(), process.sandbox_config());
  if (!request) return call->reply_error(request.failure().message);
  request->client = client_of(*call);
  conversation->execute(std::move(request).value());
}

// It is the model that says what the person decided. Where the person can be asked in a way that the model has no hand
// in, they are, whatever it says; a no is taken from anyone.
void continue_run(GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions, const Call& call) {
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  if (!call->note().empty()) return conversation->resume(call->note());
  const bool can_ask = call->can_ask(mcp::elicit_form("approval", "", R"({"type":"object","properties":{}})"));
  if (can_ask && mcp::true_member(call->arguments(), "approved")) {
    return conversation->resume(std::string(call->argument("run_id")));
  }
  gateway::Gateway::Continuation with;
  with.approved = mcp::true_member(call->arguments(), "approved");
  with.reason = call->argument("reason");
  with.who = client_of(*call);
  with.scope = store::scope_of(call->argument("scope")).value_or(store::Scope::kOnce);
  conversation->continue_run(std::string(call->argument("run_id")), with);
}

void list_runs(GatewayProcess& process, const Call& call) {
  const auto limit = mcp::number_member(call->arguments(), "limit").value_or(20);
  const auto runs = process.gateway().list_runs(store::run_status_of(call->argument("status")),
                                                static_cast<std::size_t>(std::clamp(limit, 1.0, 100.0)));
  if (!runs) return call->reply_error(runs.failure().message);
  std::string list = R"({"runs":[)";
  for (const store::RunRecord& run : runs.value()) {
    if (list.back() != '[') list += ',';
    list += run_summary(run);
  }
  list += "]}";
  call->reply(tool_reply(list, list, false));
}

void get_run(GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  const auto run = process.gateway().get_run(id);
  if (!run) return call->reply_error(run.failure().message);
  if (!run.value()) return call->reply_error("there is no run " + id);
  if (store::has_ended(run.value()->status)) {
    return call->reply(reply_of_end({id, run.value()->status, run.value()->outcome, nullptr}));
  }
  const auto pending = process.gateway().pending(id);
  if (pending && !pending.value().empty()) {
    const store::ApprovalRecord& approval = pending.value().front();
    return call->reply(reply_of_card({approval.id, id, "", approval.card}));
  }
  const std::string summary = run_summary(*run.value());
  call->reply(tool_reply(summary, summary, false));
}

void cancel_run(GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  const auto cancelled = process.gateway().cancel_run(id);
  if (!cancelled) return call->reply_error(cancelled.failure().message);
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
           .description = "Goes on with a run that answered approval_required, after the person has decided.",
           .title = "Go on with a run",
           .input_schema = kContinueInput,
           .output_schema = run_reply_schema()},
          [&process, questions](const Call& call) { continue_run(process, questions, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "list_runs",
                         .description = "Lists runs, the newest first.",
                         .title = "List runs",
                         .input_schema = kListInput,
                         .annotations = R"({"readOnlyHint":true})"},
                        [&process](const Call& call) { list_runs(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "get_run",
                         .description = "Shows a run: its result, or what it waits for.",
                         .title = "Show a run",
                         .input_schema = kRunIdInput,
                         .annotations = R"({"readOnlyHint":true})"},
                        [&process](const Call& call) { get_run(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "cancel_run",
                         .description = "Ends a run that is under way or waits for a person.",
                         .title = "Cancel a run",
                         .input_schema = kRunIdInput},
                        [&process](const Call& call) { cancel_run(process, call); }));
  return add_discovery_tools(core, process);
}

std::string product_instructions(const GatewayProcess& process) {
  std::string servers;
  for (const auto& server : process.config().prepared_servers()) servers += (servers.empty() ? "" : ", ") + server.name;
  return std::string(
             "Glovebox runs code that uses tools. Write one program with execute_code instead of many calls: ") +
         "it calls tools as `await mcp.<server>.<tool>({...})`, filters their results and returns only what you "
         "need. " +
         (servers.empty() ? "No server is connected." : "Connected servers: " + servers + ".");
}

}  // namespace glovebox::frontend
