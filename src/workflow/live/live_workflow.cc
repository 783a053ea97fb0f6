#include "workflow/live/live_workflow.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/try.h"
#include "workflow/definition/graph.h"

namespace glovebox::workflow {
namespace {

// A store that cannot be written now may be writable soon.
constexpr std::chrono::seconds kSaveAgain{1};
// Limit of a value within an event; beyond it only its size is reported.
constexpr std::size_t kMostUpdateInEvent = 16 * 1024;

store::WorkflowStatus status_after(EndWorkflow::How how) {
  switch (how) {
    case EndWorkflow::How::kFinished: return store::WorkflowStatus::kFinished;
    case EndWorkflow::How::kPartial: return store::WorkflowStatus::kPartial;
    case EndWorkflow::How::kFailed: return store::WorkflowStatus::kFailed;
    case EndWorkflow::How::kAborted: return store::WorkflowStatus::kAborted;
  }
  return store::WorkflowStatus::kFailed;
}

}  // namespace

LiveWorkflow::LiveWorkflow(Shared shared, store::WorkflowRecord record, Definition definition, json::value input)
    : shared_(std::move(shared)),
      record_(std::move(record)),
      definition_(std::move(definition)),
      input_(std::move(input)),
      save_timer_(shared_->executor) {}

Result<std::shared_ptr<LiveWorkflow>> LiveWorkflow::make(Shared shared, store::WorkflowRecord record,
                                                         Definition definition, json::value input,
                                                         std::optional<StoredWorkflow> source) {
  record.definition = json::serialize(to_json(definition));
  record.input = json::serialize(input);
  std::shared_ptr<LiveWorkflow> made(
      new LiveWorkflow(std::move(shared), std::move(record), std::move(definition), std::move(input)));
  made->load_tasks(source ? source->tasks : std::vector<store::TaskRecord>());
  if (source) GLOVEBOX_TRY_VOID(made->load_outputs(std::move(source->outputs), {}));
  Snapshot snapshot;
  if (source) snapshot = std::move(source->snapshot);
  if (!source) snapshot.state.context = made->definition_.context;
  made->state_ = snapshot.state;
  made->generation_ = snapshot.generation;
  made->make_scheduler(snapshot.position);
  made->scheduler_->ask_again_before_layer();
  snapshot.position = made->scheduler_->position();
  std::size_t layers = 0;
  for (const ScheduledTask& task : made->scheduler_->tasks()) layers = std::max(layers, task.layer + 1);
  json::object payload{{"name", made->definition_.name},
                       {"intent", made->definition_.intent},
                       {"tasks", made->entries_.size()},
                       {"layers", layers}};
  if (!made->record_.forked_from.empty()) payload["forked_from"] = made->record_.forked_from;
  made->event("workflow_start", std::move(payload));
  made->event("checkpoint", {{"checkpoint", 1}, {"kind", "entry"}, {"label", ""}});
  const std::int64_t now = made->shared_->options.now();
  made->step_.checkpoint = {now, "entry", "", "", snapshot_json(snapshot)};
  for (const Entry& entry : made->entries_) made->step_.tasks.push_back(entry.record);
  if (source) made->outputs_of_ = std::move(source->record.id);
  return made;
}

std::function<Result<store::Fence>(store::Store&)> LiveWorkflow::creation() const {
  return [record = record_, step = step_, outputs_of = outputs_of_](store::Store& store) {
    return store.create_workflow(record, step, outputs_of);
  };
}

void LiveWorkflow::created(const store::Fence& fence) {
  fence_ = fence;
  record_.last_checkpoint = 1;
  record_.last_event = 2;
  note_step(step_);
  step_ = {};
  touched_.clear();
}

// --- what there is

void LiveWorkflow::add_entries(const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    Entry entry;
    entry.task = task;
    entry.record.id = task.id;
    entry.record.status = name_of(TaskStatus::kPending);
    places_[task.id] = entries_.size();
    entries_.push_back(std::move(entry));
  }
}

