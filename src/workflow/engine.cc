#include "workflow/engine.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/random.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/wake.h"
#include "gateway/privacy/run_privacy.h"
#include "store/thread/ask_store.h"
#include "workflow/command.h"
#include "workflow/definition/tool_check.h"
#include "workflow/live/live_workflow.h"
#include "workflow/live/task_request.h"
#include "workflow/workflow_trace.h"

namespace glovebox::workflow {

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
  for (const store::WorkflowRecord& record : std::exchange(claimed_, {})) release(record);
}

void WorkflowEngine::release(const store::WorkflowRecord& record) {
  const store::Fence fence{record.id, record.owner, record.epoch};
  shared_->store.post_write([fence](store::Store& store) { return store.release_workflow(fence); }, nullptr);
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
  const auto made = LiveWorkflow::make(shared_, std::move(record), std::move(request.definition),
                                       std::move(request.input), std::nullopt);
  if (made && request.privacy) shared_->privacy[id] = std::move(request.privacy);
  create(made, done);
}

// Writes it to the store, and drives it once it is there.
void WorkflowEngine::create(const Result<std::shared_ptr<LiveWorkflow>>& made, const Started& done) {
  if (!made) return done(made.failure());
  store::ask_store(
      shared_->store, shared_->executor,
      [client = (*made)->client(), most = shared_->gateway.waiting_per_client(),
       create = (*made)->creation()](store::Store& store) -> Result<store::Fence> {
        GLOVEBOX_TRY_VOID(check_number(store, client, most));
        return create(store);
      },
      [weak = weak_from_this(), workflow = *made, done](const Result<store::Fence>& fence) {
        if (const auto engine = weak.lock()) engine->on_created(workflow, fence, done);
      });
}

void WorkflowEngine::on_created(const std::shared_ptr<LiveWorkflow>& workflow, const Result<store::Fence>& fence,
                                const Started& done) {
  if (!fence) {
    shared_->privacy.erase(workflow->id());
    return done(fence.failure());
  }
  workflow->created(*fence);
  // The next gateway drives it.
  if (closed_) workflow->leave();
  if (closed_) return done(check_open().failure());
  add_live(workflow->id(), workflow);
  if (draining_) workflow->drain(nullptr);
  done(workflow->id());
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
  const auto workflow = GLOVEBOX_TRY(LiveWorkflow::resume(
      shared_, GLOVEBOX_TRY(StoredWorkflow::read(shared_->store, *claimed, shared_->options.most_kept_bytes))));
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
