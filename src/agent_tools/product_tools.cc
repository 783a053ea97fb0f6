#include "agent_tools/product_tools.h"

#include <algorithm>

#include "agent_tools/answer/media_blocks.h"
#include "agent_tools/describe_tools.h"
#include "agent_tools/run_artifacts.h"
#include "agent_tools/run_conversation.h"
#include "agent_tools/run_reply.h"
#include "agent_tools/run_state.h"
#include "agent_tools/search_tools.h"
#include "agent_tools/server_role.h"
#include "agent_tools/workflow_conversation.h"
#include "agent_tools/workflow_tools.h"
#include "assembly/client_bounds.h"
#include "assembly/own_things.h"
#include "base/text/comma_list.h"
#include "base/text/framed_text.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "capability/calls/capability_tools.h"
#include "catalog/call/reported_failure.h"
#include "code_check/tool_shapes.h"
#include "gateway/approvals/reply.h"
#include "gateway/direct/one_call.h"
#include "store/thread/ask_store.h"
#include "workflow/report.h"
#include "workspace/workspace_trust.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;
using base::ObjectText;

// A model pays for every word of these with each of its turns: tests/e2e/serve/tokens.mjs counts them. Clients, other
// gateways among them, check arguments against what is listed: the schemas may omit what we accept, but must not
// exclude it.
constexpr const char* kExecuteDescription =
    "Runs code in a sandbox: the body of an async function; `return` only what you need. Tools of servers are "
    "functions: `await mcp.<server>.<tool>({...})`, several at once with Promise.all. Results are JSON, already "
    "parsed; "
    "`.raw({...})` gives content blocks; failures throw MCPToolError. Python: `mcp.<server>.<tool>(name=value)`, "
    "mcp.gather(...); the last expression is the result. emit(name, data) hands out pictures and files. No files, "
    "network or modules unless granted. A person may have to approve calls.";

constexpr const char* kExecuteInput =
    R"({"type":"object","properties":{)"
    R"("code":{"type":"string"},)"
    R"("language":{"type":"string"},)"
    R"("intent":{"type":"string"},"context":{},"tools":{"type":"array","items":{"type":"string"}},)"
    R"("check":{"type":"string","enum":["off","warn","tools","strict"]},)"
    R"("at":{"type":"string","enum":["local","remote"]},"sandbox_config":{"type":"object"},)"
    R"("result_bytes":{"type":"integer","minimum":1}},"additionalProperties":false})";  // either code or intent;
                                                                                        // several clients refuse
                                                                                        // schemas that say so

// Its properties; `at` is one where there is a remote gateway.
constexpr const char* kExecuteListed =
    R"({"code":{"type":"string"},)"
    R"("language":{"type":"string","description":"typescript (default), javascript, python"},)"
    R"("intent":{"type":"string","description":"Its purpose, for the person who approves. Without code: )"
    R"(which tools fit"},)"
    R"("context":{"description":"JSON that the code sees as `context`"},)"
    R"("tools":{"type":"array","items":{"type":"string"},)"
    R"("description":"Only these may be called: server, server:tool, server:get_*"},)"
    R"("check":{"type":"string","enum":["off","warn","tools","strict"],"description":"Of types, before the run"},)"
    R"("sandbox_config":{"type":"object","description":"Tighter limits: timeoutMs, memoryMB, …"},)"
    R"("result_bytes":{"type":"integer","description":"A longer result is cut, and get_run reads the rest"}})";
constexpr const char* kAtListed = R"({"at":{"type":"string","enum":["local","remote"],)"
                                  R"("description":"remote: on the gateway that the config names"}})";

constexpr const char* kCallInput =
    R"({"type":"object","properties":{"tool":{"type":"string"},"arguments":{"type":"object"},)"
    R"("result_bytes":{"type":"integer","minimum":1}},"required":["tool"],"additionalProperties":false})";
