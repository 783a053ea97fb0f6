#include "agent_tools/workflow_tools.h"

#include <set>

#include "agent_tools/product_tools.h"
#include "agent_tools/run_reply.h"
#include "agent_tools/workflow_conversation.h"
#include "assembly/own_things.h"
#include "assembly/views/workflow_branches.h"
#include "base/try.h"
#include "store/thread/ask_store.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;

// Of their clients, at the start.
constexpr std::size_t kMostWorkflowsRead = 10'000;

constexpr const char* kRunDescription =
    "Runs a whole plan: tasks that are tools or code, with dependencies. Independent tasks run side by side, layer by "
    "layer; every step is stored, so the workflow survives a crash and waits for people as long as necessary. A task: "
    "{id, type: \"mcp_tool\", tool: \"server:tool\", arguments} or {id, type: \"code_execution\", code, context}, with "
    "dependencies: [ids]. Arguments refer to earlier outputs: \"$OUTPUT[fetch].items\", or to the input: "
    "\"$INPUT.city\". "
    "Code reads deps.<id>.output and deps.<id>.status. With decisions: \"agent\" it stops after each layer and answers "
    "layer_complete; continue it with workflow_command.";

constexpr const char* kRunInput =
    R"({"type":"object","properties":{)"
    R"("workflow":{"type":"object","description":"{name?, intent?, concurrency?, decisions?, context?, tasks: [...]}",)"
    R"("properties":{"tasks":{"type":"array","items":{"type":"object"}}},"required":["tasks"]},)"
    R"("input":{"description":"JSON that $INPUT and context.input refer to"},)"
    R"("wait":{"type":"boolean","default":true,"description":"false: answers at once with workflow_id; poll with )"
    R"(get_run"})"
    R"(},"required":["workflow"],"additionalProperties":false})";

constexpr const char* kCommandInput =
    R"({"type":"object","properties":{"workflow_id":{"type":"string"},)"
    R"("command":{"type":"string","enum":["continue","abort","pause","skip_layer","modify_args","inject_tasks",)"
    R"("replan_dag","approval_response","rollback","fork"],"description":"continue: after a layer or a pause; )"
    R"(skip_layer: the next; )"
    R"(modify_args: task and arguments of one that is pending; inject_tasks: more tasks; replan_dag: tasks )"
    R"(instead of all )"
    R"(that are pending; approval_response: what a person decided; rollback: to a checkpoint, where it is paused; )"
    R"(fork: )"
    R"(another workflow from a checkpoint (the last), with other args or input. get_run lists checkpoints"},)"
    R"("checkpoint":{"type":"integer","minimum":1},"args":{"type":"object","additionalProperties":{"type":"object"},)"
    R"("description":"fork: arguments by task, of tasks that have not ended there"},"input":{"description":"fork: )"
    R"(another input"},)"
    R"("task":{"type":"string"},"arguments":{"type":"object"},"tasks":{"type":"array","items":{"type":"object"}},)"
    R"("approval":{"type":"string"},"approved":{"type":"boolean","description":"What the person decided. Never decide )"
    R"(it yourself"},"decision":{"type":"string","enum":["retry","skip","fail","done"],"description":"about a task )"
    R"(whose outcome is unknown; done: it took effect, and returned this output"},"output":{"description":"with )"
    R"(done"},)"
    R"("scope":{"type":"string","enum":["once","run","session"]},"reason":{"type":"string"},)"
    R"("wait":{"type":"boolean","default":true}},"required":["workflow_id","command"],"additionalProperties":false})";

void run_workflow(assembly::GatewayProcess& process, const Call& call, std::function<void()> on_started) {
  const auto conversation = std::make_shared<WorkflowConversation>(process, call);
  if (!call->note().empty()) return conversation->follow(call->note(), true);
  if (process.gateway().is_draining()) return call->reply(reply_of_shutdown());
  conversation->start(call->arguments(), std::move(on_started));
}

bool says_yes(const Call& call) {
  return call->argument("command") == "approval_response" &&
         (mcp::true_member(call->arguments(), "approved") || mcp::member(call->arguments(), "decision"));
}

