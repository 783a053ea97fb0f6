#include "workflow/engine.h"

#include <boost/asio/post.hpp>
#include <set>

#include "base/random.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/wake.h"
#include "gateway/privacy/run_privacy.h"
#include "mcp/json/json_tree.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"
#include "workflow/command.h"
#include "workflow/definition/tool_check.h"
#include "workflow/live/live_workflow.h"
#include "workflow/live/task_request.h"
#include "workflow/snapshot.h"
#include "workflow/workflow_trace.h"

namespace glovebox::workflow {
namespace {

// On the store's thread, which others wait for.
constexpr std::size_t kMostClaimedAtOnce = 16;

json::value parse_own(const std::string& text) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  auto tree = json::parse(text, wrong, {}, options);
  return wrong ? json::value() : tree;
}

}  // namespace

WorkflowEngine::WorkflowEngine(boost::asio::any_io_executor executor, store::Store& store, gateway::Gateway& gateway,
                               catalog::ToolSource& tools, EngineOptions options)
    : shared_(std::make_shared<Shared>(Shared{executor, store, gateway, tools, std::move(options), {}})),
      poll_timer_(executor) {
  const std::size_t most = shared_->options.most_kept_bytes;
  shared_->kept = std::make_shared<base::ByteShares>(base::ByteShares::Limits{.holder = most, .all = 2 * most});
  const std::size_t stored = shared_->options.most_stored_bytes;
  shared_->stored = std::make_shared<base::ByteShares>(base::ByteShares::Limits{.holder = stored, .all = 4 * stored});
  if (!shared_->options.now) shared_->options.now = base::now_ms;
}

std::shared_ptr<WorkflowEngine> WorkflowEngine::open(boost::asio::any_io_executor executor, store::Store& store,
                                                     gateway::Gateway& gateway, catalog::ToolSource& tools,
                                                     EngineOptions options) {
  std::shared_ptr<WorkflowEngine> engine(
      new WorkflowEngine(std::move(executor), store, gateway, tools, std::move(options)));
  engine->poll();
  engine->poll_regularly();
  return engine;
}

WorkflowEngine::~WorkflowEngine() {
  close();
}

void WorkflowEngine::close() {
  if (std::exchange(closed_, true)) return;
  poll_timer_.cancel();
  // Files that are being put in place are in place before another gateway may drive their workflow.
  shared_->disk->wait_for_posted();
  const auto live = std::exchange(live_, {});
  for (const auto& [id, workflow] : live) workflow->leave();
  release(std::exchange(claimed_, {}));
}

void WorkflowEngine::release(const std::vector<store::WorkflowRecord>& records) {
  const store::DirectCalls direct;
  for (const store::WorkflowRecord& record : records) {
    (void)shared_->store.release_workflow({record.id, record.owner, record.epoch}).ok();
  }
}

void WorkflowEngine::lost_lease() {
  const auto live = std::exchange(live_, {});
  for (const auto& [id, workflow] : live) workflow->lose("this gateway was declared dead");
}

void WorkflowEngine::poll_regularly() {
  poll_timer_.expires_after(shared_->options.poll);
  poll_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto engine = weak.lock();
    if (error || !engine || engine->closed_) return;
    engine->poll();
    engine->poll_regularly();
  });
}

struct WorkflowEngine::Seen {
  Result<std::vector<std::string>> commanded;
  std::vector<store::WorkflowRecord> claimed{};
  std::optional<Failure> failure{};  // of a claim
};