constexpr const char* kCallListed =
    R"({"type":"object","properties":{"tool":{"type":"string","description":"server.tool"},)"
    R"("arguments":{"type":"object"}},"required":["tool"]})";

constexpr const char* kRunIdInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"}},"required":["run_id"],"additionalProperties":false})";
constexpr const char* kRunIdListed =
    R"({"type":"object","properties":{"run_id":{"type":"string"}},"required":["run_id"]})";

constexpr const char* kGetInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"},"detail":{"type":"boolean"},)"
    R"("path":{"type":"string"},"offset":{"type":"integer","minimum":0},"limit":{"type":"integer","minimum":1},)"
    R"("result_bytes":{"type":"integer","minimum":1}},"required":["run_id"],"additionalProperties":false})";
constexpr const char* kGetListed =
    R"({"type":"object","properties":{"run_id":{"type":"string"},)"
    R"("path":{"type":"string","description":"JSON pointer: /result/0, /logs, /trace"},)"
    R"("offset":{"type":"integer"},"limit":{"type":"integer"},)"
    R"("detail":{"type":"boolean","description":"also trace, metrics, diagnostics"}},"required":["run_id"]})";

constexpr const char* kContinueInput =
    R"({"type":"object","properties":{"run_id":{"type":"string"},"approval_id":{"type":"string"},)"
    R"("approved":{"type":"boolean"},"scope":{"type":"string","enum":["once","run","session"]},)"
    R"("reason":{"type":"string"},"result_bytes":{"type":"integer","minimum":1}},)"
    R"("required":["run_id","approved"],"additionalProperties":false})";
constexpr const char* kContinueListed =
    R"({"type":"object","properties":{"run_id":{"type":"string"},"approval_id":{"type":"string"},)"
    R"("approved":{"type":"boolean","description":"What the person decided. Never decide it yourself"},)"
    R"("scope":{"type":"string","enum":["once","run","session"]},"reason":{"type":"string"}},)"
    R"("required":["run_id","approved"]})";

constexpr const char* kListInput =
    R"({"type":"object","properties":{"status":{"type":"string","enum":["running","waiting","finished","partial",)"
    R"("failed","cancelled","paused","aborted","dead"]},)"
    R"("limit":{"type":"integer","minimum":1,"maximum":100}},"additionalProperties":false})";
constexpr const char* kListListed =
    R"({"type":"object","properties":)"
    R"({"status":{"type":"string","description":"running, waiting, finished, failed, …"},)"
    R"("limit":{"type":"integer"}}})";

constexpr const char* kReadOnly = R"({"readOnlyHint":true})";

// In whose name, and under which bounds, a run of this client is.
void ask_for(gateway::ExecuteRequest& request, assembly::GatewayProcess& process, const mcp::ServerCall& call) {
  request.client = call.facts().principal;
  request.client_name = call.facts().client_name;
  request.session = process.gateway().session_of(assembly::asker_of(call));
  request.profile = call.facts().profile;
  request.privacy = process.gateway().privacy_in(call.facts().conversation);
  request.traceparent = call.facts().traceparent;
}