void direct_workflow(assembly::GatewayProcess& process, const Call& call, const std::string& id) {
  const auto conversation = std::make_shared<WorkflowConversation>(process, call);
  const std::string type(call->argument("command"));
  const bool can_ask = call->can_ask(mcp::elicit_form("workflow", "", R"({"type":"object","properties":{}})"));
  // Where the person can be asked in a way that the model has no hand in, they are; a denial is accepted from either.
  if (can_ask && says_yes(call)) return conversation->follow(id, true);
  if (says_yes(call) && !process.agent_may_approve()) {
    return call->reply_error("the owner's config has approvals.agent: false, so only the owner can answer this");
  }
  mcp::json::object payload = call->arguments();
  for (const char* key : {"workflow_id", "command", "wait"}) payload.erase(key);
  const std::string who = call->facts().principal;
  const bool waits = !mcp::member(call->arguments(), "wait") || mcp::true_member(call->arguments(), "wait");
  if (type == "fork") {
    return assembly::fork_workflow(process.workflows(), id, payload, who,
                                   process.gateway().session_of(assembly::asker_of(*call)), call->facts().profile,
                                   [conversation, call, waits](const Result<std::string>& forked) {
                                     if (!forked) return call->reply_error(forked.failure().message);
                                     waits ? conversation->follow(*forked, false) : conversation->reply_now(*forked);
                                   });
  }
  const auto then = [conversation, call, id](bool follows, const Result<void>& given) {
    if (!given) return call->reply_error(given.failure().message);
    follows ? conversation->follow(id, false) : conversation->reply_now(id);
  };
  if (type == "rollback") {
    return assembly::roll_back_workflow(process.workflows(), id, payload, who, "mcp",
                                        [then](const Result<void>& back) { then(false, back); });
  }
  store::WorkflowCommand command;
  command.workflow = id;
  command.type = type;
  command.payload = mcp::json::serialize(payload);
  command.who = who;
  command.channel = "mcp";
  if (process.workflows().has_strange_tokens(command, call->facts().conversation)) {
    return call->reply_error("The workflow comes from another conversation, so these tokens are unknown here.");
  }
  const bool changes_only = type == "pause" || type == "modify_args" || type == "inject_tasks" || type == "replan_dag";
  process.workflows().command(std::move(command), [then, follows = waits && !changes_only](const Result<void>& given) {
    then(follows, given);
  });
}

void workflow_command(assembly::GatewayProcess& process, const Call& call) {
  if (!call->note().empty()) {
    return std::make_shared<WorkflowConversation>(process, call)->follow(call->note(), true);
  }
  const std::string id(call->argument("workflow_id"));
  store::ask_store(
      process.store(), process.executor(),
      [id, principal = call->facts().principal](store::Store& store) -> Result<std::string> {
        return GLOVEBOX_TRY(assembly::OwnThings(store, principal).workflow(id)).session;
      },
      [&process, call, id](const Result<std::string>& session) {
        if (!session) return call->reply_error(session.failure().message);
        if (!says_yes(call)) return direct_workflow(process, call, id);
        process.gateway().check_answerer(*session, assembly::asker_of(*call),
                                         [&process, call, id](const Result<void>& may) {
                                           if (!may) return call->reply_error(may.failure().message);
                                           direct_workflow(process, call, id);
                                         });
      });
}

// Clients that have workflows. Every list of tools asks, and must not wait for the store.
Result<std::set<std::string>> workflow_clients(store::Store& store) {
  std::set<std::string> clients;
  for (const auto& record : GLOVEBOX_TRY(store.list_workflows(std::nullopt, kMostWorkflowsRead)))
    if (!record.client.empty()) clients.insert(record.client);
  return clients;
}

}  // namespace

bool is_workflow_id(std::string_view id) {
  return id.starts_with("wf_");
}

Result<void> add_workflow_tools(mcp::ServerCore& core, assembly::GatewayProcess& process) {
  const auto clients = std::make_shared<std::set<std::string>>(GLOVEBOX_TRY(workflow_clients(process.store())));
  // Few agents need them, and all would pay for their words.
  const auto is_listed = [&process, &core, clients](const mcp::ServerCall& call) {
    const std::string& client = call.facts().principal;
    if (process.config().gateway.answers.workflow_tools || clients->contains(client)) return true;
    // Another gateway may have begun one.
    store::ask_store(
        process.store(), process.executor(),
        [client](store::Store& store) { return assembly::OwnThings(store, client).workflows(std::nullopt, 1); },
        [&core, clients, client](const Result<std::vector<store::WorkflowRecord>>& own) {
          if (own && !own->empty() && clients->insert(client).second) core.list_changed("tools");
        });
    return false;
  };
  const auto run = [&process, &core, clients, is_listed](const Call& call) {
    run_workflow(process, call, [&core, clients, was_listed = is_listed(*call), client = call->facts().principal] {
      if (!client.empty()) clients->insert(client);
      if (!was_listed) core.list_changed("tools");
    });
  };
  GLOVEBOX_TRY_VOID(core.add_tool({.name = "run_workflow",
                                   .description = kRunDescription,
                                   .title = "Run a workflow",
                                   .input_schema = kRunInput,
                                   .is_listed = is_listed},
                                  after_trust(process, run)));
  return core.add_tool(
      {.name = "workflow_command",
       .description = "Directs a workflow that is waiting or running. After modify_args, inject_tasks and replan_dag, "
                      "continue it. Answers like run_workflow.",
       .title = "Direct a workflow",
       .input_schema = kCommandInput,
       .is_listed = is_listed},
      [&process](const Call& call) { workflow_command(process, call); });
}

}  // namespace glovebox::agent_tools