void WorkflowEngine::poll() {
  if (closed_) return;
  if (std::exchange(polls_now_, true)) {
    polls_again_ = true;
    return;
  }
  const bool claims = shared_->options.take_all && !draining_;
  shared_->store.post([weak = weak_from_this(), executor = shared_->executor, owner = shared_->gateway.owner(),
                       claims](store::Store& store) {
    if (weak.expired()) return;
    const auto seen = std::make_shared<Seen>(Seen{store.workflows_with_commands(owner)});
    while (claims && seen->commanded && seen->claimed.size() < kMostClaimedAtOnce) {
      auto claimed = store.claim_workflow(owner);
      if (!claimed) seen->failure = claimed.failure();
      if (!claimed || !claimed.value()) break;
      seen->claimed.push_back(std::move(*claimed.value()));
    }
    boost::asio::post(executor, [weak, seen] {
      if (const auto engine = weak.lock()) engine->on_seen(*seen);
    });
  });
}

void WorkflowEngine::on_seen(Seen& seen) {
  polls_now_ = false;
  for (store::WorkflowRecord& record : seen.claimed) claimed_.push_back(std::move(record));
  if (closed_ || draining_) release(std::exchange(claimed_, {}));
  if (closed_) return;
  if (!seen.commanded) return shared_->notice(seen.commanded.failure().message);
  if (seen.failure) shared_->notice(seen.failure->message);
  for (const std::string& id : seen.commanded.value()) {
    if (const auto found = live_.find(id); found != live_.end()) found->second->wake_for_commands();
  }
  for (const store::WorkflowRecord& record : std::exchange(claimed_, {})) drive(record);
  const bool may_be_more = seen.claimed.size() == kMostClaimedAtOnce;
  if (std::exchange(polls_again_, false) || may_be_more) poll();
}

void WorkflowEngine::drive(const store::WorkflowRecord& record) {
  if (drives(record.id)) return;
  const store::DirectCalls direct;
  auto workflow = LiveWorkflow::resume(shared_, record);
  if (workflow) return add_live(record.id, std::move(workflow).value());
  shared_->notice(workflow.failure().message);
  // The store went away right after the claim: the workflow is ours, and no other gateway will resume it.
  if (workflow.failure().code == ErrorCode::kSystem) claimed_.push_back(record);
}

void WorkflowEngine::add_live(const std::string& id, std::shared_ptr<LiveWorkflow> workflow) {
  live_[id] = workflow;
  workflow->begin([weak = weak_from_this(), id] {
    const auto engine = weak.lock();
    if (!engine) return;
    engine->live_.erase(id);
    engine->shared_->privacy.erase(id);
  });
}

void WorkflowEngine::validate(json::value tree, std::function<void(Result<Definition, Problems>)> done) {
  auto read = read_definition(tree);
  if (!read) {
    return boost::asio::post(shared_->executor,
                             [done = std::move(done), problems = std::move(read).failure()] { done(problems); });
  }
  auto definition = std::make_shared<Definition>(std::move(read).value());
  Problems problems;
  for (std::size_t i = 0; i < definition->tasks.size(); ++i) {
    const Task& task = definition->tasks[i];
    const std::string at = "/tasks/" + std::to_string(i);
    const auto config = shared_->options.sandbox_config(task.sandbox_config, language_of(task));
    if (!config) {
      problems.push_back({at + "/sandbox_config", config.failure().message});
    } else if (task.type == Task::Type::kCode && task.retry.attempts > 1) {
      const TaskGrants grants = grants_of(config->config);
      if (grants.acts || task.side_effects) {
        problems.push_back(
            {at + "/retry", "code that may run commands, may use the network or declares side effects is not retried"});
      }
    }
  }
  auto finish = [done = std::move(done), definition, problems](std::vector<Task> tasks, Problems more) {
    Problems all = problems;
    all.insert(all.end(), more.begin(), more.end());
    if (!all.empty()) return done(all);
    definition->tasks = std::move(tasks);
    done(std::move(*definition));
  };
  const bool any = std::any_of(definition->tasks.begin(), definition->tasks.end(),
                               [](const Task& task) { return task.type == Task::Type::kTool; });
  if (any) return check_tools(shared_->tools, shared_->gateway, definition->tasks, "/tasks", std::move(finish));
  boost::asio::post(shared_->executor, [finish, definition] { finish(definition->tasks, {}); });
}

