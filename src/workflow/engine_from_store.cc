// The part of the engine that drives what is in the store: workflows that nobody drives, forks, rollbacks. Whatever
// they are built from is read on the store's thread, in one go.
#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/random.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "gateway/adoption/wake.h"
#include "store/thread/ask_store.h"
#include "workflow/command.h"
#include "workflow/engine.h"
#include "workflow/live/live_workflow.h"
#include "workflow/workflow_trace.h"

namespace glovebox::workflow {
namespace {

// A fork's tasks with its own arguments. Those that have ended at the checkpoint keep theirs.
Result<Definition> with_arguments(const StoredWorkflow& source, const std::map<std::string, json::object>& arguments) {
  Definition definition = source.definition;
  for (const auto& [id, changed] : arguments) {
    const auto is_it = [&wanted = id](const auto& one) { return one.id == wanted; };
    const auto task = std::find_if(definition.tasks.begin(), definition.tasks.end(), is_it);
    if (task == definition.tasks.end()) return Failure{ErrorCode::kNotFound, "there is no task " + id};
    const auto row = std::find_if(source.tasks.begin(), source.tasks.end(), is_it);
    if (row != source.tasks.end() && has_ended(*row)) {
      return Failure{ErrorCode::kConflict, "task " + id + " has ended at checkpoint " +
                                               std::to_string(source.checkpoint) + "; fork from an earlier one"};
    }
    (task->type == Task::Type::kTool ? task->arguments : task->context) = changed;
  }
  // Changed arguments may refer to something that does not exist.
  auto checked = read_definition(json::value(to_json(definition)));
  if (!checked) return Failure{ErrorCode::kInvalidArgument, checked.failure().front().message};
  return std::move(checked).value();
}

Result<StoredWorkflow> read_source(store::Store& store, const ForkRequest& request, std::size_t most_bytes) {
  auto source = GLOVEBOX_TRY(StoredWorkflow::read_at(store, request.workflow, request.checkpoint));
  source.definition = GLOVEBOX_TRY(with_arguments(source, request.arguments));
  source.snapshot.generation = 0;
  source.snapshot.position.paused = false;
  // A decision that was due there is made again; a person's approval is for one time (see LiveWorkflow::make).
  source.snapshot.position.asked = false;
  const auto layer = source.snapshot.position.layer;
  const bool has_layer = !layer || std::any_of(source.tasks.begin(), source.tasks.end(), [&](const auto& row) {
    return static_cast<std::size_t>(row.layer) == *layer;
  });
  if (!has_layer) return Failure{ErrorCode::kConflict, std::string(kOtherPlan)};
  GLOVEBOX_TRY_VOID(source.read_outputs(store, most_bytes));
  return source;
}

Result<store::WorkflowRecord> find_to_roll_back(store::Store& store, const store::WorkflowCommand& command,
                                                std::int64_t checkpoint) {
  const std::string& id = command.workflow;
  GLOVEBOX_TRY(store.state_at(id, checkpoint));
  auto record = GLOVEBOX_TRY(store.find_workflow(id));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + id};
  // A workflow that a person has aborted, or has to examine, is not reopened by an agent.
  const bool for_people =
      record->status == store::WorkflowStatus::kAborted || record->status == store::WorkflowStatus::kDead;
  if (for_people && command.channel == "mcp") {
    return Failure{ErrorCode::kConflict, "workflow " + id + " is " + std::string(store::name_of(record->status)) +
                                             ": a person decides here: glovebox runs rollback " + id};
  }
  return std::move(*record);
}

}  // namespace

// --- what nobody drives

struct WorkflowEngine::Claimed {
  store::WorkflowRecord record;
  Result<StoredWorkflow> stored;

  static Claimed read(store::Store& store, const store::WorkflowRecord& record, std::size_t most_bytes) {
    return {record, StoredWorkflow::read(store, record, most_bytes)};
  }
  // Nothing: it has ended, or another gateway drives it.
  static Result<std::optional<Claimed>> claim(store::Store& store, const std::string& workflow,
                                              const std::string& owner, std::size_t most_bytes) {
    auto record = GLOVEBOX_TRY(store.claim_workflow_by_id(workflow, owner));
    // A request or a poll before this one may have claimed it.
    if (!record) record = GLOVEBOX_TRY(store.find_workflow(workflow));
    if (!record || record->owner != owner || store::has_ended(record->status)) return std::optional<Claimed>();
    return std::optional(read(store, *record, most_bytes));
  }
};