// What the client asks for, as arguments of execute_code.
void execute(assembly::GatewayProcess& process, const std::shared_ptr<RunConversation>& conversation, const Call& call,
             const mcp::json::object& arguments) {
  const bool resumes = !call->note().empty();
  auto request = gateway::read_execute_request(arguments, assembly::sandbox_config_for(process, call->facts().profile),
                                               process.config().gateway.check);
  if (!request && !resumes) return call->reply_error(request.failure().message);
  if (request) {
    ask_for(*request, process, *call);
    discovery::Wish wish = wish_for_run(*request, process.workspace().folder);
    if (!mcp::member(arguments, "code")) return reply_with_tools(process, call, std::move(wish));
    if (!request->intent.empty()) conversation->discover(std::move(wish));
  }
  if (resumes) return conversation->resume(call->note());
  if (process.gateway().is_draining()) return call->reply(reply_of_shutdown());
  if (const auto refusal = assembly::too_many_runs(process, *request)) {
    return call->reply(reply_of_failure("TOO_MANY_RUNS", *refusal));
  }
  // Code that a gateway has sent is not sent on: two that name each other would never end.
  if (is_gateway(request->client)) request->chain = {std::string(capability::kGatewayLink) + request->client};
  if (mcp::string_member(arguments, "at") == "remote") {
    if (request->profile)
      return call->reply(
          reply_of_failure("TOKEN_IS_LIMITED", "this client's token is restricted, so its code runs only here"));
    if (is_gateway(request->client))
      return call->reply(reply_of_failure("REMOTE_LOOP", "code that came from a gateway is not forwarded to another"));
    return conversation->execute_at_remote(std::move(request).value());
  }
  if (process.is_server_role()) return execute_as_server(process, call, conversation, std::move(request).value());
  conversation->execute(std::move(request).value());
}

// One call is a run of one line: so it is judged, asked about, recorded and limited as every other call.
void call_tool(assembly::GatewayProcess& process, const std::shared_ptr<RunConversation>& conversation,
               const Call& call) {
  const auto choice = code_check::ToolChoice::parse(process.catalog(), call->argument("tool"));
  if (!choice || choice->server().empty() || choice->tool().empty())
    return call->reply_error("name one tool, as in \"files.read_file\"; search_tools finds tools");
  const auto* given = mcp::object_member(call->arguments(), "arguments");
  conversation->is_one_call();
  execute(process, conversation, call,
          {{"code", gateway::one_call_program(choice->server(), choice->tool())},
           {"context", given ? *given : mcp::json::object()},
           {"check", "off"}});
}

// It is the model that says what the person decided. Where the person can be asked in a way that the model has no hand
// in, they are, whatever it says; a denial is accepted from either.
void continue_own_run(assembly::GatewayProcess& process, const std::shared_ptr<RunConversation>& conversation,
                      const Call& call, const store::RunRecord& run) {
  const bool can_ask = call->can_ask(mcp::elicit_form("approval", "", R"({"type":"object","properties":{}})"));
  gateway::Gateway::Continuation with;
  with.from = assembly::asker_of(*call);
  if (can_ask && mcp::true_member(call->arguments(), "approved")) {
    return process.gateway().check_answerer(run.session, with.from, [conversation, call, run](const Result<void>& may) {
      may || has_ended(run.status) ? conversation->resume(run.id) : call->reply_error(may.failure().message);
    });
  }
  with.approved = mcp::true_member(call->arguments(), "approved");
  if (with.approved && !process.agent_may_approve()) {
    return call->reply_error(
        "the owner's config has approvals.agent: false, so approvals cannot be given here: the owner answers outside "
        "this conversation; get_run shows the outcome");
  }
  with.approval = call->argument("approval_id");
  with.reason = call->argument("reason");
  with.scope = store::scope_of(call->argument("scope")).value_or(store::Scope::kOnce);
  conversation->continue_run(run.id, with);
}

// What the client may see, read on the store's thread; a failure is the answer.
template <typename Read, typename Then>
void read_own(assembly::GatewayProcess& process, const Call& call, Read read, Then then) {
  store::ask_store(
      process.store(), process.executor(),
      [read, principal = call->facts().principal](store::Store& store) {
        return read(store, assembly::OwnThings(store, principal));
      },
      [call, then](auto given) {
        if (!given) return call->reply_error(catalog::without_host_paths(given.failure().message));
        then(std::move(given).value());
      });
}

void continue_run(assembly::GatewayProcess& process, const std::shared_ptr<OpenQuestions>& questions,
                  const Call& call) {
  const auto conversation = std::make_shared<RunConversation>(process, questions, call);
  if (!call->note().empty()) return conversation->resume(call->note());
  read_own(
      process, call,
      [id = std::string(call->argument("run_id"))](store::Store&, assembly::OwnThings own) { return own.run(id); },
      [&process, conversation, call](const store::RunRecord& run) {
        continue_own_run(process, conversation, call, run);
      });
}