std::shared_ptr<gateway::RunPrivacy> WorkflowEngine::Shared::privacy_of(const std::string& workflow) {
  auto& known = privacy[workflow];
  if (!known) known = gateway.privacy_of_strangers();
  return known;
}

bool WorkflowEngine::has_strange_tokens(const store::WorkflowCommand& command, const std::string& conversation) const {
  const auto own = shared_->gateway.privacy_in(conversation);
  if (!own || own->tokens_in(command.payload).empty()) return false;
  const auto theirs = shared_->privacy.find(command.workflow);
  return theirs == shared_->privacy.end() || theirs->second->conversation() != conversation;
}

Result<void> WorkflowEngine::check_open() const {
  if (closed_) return Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"};
  if (draining_) return Failure{ErrorCode::kSandboxUnavailable, std::string(gateway::kShuttingDown)};
  return {};
}

Result<void> WorkflowEngine::check_room(const std::string& client) const {
  GLOVEBOX_TRY_VOID(check_bytes(client));
  return check_number(shared_->store, client, shared_->gateway.waiting_per_client());
}

Result<void> WorkflowEngine::check_bytes(const std::string& client) const {
  if (shared_->stored->has_room(std::string(gateway::authenticated_part(client)), kLeastStoreRoom)) return {};
  return Failure{ErrorCode::kConflict,
                 "the workflows of this client that have not ended have as much in the store as it may have: wait for "
                 "one to end, or abort one"};
}

Result<void> WorkflowEngine::check_number(store::Store& store, const std::string& client,
                                          std::optional<std::size_t> most) {
  const std::string holder(gateway::authenticated_part(client));
  if (!most || GLOVEBOX_TRY(store.unended_workflows_of(holder)) < *most) return {};
  return Failure{ErrorCode::kConflict, "this client has " + std::to_string(*most) +
                                           " workflows that have not ended, which is all that "
                                           "limits.waitingRunsPerClient allows it: wait for one to end, or abort one"};
}

void WorkflowEngine::start(StartRequest request, Started done) {
  auto may = check_open();
  if (may) may = check_bytes(request.client);
  if (!may) return done(may.failure());
  store::WorkflowRecord record;
  record.id = base::random_id("wf_");
  record.created = shared_->options.now();
  record.client = std::move(request.client);
  record.session = request.session.empty() ? record.id : std::move(request.session);
  record.intent = request.definition.intent.empty() ? request.definition.name : request.definition.intent;
  record.forked_from = std::move(request.forked_from);
  record.owner = shared_->gateway.owner();
  record.config = config_of(request.traceparent, request.profile);
  const std::string id = record.id;
  const std::string client = record.client;
  const auto made = LiveWorkflow::make(shared_, std::move(record), std::move(request.definition),
                                       std::move(request.input), std::nullopt);
  if (!made) return done(made.failure());
  if (request.privacy) shared_->privacy[id] = std::move(request.privacy);
  store::ask_store(
      shared_->store, shared_->executor,
      [client, most = shared_->gateway.waiting_per_client(),
       create = made.value()->creation()](store::Store& store) -> Result<store::Fence> {
        GLOVEBOX_TRY_VOID(check_number(store, client, most));
        return create(store);
      },
      [weak = weak_from_this(), workflow = made.value(), id,
       done = std::move(done)](const Result<store::Fence>& fence) {
        if (const auto engine = weak.lock()) engine->on_created(workflow, id, fence, done);
      });
}

void WorkflowEngine::on_created(const std::shared_ptr<LiveWorkflow>& workflow, const std::string& id,
                                const Result<store::Fence>& fence, const Started& done) {
  if (!fence) {
    shared_->privacy.erase(id);
    return done(fence.failure());
  }
  workflow->created(*fence);
  // The next gateway drives it.
  if (closed_) workflow->leave();
  if (closed_) return done(check_open().failure());
  add_live(id, workflow);
  if (draining_) workflow->drain(nullptr);
  done(id);
}