void LiveWorkflow::load_tasks(const std::vector<store::TaskRecord>& rows) {
  entries_.clear();
  places_.clear();
  add_entries(definition_.tasks);
  Dependencies dependencies;
  for (const Entry& entry : entries_) {
    auto& list = dependencies.emplace_back();
    for (const std::string& id : entry.task.dependencies) list.push_back(place_of(id));
  }
  const auto layers = layers_of(dependencies);
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    entries_[place].record.layer = static_cast<std::int64_t>(layers[place]);
  }
  for (const store::TaskRecord& row : rows) {
    const auto found = places_.find(row.id);
    if (found == places_.end()) continue;  // of an earlier plan
    Entry& entry = entries_[found->second];
    entry.record = row;
    json::error_code wrong;
    const json::value detail = row.detail.empty() ? json::value() : json::parse(row.detail, wrong);
    if (wrong || !detail.is_object()) continue;
    const auto truth = [&](const char* key) {
      const json::value* value = detail.get_object().if_contains(key);
      return value && value->is_bool() && value->get_bool();
    };
    entry.grants = {truth("writes"), truth("acts")};
    const auto texts = [&](const char* key) {
      std::vector<std::string> found;
      const json::value* value = detail.get_object().if_contains(key);
      for (const json::value& text : value && value->is_array() ? value->get_array() : json::array())
        if (text.is_string()) found.emplace_back(text.get_string().data(), text.get_string().size());
      return found;
    };
    for (std::string& id : texts("approvals")) entry.approvals.insert(std::move(id));
    entry.notes = texts("notes");
  }
  count_users();
}

void LiveWorkflow::count_users() {
  std::vector<TaskInPlan> tasks;
  tasks.reserve(entries_.size());
  for (const Entry& entry : entries_) tasks.push_back({&entry.task, has_ended(entry.record)});
  OutputUses uses = output_uses(tasks, places_);
  keeps_leaves_ = uses.keeps_leaves;
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    if (!uses.wants(place)) entries_[place].output.reset();
    entries_[place].use = std::move(uses.of[place]);
  }
}

ScheduledTask LiveWorkflow::scheduled(const Entry& entry, std::size_t layer) const {
  ScheduledTask made;
  for (const std::string& id : entry.task.dependencies) made.dependencies.push_back(place_of(id));
  made.layer = layer;
  const auto after = definition_.after_tasks.find(entry.task.id);
  made.decision = after != definition_.after_tasks.end() ? after->second : definition_.after_layers;
  made.attempts = entry.task.retry.attempts;
  made.status = task_status_named(entry.record.status).value_or(TaskStatus::kPending);
  made.attempt = static_cast<int>(entry.record.attempt);
  return made;
}

void LiveWorkflow::make_scheduler(const Position& position) {
  std::vector<ScheduledTask> tasks;
  tasks.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    tasks.push_back(scheduled(entry, static_cast<std::size_t>(entry.record.layer)));
  }
  scheduler_ = std::make_unique<Scheduler>(std::move(tasks), std::min(definition_.concurrency, most_runs()), position);
}

// --- turns

void LiveWorkflow::wake_for_commands() {
  commands_wait_ = true;
  wake();
}

void LiveWorkflow::wake() {
  if (left_ || std::exchange(posted_, true)) return;
  boost::asio::post(shared_->executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->turn();
  });
}

void LiveWorkflow::turn() {
  const auto self = shared_from_this();
  posted_ = false;
  if (left_ || saving_ || committing_ || reads_commands_) return;
  if (commands_.empty() && std::exchange(commands_wait_, false)) return read_commands();
  obey_commands();
  if (!commands_.empty()) return read_way_back();
  for (const auto& note : std::exchange(noted_, {})) note();
  for (const RunOver& over : std::exchange(over_, {})) absorb(over);
  for (const std::size_t place : std::exchange(due_, {})) scheduler_->retry_due(place);
  advance();
  save();
  if (commands_wait_ && !saving_) wake();
}

void LiveWorkflow::advance() {
  while (true) {
    const auto actions = scheduler_->advance();
    if (actions.empty()) return;
    for (const Action& action : actions) handle(action);
  }
}