void list_runs(assembly::GatewayProcess& process, const Call& call) {
  const auto most =
      static_cast<std::size_t>(std::clamp(mcp::number_member(call->arguments(), "limit").value_or(20), 1.0, 100.0));
  const auto listed = [most, status = std::string(call->argument("status"))](
                          store::Store&, assembly::OwnThings own) -> Result<std::string> {
    const auto of_runs = store::run_status_of(status);
    const auto of_workflows = store::workflow_status_of(status);
    base::ListText runs;
    base::ListText workflows;
    if (status.empty() || of_runs)
      for (const store::RunRecord& run : GLOVEBOX_TRY(own.runs(of_runs, most))) runs.json(run_summary(run));
    if (status.empty() || of_workflows)
      for (const store::WorkflowRecord& record : GLOVEBOX_TRY(own.workflows(of_workflows, most)))
        workflows.json(mcp::json::serialize(workflow::summary_of(record)));
    return ObjectText().json("runs", runs.done()).json("workflows", workflows.done()).done();
  };
  read_own(process, call, listed, [call](const std::string& list) { call->reply(tool_reply(list, list, false)); });
}

struct FoundRun {
  store::RunRecord run;
  std::vector<Artifact> pictures;     // of one that has ended
  gateway::Gateway::Pending pending;  // of one that has not
};

void reply_with_run(assembly::GatewayProcess& process, const Call& call, const FoundRun& found) {
  const store::RunRecord& run = found.run;
  if (store::has_ended(run.status)) {
    gateway::RunEnd end{run.id, run.status, run.outcome, nullptr};
    if (is_gateway(call->facts().principal)) return call->reply(reply_with_details(end));
    if (mcp::true_member(call->arguments(), "detail")) {
      std::vector<std::string> blocks;
      end.outcome_json = without_media(end.outcome_json, blocks);
      return call->reply(reply_with_details(end, "", blocks));
    }
    const Budget budget = budget_of(call, process.config().gateway.answers.result_bytes);
    if (mcp::member(call->arguments(), "path")) return call->reply(reply_with_part(*call, run, budget));
    const std::string state = state_member(run.outcome, [&] { return run.context; });
    const EndWords words{.state = state, .details = "", .artifacts = access_to(found.pictures, *call)};
    return reply_of_end(
               end, [&] { return run.code; }, budget, words)
        .send(*call);
  }
  if (!found.pending.shown.empty()) {
    std::vector<gateway::ApprovalRequest> requests;
    for (const store::ApprovalRecord& approval : found.pending.shown)
      requests.push_back({approval.id, run.id, "", approval.card});
    return call->reply(reply_of_requests(*call, requests, process.agent_may_approve(), found.pending.more));
  }
  std::string summary = run_summary(run);
  if (const auto before = process.gateway().runs_before(run.id))
    summary = ObjectText().members(summary).json("inLine", ObjectText().number("before", *before).done()).done();
  call->reply(tool_reply(summary, summary, false));
}

void get_run(assembly::GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  if (is_workflow_id(id)) return std::make_shared<WorkflowConversation>(process, call)->reply_now(id);
  const auto find = [id, runs = process.gateway().with_called(id)](store::Store& store,
                                                                   assembly::OwnThings own) -> Result<FoundRun> {
    FoundRun found{GLOVEBOX_TRY(own.run(id)), {}, {}};
    const bool has_ended = store::has_ended(found.run.status);
    if (has_ended) found.pictures = stored_pictures(store, id);
    auto pending = has_ended ? gateway::Gateway::Pending{} : gateway::Gateway::pending(store, runs);
    if (pending) found.pending = std::move(pending).value();
    return found;
  };
  read_own(process, call, find, [&process, call](const FoundRun& found) { reply_with_run(process, call, found); });
}