Result<std::string> WorkflowEngine::fork(const ForkRequest& request) {
  const store::DirectCalls direct;
  GLOVEBOX_TRY_VOID(check_open());
  GLOVEBOX_TRY_VOID(check_room(request.client));
  const auto source = GLOVEBOX_TRY(shared_->store.find_workflow(request.workflow));
  if (!source) return Failure{ErrorCode::kNotFound, "there is no workflow " + request.workflow};
  const std::int64_t checkpoint = request.checkpoint > 0 ? request.checkpoint : source->last_checkpoint;
  LiveWorkflow::Beginning beginning;
  beginning.snapshot = GLOVEBOX_TRY(snapshot_of(GLOVEBOX_TRY(shared_->store.state_at(request.workflow, checkpoint))));
  beginning.snapshot.generation = 0;
  beginning.snapshot.position.paused = false;
  // A decision that was due there is made again; a person's approval is for one time (see LiveWorkflow::make).
  beginning.snapshot.position.asked = false;
  auto definition = read_definition(parse_own(source->definition), Origin::kStored);
  if (!definition) return Failure{ErrorCode::kProtocol, "the store is damaged: the workflow cannot be read"};
  std::set<std::string> ended;
  for (const json::value& item : beginning.snapshot.state.tasks) {
    // Code may have noted something about a task that has no status yet.
    const auto status = mcp::string_member(item.get_object(), "status");
    const auto known = status ? task_status_named(*status) : std::nullopt;
    if (known && has_ended(*known)) ended.insert(mcp::string_member(item.get_object(), "id").value_or(""));
  }
  for (const auto& [id, arguments] : request.arguments) {
    const auto task = std::find_if(definition->tasks.begin(), definition->tasks.end(),
                                   [&, &wanted = id](const Task& known) { return known.id == wanted; });
    if (task == definition->tasks.end()) return Failure{ErrorCode::kNotFound, "there is no task " + id};
    if (ended.contains(id)) {
      return Failure{ErrorCode::kConflict, "task " + id + " has ended at checkpoint " + std::to_string(checkpoint) +
                                               "; fork from an earlier one"};
    }
    (task->type == Task::Type::kTool ? task->arguments : task->context) = arguments;
  }
  // Changed arguments may refer to something that does not exist.
  auto checked = read_definition(json::value(to_json(definition.value())));
  if (!checked) return Failure{ErrorCode::kInvalidArgument, checked.failure().front().message};
  beginning.workflow = request.workflow;
  for (store::TaskRecord& row :
       GLOVEBOX_TRY(shared_->store.workflow_tasks(request.workflow, store::Store::Outputs::kNone))) {
    if (ended.contains(row.id)) {
      beginning.tasks.push_back(std::move(row));
    } else {
      // An injected task keeps its layer, which its dependencies alone would not give it.
      store::TaskRecord pending;
      pending.id = row.id;
      pending.layer = row.layer;
      pending.status = name_of(TaskStatus::kPending);
      beginning.tasks.push_back(std::move(pending));
    }
  }
  const auto layer = beginning.snapshot.position.layer;
  const bool has_layer = !layer || std::any_of(beginning.tasks.begin(), beginning.tasks.end(), [&](const auto& row) {
    return static_cast<std::size_t>(row.layer) == *layer;
  });
  if (!has_layer) return Failure{ErrorCode::kConflict, std::string(kOtherPlan)};
  store::WorkflowRecord record;
  record.id = base::random_id("wf_");
  record.created = shared_->options.now();
  record.client = request.client;
  record.session = request.session.empty() ? record.id : request.session;
  record.intent = source->intent;
  record.forked_from = request.workflow + "@" + std::to_string(checkpoint);
  record.owner = shared_->gateway.owner();
  record.config = config_of("", request.profile);
  const std::string id = record.id;
  const auto workflow =
      GLOVEBOX_TRY(LiveWorkflow::make(shared_, std::move(record), std::move(checked).value(),
                                      request.input ? *request.input : parse_own(source->input), std::move(beginning)));
  workflow->created(GLOVEBOX_TRY(workflow->creation()(shared_->store)));
  add_live(id, workflow);
  return id;
}