void LiveWorkflow::handle(const Action& action) {
  if (const auto* layer = std::get_if<StartLayer>(&action)) {
    json::array ids;
    for (std::size_t place = 0; place < entries_.size(); ++place) {
      const ScheduledTask& task = scheduler_->tasks()[place];
      if (!task.gone && task.layer == layer->layer) ids.emplace_back(entries_[place].task.id);
    }
    event("layer_start", {{"layer", layer->layer}, {"tasks", std::move(ids)}});
    if (checkpoint_kind_.empty()) checkpoint_kind_ = "layer_start";
    if (checkpoint_label_.empty()) checkpoint_label_ = std::to_string(layer->layer);
  } else if (const auto* start = std::get_if<StartTask>(&action)) {
    prepare(start->task);
  } else if (const auto* block = std::get_if<BlockTask>(&action)) {
    note_end(block->task, failed_end("DEPENDENCY_FAILED", "it depends on \"" + entries_[block->because].task.id +
                                                              "\", which did not succeed"));
  } else if (const auto* later = std::get_if<RetryLater>(&action)) {
    Entry& entry = entries_[later->task];
    const int next = scheduler_->tasks()[later->task].attempt + 1;
    const double jitter = static_cast<double>(std::hash<std::string>()(record_.id + entry.task.id) % 1000) / 1000;
    to_retry_.push_back({later->task, pause_before(entry.task.retry, next, jitter)});
    touch(later->task);
  } else if (const auto* cancel = std::get_if<CancelTask>(&action)) {
    to_cancel_.push_back(entries_[cancel->task].record.run);
  } else if (const auto* done = std::get_if<EndLayer>(&action)) {
    checkpoint_kind_ = "layer_end";
    checkpoint_label_ = std::to_string(done->layer);
  } else if (const auto* ask = std::get_if<AskDecision>(&action)) {
    json::array ids;
    for (std::size_t place = 0; place < entries_.size(); ++place) {
      const ScheduledTask& task = scheduler_->tasks()[place];
      if (!task.gone && task.layer == ask->layer) {
        ids.push_back(json::object{{"id", entries_[place].task.id}, {"status", name_of(task.status)}});
      }
    }
    event("decision_required",
          {{"kind", "layer"},
           {"by", name_of(ask->by)},
           {"layer", ask->layer},
           {"tasks", std::move(ids)},
           {"options", {"continue", "skip_layer", "modify_args", "inject_tasks", "replan_dag", "abort"}}});
    // So that readers of the store see the open question. A fork gets here without having ended a layer.
    if (checkpoint_kind_.empty()) checkpoint_kind_ = "layer";
    if (checkpoint_label_.empty()) checkpoint_label_ = std::to_string(ask->layer);
  } else if (const auto* end = std::get_if<EndWorkflow>(&action)) {
    using How = EndWorkflow::How;
    for (std::size_t place = 0; place < entries_.size(); ++place) {
      const ScheduledTask& task = scheduler_->tasks()[place];
      if (!task.gone && entries_[place].record.status != name_of(task.status)) touch(place);
    }
    step_.outcome = outcome_of(end->how);
    step_.status = status_after(end->how);
    step_.ended = shared_->options.now();
    json::object counts;
    for (const ScheduledTask& task : scheduler_->tasks()) {
      if (task.gone) continue;
      json::value& count = counts[name_of(task.status)];
      count = count.is_int64() ? count.get_int64() + 1 : std::int64_t{1};
    }
    json::object payload{{"status", store::name_of(*step_.status)},
                         {"durationMs", step_.ended - record_.created},
                         {"tasks", std::move(counts)}};
    if (end->how == How::kAborted) payload["reason"] = abort_reason_;
    event(end->how == How::kAborted ? "workflow_abort" : "workflow_complete", std::move(payload));
  }
}

store::WorkflowStatus LiveWorkflow::status() const {
  using store::WorkflowStatus;
  if (scheduler_->aborting()) return WorkflowStatus::kRunning;  // until it has ended
  if (scheduler_->asks() || scheduler_->unknown() > 0) return WorkflowStatus::kWaiting;
  if (scheduler_->position().paused) return WorkflowStatus::kPaused;
  return waiting_ > 0 ? WorkflowStatus::kWaiting : WorkflowStatus::kRunning;
}