void cancel_run(assembly::GatewayProcess& process, const Call& call) {
  const std::string id(call->argument("run_id"));
  if (is_workflow_id(id)) return call->reply_error("abort a workflow with workflow_command");
  const auto is_own = [id](store::Store&, assembly::OwnThings own) -> Result<bool> {
    const auto run = own.run(id);
    if (!run && run.failure().code != ErrorCode::kNotFound) return run.failure();
    return run.ok();
  };
  const auto answer = [call, id](const Result<bool>& cancelled) {
    if (!cancelled) return call->reply_error(catalog::without_host_paths(cancelled.failure().message));
    if (!cancelled.value()) return call->reply_error("there is no unfinished run " + id + "");
    const std::string structured = ObjectText().text("run_id", id).flag("cancelled", true).done();
    call->reply(tool_reply(structured, id + " is cancelled", false));
  };
  read_own(process, call, is_own,
           [&process, id, answer](bool own) { own ? process.gateway().cancel_run(id, answer) : answer(false); });
}

// More than this is not read in a form.
constexpr std::size_t kMostTrustLines = 30;
constexpr std::size_t kMostTrustLineBytes = 300;

constexpr const char* kTrustSchema =
    R"({"type":"object","properties":{"decision":{"type":"string","title":"Do you trust it?","enum":["trust","no"],)"
    R"("enumNames":["Trust it until this gateway ends","No"]}},"required":["decision"]})";

// Empty where it is too much for a form.
std::string trust_question(const config::ConfigFile& config) {
  const std::vector<std::string> lines = cli::what_is_new(config);
  const auto is_long = [](const std::string& line) { return line.size() > kMostTrustLineBytes; };
  if (lines.empty() || lines.size() > kMostTrustLines || std::any_of(lines.begin(), lines.end(), is_long)) return "";
  std::string all;
  for (const std::string& line : lines) all += base::neutralise(line) + "\n";
  return "The config of this workspace may have come with someone else's repository. It asks for:\n" +
         base::framed(all, {}) + "Programs in it run with your rights.\n" + base::one_line(config.path, 200);
}

}  // namespace

mcp::CallHandler after_trust(assembly::GatewayProcess& process, mcp::CallHandler handler) {
  return [&process, handler = std::move(handler)](const Call& call) {
    if (!call->facts().asks_owner || !call->note().empty()) return handler(call);
    const auto config = process.config_to_agree_to();
    const std::string text = config ? trust_question(*config) : "";
    const mcp::InputRequest question = mcp::elicit_form("workspace-trust", text, kTrustSchema);
    if (text.empty() || !call->can_ask(question)) return handler(call);
    call->ask({question}, [&process, call, handler, config](Result<mcp::Answers, mcp::RpcError> answers) {
      const auto reply = answers ? gateway::form_reply(answers.value().begin()->second) : std::nullopt;
      process.settle_trust_for_now(reply && reply->accepted && reply->decision == "trust" ? config : std::nullopt);
      if (!call->done()) handler(call);
    });
  };
}

Result<gateway::ExecuteRequest> request_of(assembly::GatewayProcess& process, const mcp::ServerCall& call,
                                           const mcp::json::object& arguments) {
  auto request = GLOVEBOX_TRY(gateway::read_execute_request(
      arguments, assembly::sandbox_config_for(process, call.facts().profile), process.config().gateway.check));
  ask_for(request, process, call);
  if (process.gateway().is_draining()) return Failure{ErrorCode::kConflict, std::string(gateway::kShuttingDown)};
  if (const auto refusal = assembly::too_many_runs(process, request)) return Failure{ErrorCode::kConflict, *refusal};
  return request;
}