Result<bool> WorkflowEngine::resume(const std::string& workflow) {
  if (drives(workflow)) return true;
  const store::DirectCalls direct;
  GLOVEBOX_TRY_VOID(check_open());
  const auto record = GLOVEBOX_TRY(shared_->store.find_workflow(workflow));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + workflow};
  if (record->status == store::WorkflowStatus::kDead) GLOVEBOX_TRY(shared_->store.reopen_workflow(workflow));
  auto claimed = GLOVEBOX_TRY(shared_->store.claim_workflow_by_id(workflow, shared_->gateway.owner()));
  // A poll of ours may have claimed it on the store's thread without our having seen the result yet.
  if (!claimed) claimed = GLOVEBOX_TRY(shared_->store.find_workflow(workflow));
  if (!claimed || claimed->owner != shared_->gateway.owner()) return false;
  drive(*claimed);
  return drives(workflow);
}

Result<void> WorkflowEngine::check(const store::WorkflowCommand& command) const {
  const auto type = command_named(command.type);
  if (!type) return Failure{ErrorCode::kInvalidArgument, "there is no command " + command.type};
  GLOVEBOX_TRY(check_payload(*type, command.payload));
  const auto live = live_.find(command.workflow);
  return live == live_.end() ? Result<void>() : live->second->check(command);
}

void WorkflowEngine::command(store::WorkflowCommand command, Commanded done) {
  if (const auto checked = check(command); !checked) return done(checked.failure());
  command.at = shared_->options.now();
  const std::string id = command.workflow;
  store::ask_store(
      shared_->store, shared_->executor,
      [command = std::move(command), is_ours = drives(id),
       folder = shared_->options.state_folder](store::Store& store) -> Result<std::int64_t> {
        const std::int64_t number = GLOVEBOX_TRY(store.add_command(command));
        if (is_ours) return number;
        const auto record = GLOVEBOX_TRY(store.find_workflow(command.workflow));
        if (record && !record->owner.empty()) gateway::wake_gateway(folder, record->owner);
        return number;
      },
      [weak = weak_from_this(), id, done = std::move(done)](const Result<std::int64_t>& added) {
        if (!added) return done(added.failure());
        const auto engine = weak.lock();
        engine ? engine->obey(id, *added, done) : done({});
      });
}

// What was added to the store.
void WorkflowEngine::obey(const std::string& workflow, std::int64_t command, Commanded done) {
  const auto found = live_.find(workflow);
  if (found != live_.end()) return found->second->obey(command, std::move(done));
  poll();
  done({});
}

Result<WorkflowEngine::CarriedOut> WorkflowEngine::carry_out(store::WorkflowCommand command) {
  const auto type = command_named(command.type);
  if (!type) return Failure{ErrorCode::kInvalidArgument, "there is no command " + command.type};
  GLOVEBOX_TRY(check_payload(*type, command.payload));
  command.at = shared_->options.now();
  const auto claimed = GLOVEBOX_TRY(shared_->store.claim_workflow_by_id(command.workflow, shared_->gateway.owner()));
  if (!claimed) {
    const std::int64_t number = GLOVEBOX_TRY(shared_->store.add_command(command));
    const auto record = GLOVEBOX_TRY(shared_->store.find_workflow(command.workflow));
    if (record && !record->owner.empty()) gateway::wake_gateway(shared_->options.state_folder, record->owner);
    return CarriedOut{number, false};
  }
  const auto workflow = GLOVEBOX_TRY(LiveWorkflow::resume(shared_, *claimed));
  const auto makes_sense = workflow->check(command);
  const auto number = makes_sense ? shared_->store.add_command(command) : Result<std::int64_t>(makes_sense.failure());
  if (!number || *type != CommandType::kAbort) {
    workflow->obey_and_leave();
  } else {
    add_live(command.workflow, workflow);
  }
  if (!number) return number.failure();
  return CarriedOut{number.value(), true};
}