void LiveWorkflow::save() {
  if (!step_.status && status() != record_.status) step_.status = status();
  if (commands_done_ > 0 && !scheduler_->aborting()) step_.commands_done = std::exchange(commands_done_, 0);
  if (scheduler_->over()) step_.commands_done = std::max(step_.commands_done, commands_done_);
  const bool checkpoint = !checkpoint_kind_.empty() || !updates_.empty() || wants_snapshot_;
  if (step_.events.empty() && touched_.empty() && !step_.status && step_.commands_done == 0 && !checkpoint &&
      step_.drop_tasks.empty() && !step_.definition) {
    return perform();
  }
  for (const std::size_t place : touched_) {
    Entry& entry = entries_[place];
    entry.record.status = name_of(scheduler_->tasks()[place].status);
    entry.record.layer = static_cast<std::int64_t>(scheduler_->tasks()[place].layer);
    entry.record.attempt = scheduler_->tasks()[place].attempt;
    store::TaskRecord row = entry.record;
    if (const auto output = outputs_.find(place); output != outputs_.end()) row.output = std::move(output->second);
    step_.tasks.push_back(std::move(row));
  }
  if (checkpoint) {
    Snapshot now{scheduler_->position(), generation_, {}};
    const bool whole = wants_snapshot_ || is_snapshot_due();
    if (whole) now.state = state_;
    event("checkpoint", {{"checkpoint", record_.last_checkpoint + 1},
                         {"kind", checkpoint_kind_.empty() ? "state" : checkpoint_kind_},
                         {"label", checkpoint_label_}});
    step_.checkpoint = store::WorkflowStep::Checkpoint{};
    step_.checkpoint->at = shared_->options.now();
    step_.checkpoint->kind = checkpoint_kind_.empty() ? "state" : checkpoint_kind_;
    step_.checkpoint->label = checkpoint_label_;
    if (whole) {
      step_.checkpoint->snapshot = snapshot_json(now);
    } else {
      step_.checkpoint->delta = delta_json(now, updates_);
    }
  }
  touched_.clear();
  outputs_.clear();
  updates_.clear();
  checkpoint_kind_.clear();
  checkpoint_label_.clear();
  wants_snapshot_ = false;

  // A store that went away may have saved it all the same: the number shows that when it is saved again.
  if (!step_.events.empty()) step_.events.front().number = record_.last_event + 1;
  step_.after = {record_.last_event, record_.last_checkpoint};
  const auto saving = std::make_shared<Saving>();
  saving->step = std::exchange(step_, {});
  note_step(saving->step);
  post_step(saving);
}

void LiveWorkflow::post_step(std::shared_ptr<Saving> saving) {
  saving_ = saving;
  shared_->store.post_write(
      [saving, fence = fence_](store::Store& store) -> Result<void> {
        auto saved = store.save_step(fence, saving->step);
        const std::lock_guard lock(saving->mutex);
        saving->saved = saved;
        if (!saved) return saved.failure();
        return {};
      },
      [weak = weak_from_this(), executor = shared_->executor, saving](const Result<void>& written) {
        if (!written) {
          const std::lock_guard lock(saving->mutex);
          saving->saved = written.failure();
        }
        if (weak.expired()) return;
        boost::asio::post(executor, [weak, saving] {
          if (const auto self = weak.lock()) self->on_saved(saving);
        });
      });
}

void LiveWorkflow::settle() {
  const auto saving = saving_;
  if (saving && shared_->store.wait_for_posted()) on_saved(saving);
}