Result<void> add_product_tools(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  const auto questions = std::make_shared<OpenQuestions>();
  const auto add = [&core](mcp::ToolDefinition definition, mcp::CallHandler handler) {
    return core.add_tool(std::move(definition), std::move(handler));
  };
  const auto conversation_of = [&process, questions](const Call& call) {
    return std::make_shared<RunConversation>(process, questions, call);
  };
  GLOVEBOX_TRY_VOID(add(
      {.name = "execute_code", .input_schema = kExecuteInput, .output_schema = run_reply_schema(), .can_be_task = true},
      after_trust(process, [&process, conversation_of](const Call& call) {
        execute(process, conversation_of(call), call, call->arguments());
      })));
  describe_product_tools(core, process);
  GLOVEBOX_TRY_VOID(add({.name = "call_tool",
                         .description = "Calls one tool, when a program would do nothing else.",
                         .input_schema = kCallInput,
                         .listed_schema = kCallListed,
                         .can_be_task = true},
                        after_trust(process, [&process, conversation_of](const Call& call) {
                          call_tool(process, conversation_of(call), call);
                        })));
  GLOVEBOX_TRY_VOID(add({.name = "continue_run",
                         .description = "Resumes a run that answered approval_required, after the person has "
                                        "decided about one request.",
                         .input_schema = kContinueInput,
                         .listed_schema = kContinueListed,
                         .can_be_task = true},
                        [&process, questions](const Call& call) { continue_run(process, questions, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "list_runs",
                         .description = "Your runs and workflows, the newest first.",
                         .input_schema = kListInput,
                         .listed_schema = kListListed,
                         .annotations = kReadOnly},
                        [&process](const Call& call) { list_runs(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "get_run",
                         .description = "The result of a run or workflow, or what it is waiting for.",
                         .input_schema = kGetInput,
                         .listed_schema = kGetListed,
                         .annotations = kReadOnly},
                        [&process](const Call& call) { get_run(process, call); }));
  GLOVEBOX_TRY_VOID(add({.name = "cancel_run",
                         .description = "Cancels an unfinished run.",
                         .input_schema = kRunIdInput,
                         .listed_schema = kRunIdListed},
                        [&process](const Call& call) { cancel_run(process, call); }));
  if (process.is_server_role()) GLOVEBOX_TRY_VOID(add_report_tool(core, process));
  GLOVEBOX_TRY_VOID(add_artifact_resources(core, process));
  GLOVEBOX_TRY_VOID(add_workflow_tools(core, process));
  GLOVEBOX_TRY_VOID(add_describe_tools(core, process));
  return add_search_tool(core, process);
}

// The agent learns why, but not the command by which the owner agrees.
constexpr const char* kUntrusted =
    " The owner has not yet trusted the config of this workspace, so its servers and grants are off.";

// With more servers than that a model searches anyway.
std::string servers_sentence(const assembly::GatewayProcess& process) {
  constexpr std::size_t kMostNamed = 40;
  std::vector<std::string> names = process.catalog().servers();
  if (names.empty()) return "No server is connected.";
  const std::size_t more = names.size() > kMostNamed ? names.size() - kMostNamed : 0;
  names.resize(names.size() - more);
  return "Servers: " + base::comma_list(names) + (more > 0 ? " and " + std::to_string(more) + " more." : ".");
}

void describe_product_tools(mcp::ServerCore& core, const assembly::GatewayProcess& process) {
  const bool has_remote = !process.config().gateway.remote.empty();
  const std::string properties = ObjectText().members(kExecuteListed).members(has_remote ? kAtListed : "").done();
  core.set_tool_words("execute_code", kExecuteDescription + (" " + servers_sentence(process)),
                      ObjectText().text("type", "object").json("properties", properties).done());
  core.list_changed("tools");
}

std::string product_instructions(const assembly::GatewayProcess& process) {
  return std::string(
             "Glovebox runs code that uses tools. Write one program with execute_code instead of many calls: it "
             "calls tools, filters their results and returns only what you need. Find tools with search_tools.") +
         (process.workspace().untrusted.empty() ? "" : kUntrusted);
}

}  // namespace glovebox::agent_tools