struct WorkflowEngine::Seen {
  Result<std::vector<std::string>> commanded;
  std::vector<Claimed> claimed{};
  bool may_be_more = false;
  std::optional<Failure> failure{};  // of a claim
};

// One is claimed at a time: it may be large, and others wait for the store's thread.
void WorkflowEngine::poll() {
  if (closed_) return;
  if (std::exchange(polls_now_, true)) {
    polls_again_ = true;
    return;
  }
  shared_->store.post([weak = weak_from_this(), executor = shared_->executor, owner = shared_->gateway.owner(),
                       claims = shared_->options.take_all && !draining_, most = shared_->options.most_kept_bytes,
                       unread = std::exchange(claimed_, {})](store::Store& store) {
    if (weak.expired()) return;
    const auto seen = std::make_shared<Seen>(Seen{store.workflows_with_commands(owner)});
    for (const store::WorkflowRecord& record : unread) seen->claimed.push_back(Claimed::read(store, record, most));
    if (claims && seen->commanded) {
      const auto claimed = store.claim_workflow(owner);
      if (!claimed) seen->failure = claimed.failure();
      seen->may_be_more = claimed && *claimed;
      if (seen->may_be_more) seen->claimed.push_back(Claimed::read(store, **claimed, most));
    }
    boost::asio::post(executor, [weak, seen] {
      if (const auto engine = weak.lock()) engine->on_seen(*seen);
    });
  });
}

void WorkflowEngine::on_seen(Seen& seen) {
  polls_now_ = false;
  for (Claimed& claimed : seen.claimed) drive(std::move(claimed));
  if (closed_) return;
  if (!seen.commanded) return shared_->notice(seen.commanded.failure().message);
  if (seen.failure) shared_->notice(seen.failure->message);
  for (const std::string& id : seen.commanded.value()) {
    if (const auto found = live_.find(id); found != live_.end()) found->second->wake_for_commands();
  }
  if (std::exchange(polls_again_, false) || seen.may_be_more) poll();
}

// Of those who have read the same one, the first drives it. What was claimed under a lease that is lost is another
// gateway's.
void WorkflowEngine::drive(Claimed claimed) {
  const store::WorkflowRecord& record = claimed.record;
  if (drives(record.id) || record.owner != shared_->gateway.owner()) return;
  if (closed_ || draining_) return release(record);
  const auto workflow = claimed.stored ? LiveWorkflow::resume(shared_, std::move(claimed.stored).value())
                                       : Result<std::shared_ptr<LiveWorkflow>>(claimed.stored.failure());
  if (workflow) return add_live(record.id, *workflow);
  shared_->notice("workflow " + record.id + " cannot be resumed: " + workflow.failure().message);
  // The store went away right after the claim: the workflow is ours, and no other gateway will resume it.
  if (workflow.failure().code == ErrorCode::kSystem) claimed_.push_back(record);
}

// --- what is asked for

void WorkflowEngine::resume(const std::string& workflow, Resumed done) {
  if (drives(workflow)) return done(true);
  if (const auto may = check_open(); !may) return done(may.failure());
  store::ask_store(
      shared_->store, shared_->executor,
      [workflow, owner = shared_->gateway.owner(),
       most = shared_->options.most_kept_bytes](store::Store& store) -> Result<std::optional<Claimed>> {
        const auto record = GLOVEBOX_TRY(store.find_workflow(workflow));
        if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + workflow};
        if (record->status == store::WorkflowStatus::kDead) GLOVEBOX_TRY(store.reopen_workflow(workflow));
        return Claimed::claim(store, workflow, owner, most);
      },
      [weak = weak_from_this(), workflow, done = std::move(done)](Result<std::optional<Claimed>> claimed) {
        const auto engine = weak.lock();
        if (!engine) return;
        if (!claimed) return done(claimed.failure());
        if (*claimed) engine->drive(std::move(**claimed));
        done(engine->drives(workflow));
      });
}

void WorkflowEngine::fork(const ForkRequest& request, Started done) {
  auto may = check_open();
  if (may) may = check_bytes(request.client);
  if (!may) return done(may.failure());
  store::ask_store(
      shared_->store, shared_->executor,
      [request, most = shared_->options.most_kept_bytes](store::Store& store) {
        return read_source(store, request, most);
      },
      [weak = weak_from_this(), request, done = std::move(done)](Result<StoredWorkflow> source) {
        const auto engine = weak.lock();
        if (!engine) return;
        if (!source) return done(source.failure());
        engine->on_source(request, std::move(source).value(), done);
      });
}