void LiveWorkflow::on_saved(const std::shared_ptr<Saving>& saving) {
  if (saving_ != saving || left_) return;
  const auto self = shared_from_this();
  const Result<store::StepReceipt> saved = *saving->saved;
  if (!saved && saved.failure().code == ErrorCode::kConflict) return lose(saved.failure().message);
  if (!saved) {
    // Nothing has been acted on yet, so the same step can be saved later.
    shared_->notice("workflow " + record_.id + " cannot be saved: " + saved.failure().message);
    save_timer_.expires_after(kSaveAgain);
    return save_timer_.async_wait([weak = weak_from_this(), saving](const boost::system::error_code& error) {
      const auto again = weak.lock();
      if (!error && again && !again->left_) again->post_step(saving);
    });
  }
  saving_ = nullptr;
  if (saving->step.checkpoint && shared_->options.on_saved) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - saving->began;
    shared_->options.on_saved(took.count());
  }
  record_.last_event = saved.value().last_event;
  record_.last_checkpoint = saved.value().last_checkpoint;
  if (saving->step.status) record_.status = *saving->step.status;
  std::int64_t number = record_.last_event - static_cast<std::int64_t>(saving->step.events.size());
  for (store::WorkflowEvent& event : saving->step.events) {
    event.number = ++number;
    if (shared_->options.on_decision && event.type == "decision_required") shared_->options.on_decision(record_, event);
  }
  shared_->feeds.tell(record_.id, std::move(saving->step.events));
  perform();
  if (!over_.empty() || !due_.empty() || !noted_.empty() || commands_wait_) wake();
}

void LiveWorkflow::perform() {
  if (scheduler_->over()) {
    left_ = true;
    tell_obeyed();
    timers_.clear();
    if (shared_->options.on_ended) shared_->options.on_ended(record_.id);
    if (on_over_) on_over_();
    return;
  }
  tell_obeyed();
  for (const std::string& run : std::exchange(to_cancel_, {})) shared_->gateway.cancel_run(run);
  for (const ToRetry& retry : std::exchange(to_retry_, {})) {
    auto& timer = timers_.try_emplace(retry.place, shared_->executor).first->second;
    timer.expires_after(retry.pause);
    timer.async_wait([weak = weak_from_this(), place = retry.place](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (error || !self || self->left_) return;
      self->due_.push_back(place);
      self->wake();
    });
  }
  for (ToStart& start : std::exchange(to_start_, {})) start_run(std::move(start));
  if (on_drained_ && scheduler_->running() == waiting_) {
    boost::asio::post(shared_->executor, std::exchange(on_drained_, nullptr));
  }
}

// --- what is saved

void LiveWorkflow::event(const char* type, json::object payload) {
  step_.events.push_back({0, shared_->options.now(), type, json::serialize(payload)});
}

Result<void> LiveWorkflow::update_state(json::value update, bool tell) {
  GLOVEBOX_TRY_VOID(reduce(state_, update));
  if (tell) {
    std::string text = json::serialize(update);
    if (text.size() <= kMostUpdateInEvent) {
      event("state_updated", {{"update", update}});
    } else {
      json::array parts;
      for (const auto& member : update.get_object()) parts.emplace_back(member.key());
      event("state_updated", {{"parts", std::move(parts)}, {"bytes", text.size()}});
    }
  }
  updates_.push_back(std::move(update));
  return {};
}

void LiveWorkflow::touch(std::size_t place) {
  touched_.insert(place);
}

std::string LiveWorkflow::outcome_of(EndWorkflow::How how) const {
  json::object outputs;
  json::array failed;
  json::object statuses;
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    const ScheduledTask& task = scheduler_->tasks()[place];
    const Entry& entry = entries_[place];
    if (task.gone) continue;
    if (entries_.size() <= kMostLeaves) statuses[entry.task.id] = name_of(task.status);
    if (keeps_leaves_ && entry.output && entry.use.users == 0) outputs[entry.task.id] = *entry.output;
    if (task.status != TaskStatus::kFailed && task.status != TaskStatus::kFailedSafe) continue;
    if (failed.size() >= kMostLeaves) continue;
    json::error_code wrong;
    auto error = json::parse(entry.record.error, wrong);
    failed.push_back(json::object{{"task", entry.task.id}, {"error", wrong ? json::value() : std::move(error)}});
  }
  json::object outcome{{"workflow_id", record_.id}, {"status", store::name_of(status_after(how))}};
  if (how == EndWorkflow::How::kAborted) outcome["reason"] = abort_reason_;
  if (!statuses.empty()) outcome["tasks"] = std::move(statuses);
  outcome["outputs"] = std::move(outputs);
  if (!failed.empty()) outcome["failed"] = std::move(failed);
  outcome["state"] = state_.visible();
  return json::serialize(outcome);
}

}  // namespace glovebox::workflow