void WorkflowEngine::drain(const std::string& workflow, std::function<void()> then) {
  const auto found = live_.find(workflow);
  if (found == live_.end()) return boost::asio::post(shared_->executor, std::move(then));
  found->second->drain(std::move(then));
}

void WorkflowEngine::drain() {
  draining_ = true;
  for (const auto& [id, workflow] : live_) workflow->drain(nullptr);
}

bool WorkflowEngine::is_at_rest() const {
  return std::all_of(live_.begin(), live_.end(), [](const auto& item) { return item.second->is_at_rest(); });
}

// Added before it is driven, so that nothing else happens first.
Result<std::int64_t> WorkflowEngine::add_rollback(const store::WorkflowCommand& command, std::int64_t checkpoint) {
  const std::string& workflow = command.workflow;
  GLOVEBOX_TRY(shared_->store.state_at(workflow, checkpoint));
  const auto record = GLOVEBOX_TRY(shared_->store.find_workflow(workflow));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + workflow};
  // A workflow that a person has aborted, or has to examine, is not reopened by an agent.
  const bool for_people =
      record->status == store::WorkflowStatus::kAborted || record->status == store::WorkflowStatus::kDead;
  if (for_people && command.channel == "mcp") {
    return Failure{ErrorCode::kConflict, "workflow " + workflow + " is " + std::string(store::name_of(record->status)) +
                                             ": a person decides here: glovebox runs rollback " + workflow};
  }
  if (store::has_ended(record->status)) {
    GLOVEBOX_TRY_VOID(check_room(record->client));
    GLOVEBOX_TRY(shared_->store.reopen_workflow(workflow));
  }
  GLOVEBOX_TRY_VOID(check(command));
  const std::int64_t number = GLOVEBOX_TRY(shared_->store.add_command(command));
  if (!record->owner.empty() && !drives(workflow)) gateway::wake_gateway(shared_->options.state_folder, record->owner);
  GLOVEBOX_TRY(resume(workflow));
  return number;
}

void WorkflowEngine::roll_back(const std::string& workflow, std::int64_t checkpoint, const std::string& who,
                               const std::string& channel, Commanded done) {
  const store::DirectCalls direct;
  store::WorkflowCommand command;
  command.workflow = workflow;
  command.type = name_of(CommandType::kRollback);
  command.payload = base::ObjectText().number("checkpoint", checkpoint).done();
  command.who = who;
  command.channel = channel;
  command.at = shared_->options.now();
  const auto added = add_rollback(command, checkpoint);
  if (!added) return done(added.failure());
  obey(workflow, *added, std::move(done));
}

std::shared_ptr<EventFeed> WorkflowEngine::follow(const std::string& workflow, std::int64_t after, OnEvent on_event) {
  auto feed = std::make_shared<EventFeed>(shared_->executor, shared_->store, workflow, after, std::move(on_event));
  shared_->feeds.add(feed);
  feed->poll_regularly(shared_->options.poll);
  return feed;
}

Result<std::optional<store::WorkflowRecord>> WorkflowEngine::find(const std::string& workflow) {
  return shared_->store.find_workflow(workflow);
}

Result<std::vector<store::WorkflowRecord>> WorkflowEngine::list(std::optional<store::WorkflowStatus> status,
                                                                std::size_t most, const std::string& client) {
  return shared_->store.list_workflows(status, most, client);
}

}  // namespace glovebox::workflow