void WorkflowEngine::on_source(const ForkRequest& request, StoredWorkflow source, const Started& done) {
  auto may = check_open();
  // Others may have begun since it was asked for.
  if (may) may = check_bytes(request.client);
  if (!may) return done(may.failure());
  store::WorkflowRecord record;
  record.id = base::random_id("wf_");
  record.created = shared_->options.now();
  record.client = request.client;
  record.session = request.session.empty() ? record.id : request.session;
  record.intent = source.record.intent;
  record.forked_from = request.workflow + "@" + std::to_string(source.checkpoint);
  record.owner = shared_->gateway.owner();
  record.config = config_of("", request.profile);
  Definition definition = std::move(source.definition);
  json::value input = std::move(source.input);
  if (request.input) input = *request.input;
  create(LiveWorkflow::make(shared_, std::move(record), std::move(definition), std::move(input), std::move(source)),
         done);
}

void WorkflowEngine::roll_back(const std::string& workflow, std::int64_t checkpoint, const std::string& who,
                               const std::string& channel, Commanded done) {
  store::WorkflowCommand command;
  command.workflow = workflow;
  command.type = name_of(CommandType::kRollback);
  command.payload = base::ObjectText().number("checkpoint", checkpoint).done();
  command.who = who;
  command.channel = channel;
  command.at = shared_->options.now();
  auto may = drives(workflow) ? Result<void>() : check_open();
  if (may) may = check(command);
  if (!may) return done(may.failure());
  store::ask_store(
      shared_->store, shared_->executor,
      [command, checkpoint](store::Store& store) { return find_to_roll_back(store, command, checkpoint); },
      [weak = weak_from_this(), command, checkpoint,
       done = std::move(done)](const Result<store::WorkflowRecord>& record) {
        const auto engine = weak.lock();
        if (!engine) return;
        if (!record) return done(record.failure());
        engine->add_rollback(command, checkpoint, *record, done);
      });
}

void WorkflowEngine::add_rollback(const store::WorkflowCommand& command, std::int64_t checkpoint,
                                  const store::WorkflowRecord& found, const Commanded& done) {
  const bool had_ended = store::has_ended(found.status);
  auto may = drives(command.workflow) ? Result<void>() : check_open();
  if (may && had_ended) may = check_bytes(found.client);
  if (!may) return done(may.failure());
  struct Added {
    std::int64_t number;
    std::optional<Claimed> claimed;
  };
  // Added before it is driven, so that nothing else happens first.
  const auto add = [command, checkpoint, had_ended, is_driven = drives(command.workflow),
                    owner = shared_->gateway.owner(), folder = shared_->options.state_folder,
                    most_unended = shared_->gateway.waiting_per_client(),
                    most_kept = shared_->options.most_kept_bytes](store::Store& store) -> Result<Added> {
    const std::string& id = command.workflow;
    const auto record = GLOVEBOX_TRY(find_to_roll_back(store, command, checkpoint));
    const bool has_ended = store::has_ended(record.status);
    if (has_ended) {
      // Whether it has room was not asked.
      if (!had_ended) return Failure{ErrorCode::kConflict, "workflow " + id + " has just ended; try again"};
      GLOVEBOX_TRY_VOID(check_number(store, record.client, most_unended));
      GLOVEBOX_TRY(store.reopen_workflow(id));
    }
    const std::int64_t number = GLOVEBOX_TRY(store.add_command(command));
    if (!record.owner.empty() && record.owner != owner) gateway::wake_gateway(folder, record.owner);
    if (is_driven && !has_ended) return Added{number, std::nullopt};
    return Added{number, GLOVEBOX_TRY(Claimed::claim(store, id, owner, most_kept))};
  };
  store::ask_store(shared_->store, shared_->executor, add,
                   [weak = weak_from_this(), workflow = command.workflow, done](Result<Added> added) {
                     if (!added) return done(added.failure());
                     const auto engine = weak.lock();
                     if (!engine) return done({});
                     if (added->claimed) engine->drive(std::move(*added->claimed));
                     engine->obey(workflow, added->number, done);
                   });
}

}  // namespace glovebox::workflow
