// What a live workflow does with its tasks: their runs, from preparation to cleanup.
#include <boost/asio/post.hpp>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "mcp/json/json_tree.h"
#include "workflow/live/live_workflow.h"
#include "workflow/live/task_request.h"
#include "workflow/workflow_trace.h"

namespace glovebox::workflow {
namespace {

// Before a retry of a task that could not begin because the store is away.
constexpr std::chrono::seconds kBeginAgain{1};
// Before another look for a run that could not be found, or for room.
constexpr std::chrono::milliseconds kCheckAgain{500};
// Limit of a value within an event; beyond it only its size is reported.
constexpr std::size_t kMostOutputInEvent = 4 * 1024;

constexpr const char* kStoreIsFull =
    "the workflows of this client that have not ended have as much in the store as it may have; let tasks return less, "
    "or abort one";

}  // namespace

void LiveWorkflow::set_waits(std::size_t place, bool waits) {
  Entry& entry = entries_[place];
  if (entry.waits != waits) waiting_ += waits ? 1 : -1;
  entry.waits = waits;
}

std::string LiveWorkflow::detail_of(const Entry& entry) const {
  json::object detail{{"writes", entry.grants.writes}, {"acts", entry.grants.acts}};
  if (!entry.approvals.empty()) {
    json::array approvals;
    for (const std::string& id : entry.approvals) approvals.emplace_back(id);
    detail["approvals"] = std::move(approvals);
  }
  if (!entry.notes.empty()) detail["notes"] = json::value_from(entry.notes);
  return json::serialize(detail);
}

// The scheduler wants it to run. Its request is built now; the run begins when the step is saved.
void LiveWorkflow::prepare(std::size_t place) {
  Entry& entry = entries_[place];
  if (!may_store(kLeastStoreRoom)) return end_without_run(place, failed_end("OUTPUT_LIMIT", kStoreIsFull));
  auto config = shared_->options.sandbox_config(entry.task.sandbox_config, language_of(entry.task));
  if (!config) return end_without_run(place, failed_end("PERMISSION_DENIED", config.failure().message));
  TaskSurroundings around{input_, state_, {}, [this](const std::string& id) -> const json::value* {
                            const auto found = places_.find(id);
                            return found == places_.end() ? nullptr : entries_[found->second].output.get();
                          }};
  for (const std::string& id : entry.task.dependencies) {
    const Entry& on = entries_[place_of(id)];
    Seen seen{id, std::string(name_of(scheduler_->tasks()[place_of(id)].status)), on.output.get()};
    json::error_code wrong;
    if (auto error = json::parse(on.record.error, wrong); !wrong) seen.error = std::move(error);
    around.dependencies.push_back(std::move(seen));
  }
  auto request = make_request(entry.task, around, std::move(config->config), shared_->options.check);
  if (!request) return end_without_run(place, failed_end("BAD_REFERENCE", request.failure().message));
  entry.grants = grants_of(request->config);
  entry.notes = config->notes;
  request->notes = std::move(config->notes);
  entry.record.run = gateway::new_run_id();
  entry.record.started = shared_->options.now();
  entry.record.ended.reset();
  entry.record.error.clear();
  if (entry.record.idempotency_key.empty()) {
    entry.record.idempotency_key =
        base::sha256_hex(record_.id + "\n" + entry.task.id + "\n" + std::to_string(generation_));
  }
  entry.record.detail = detail_of(entry);
  request->id = entry.record.run;
  request->idempotency_key = entry.record.idempotency_key;
  // The same program with the same random seed: a repetition makes the same calls.
  request->seed = entry.record.idempotency_key;
  request->client = record_.client;
  request->session = record_.session;
  request->profile = profile_of(record_);
  request->privacy = shared_->privacy_of(record_.id);
  request->traceparent = observe::traceparent(task_context(record_, entry.task.id));
  if (request->intent.empty()) request->intent = definition_.intent;
  touch(place);
  event("task_start", {{"task", entry.task.id},
                       {"task_type", type_name(entry.task)},
                       {"layer", scheduler_->tasks()[place].layer},
                       {"attempt", scheduler_->tasks()[place].attempt},
                       {"run", entry.record.run}});
  if (entry.task.type == Task::Type::kCode) {
    event("code_execution_started", {{"task", entry.task.id}, {"run", entry.record.run}});
  }
  to_start_.push_back({place, std::move(request).value()});
}

void LiveWorkflow::end_without_run(std::size_t place, TaskEnd end) {
  scheduler_->ended(place, end.end);
  note_end(place, end);
}

gateway::RunEvents LiveWorkflow::events_of(std::size_t place, const std::string& run) {
  gateway::RunEvents events;
  events.on_end = [weak = weak_from_this(), place, run](const gateway::RunEnd& end) {
    const auto self = weak.lock();
    if (!self || self->left_) return;
    self->over_.push_back({place, run, end.status, end.outcome_json, end.outcome});
    self->wake();
  };
  events.on_waiting = [weak = weak_from_this(), place, run](const gateway::ApprovalRequest& approval) {
    const auto self = weak.lock();
    if (!self || self->left_) return;
    self->noted_.push_back([weak, place, run, approval] {
      if (const auto again = weak.lock()) again->on_waiting(place, run, approval);
    });
    self->wake();
  };
  // A call begins: the approval request has been answered.
  events.on_progress = [weak = weak_from_this(), place](std::string_view) {
    const auto self = weak.lock();
    if (!self || self->left_ || !self->entries_[place].waits) return;
    self->set_waits(place, false);
    self->wake();
  };
  return events;
}

std::size_t LiveWorkflow::most_runs() const {
  const auto most = shared_->options.most_runs ? shared_->options.most_runs(profile_of(record_)) : std::nullopt;
  return std::max<std::size_t>(1, most.value_or(definition_.concurrency));
}

// It is in the store as a run that is about to begin, so that nothing has to be written while it waits.
void LiveWorkflow::wait_for_room(ToStart start) {
  const std::size_t place = start.place;
  auto& timer = timers_.try_emplace(place, shared_->executor).first->second;
  timer.expires_after(kCheckAgain);
  timer.async_wait([weak = weak_from_this(), place,
                    waiting = std::make_shared<ToStart>(std::move(start))](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->left_) return;
    self->noted_.push_back([weak, place, waiting] {
      const auto again = weak.lock();
      const bool is_this = again && again->entries_[place].record.run == waiting->request.id &&
                           again->scheduler_->tasks()[place].status == TaskStatus::kRunning;
      if (!is_this) return;
      if (again->scheduler_->starts_no_more()) return again->end_without_run(place, not_begun_end());
      again->start_run(std::move(*waiting));
    });
    self->wake();
  });
}

void LiveWorkflow::start_run(ToStart start) {
  const bool is_bounded = shared_->options.most_runs && shared_->options.most_runs(start.request.profile);
  if (is_bounded && shared_->gateway.busy_runs_of(record_.client) >= most_runs())
    return wait_for_room(std::move(start));
  const std::string run = start.request.id;
  const auto begun = shared_->gateway.execute(std::move(start.request), events_of(start.place, run));
  if (begun) return;
  // Nothing of it is in the store, perhaps because the store is away: it is retried as every step is.
  if (begun.failure().code == ErrorCode::kSystem) return begin_again_later(start.place, run);
  const std::string error = failed_end("GATEWAY_UNAVAILABLE", begun.failure().message).error_json;
  over_.push_back(
      {start.place, run, store::RunStatus::kFailed, base::ObjectText().json("error", error).done(), nullptr});
  wake();
}

void LiveWorkflow::begin_again_later(std::size_t place, const std::string& run) {
  auto& timer = timers_.try_emplace(place, shared_->executor).first->second;
  timer.expires_after(kBeginAgain);
  timer.async_wait([weak = weak_from_this(), place, run](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->left_) return;
    self->noted_.push_back([weak, place, run] {
      const auto again = weak.lock();
      const bool is_this = again && again->entries_[place].record.run == run &&
                           again->scheduler_->tasks()[place].status == TaskStatus::kRunning;
      if (is_this) again->end_without_run(place, not_begun_end());
    });
    self->wake();
  });
}

// A run that an earlier attempt has begun, or was about to.
void LiveWorkflow::follow_run(std::size_t place) {
  const std::string run = entries_[place].record.run;
  const auto on_found = [weak = weak_from_this(), place, run](const Result<bool>& found) {
    const auto self = weak.lock();
    if (!self || self->left_ || (found && *found)) return;
    if (found) {
      constexpr const char* kDied = R"({"error":{"type":"SandboxError","code":"GATEWAY_DIED"}})";
      self->over_.push_back({place, run, store::RunStatus::kFailed, kDied, nullptr});
      return self->wake();
    }
    auto& timer = self->timers_.try_emplace(place, self->shared_->executor).first->second;
    timer.expires_after(kCheckAgain);
    timer.async_wait([weak, place](const boost::system::error_code& error) {
      const auto again = weak.lock();
      if (!error && again && !again->left_) again->follow_run(place);
    });
  };
  shared_->gateway.follow(run, "", events_of(place, run), on_found);
}

void LiveWorkflow::on_waiting(std::size_t place, const std::string& run, const gateway::ApprovalRequest& approval) {
  Entry& entry = entries_[place];
  if (entry.record.run != run || scheduler_->tasks()[place].status != TaskStatus::kRunning) return;
  set_waits(place, true);
  // A request that an earlier attempt has reported is not reported again.
  if (!entry.approvals.insert(approval.id).second) return;
  entry.record.detail = detail_of(entry);
  touch(place);
  auto shown = mcp::parse_tree(approval.json);
  event("decision_required", {{"kind", "approval"},
                              {"by", "human"},
                              {"task", entry.task.id},
                              {"run", run},
                              {"approval", approval.id},
                              {"title", approval.title},
                              {"card", shown ? std::move(shown).value() : json::value()}});
}

void LiveWorkflow::absorb(const RunOver& over) {
  end_task(over);
  if (over.lease && (over.committed || !committing_)) end_announcement();
}

void LiveWorkflow::end_task(const RunOver& over) {
  Entry& entry = entries_[over.place];
  if (entry.record.run != over.run || scheduler_->tasks()[over.place].status != TaskStatus::kRunning) return;
  set_waits(over.place, false);
  TaskEnd end = judge_end(entry.task, entry.grants, over.status, over.outcome_json,
                          [this](const std::string& server, const std::string& tool, const std::string& arguments) {
                            return shared_->gateway.is_idempotent(server, tool, arguments);
                          });
  // Retried as every step is, when the store may be back.
  const bool store_was_away = end.end == Scheduler::End::kNotBegun && end.error_code == "STORE_UNAVAILABLE";
  if (store_was_away) return begin_again_later(over.place, over.run);
  if (end.end == Scheduler::End::kCompleted && entry.use.users > 0 && !over.committed && !has_room_for(end.output)) {
    end = failed_end("OUTPUT_LIMIT", "the outputs that other tasks need exceed the limit; let tasks return less");
  }
  // Twice: what it adds to the state is written once more.
  if (end.end == Scheduler::End::kCompleted && !over.committed && !may_store(2 * memory_of(end.output))) {
    end = failed_end("OUTPUT_LIMIT", kStoreIsFull);
  }
  const bool has_changes = over.outcome && over.outcome->changes.exists() && !over.outcome->changes.empty();
  if (end.end == Scheduler::End::kCompleted && scheduler_->aborting() && has_changes && !over.committed) {
    end = failed_end("CANCELLED", "the workflow was aborted");
  }
  if (end.end == Scheduler::End::kCompleted && has_changes) {
    if (over.lease && !over.committed) return commit(over);
    const auto done = over.committed ? *over.committed : announce(over);
    if (done && !over.committed) return;
    if (!done) end = failed_end("COMMIT_FAILED", done.failure().message);
  } else if (end.end == Scheduler::End::kCompleted && !over.outcome && entry.grants.writes &&
             may_have_changes(over.outcome_json)) {
    // The run ended well, and its gateway died before the task's checkpoint.
    const Files files = find_files(over.place);
    if (files == Files::kNotWritten && !over.layer_is_lost) return make_changes_again(over);
    if (files != Files::kWritten) end = lost_files_end(files == Files::kNotWritten, end.may_have_acted);
  }
  if (end.end == Scheduler::End::kCompleted && entry.task.type == Task::Type::kCode && end.output.is_object()) {
    if (const json::value* state = end.output.get_object().if_contains("state")) {
      auto updated = check_own_statuses(*state);
      if (updated) updated = check_state_room(*state);
      if (updated) updated = update_state(*state, true);
      if (!updated) end = failed_end("BAD_STATE", updated.failure().message);
    }
  }
  scheduler_->ended(over.place, end.end);
  note_end(over.place, end);
}

// The status of tasks is reported by the workflow alone, and rollbacks and forks rely on it.
Result<void> LiveWorkflow::check_own_statuses(const json::value& update) const {
  const json::value* tasks = update.is_object() ? update.get_object().if_contains("tasks") : nullptr;
  if (!tasks || !tasks->is_array()) return {};
  for (const json::value& item : tasks->get_array()) {
    const json::object* task_state = item.if_object();
    const json::value* id = task_state ? task_state->if_contains("id") : nullptr;
    if (!id || !id->is_string() || !task_state->contains("status")) continue;
    if (places_.contains(std::string(id->get_string()))) {
      return Failure{ErrorCode::kInvalidArgument, "state.tasks: the workflow itself sets the \"status\" of its task " +
                                                      std::string(id->get_string())};
    }
  }
  return {};
}

std::size_t LiveWorkflow::state_bytes() const {
  std::size_t bytes = 0;
  for (const json::array* list : {&state_.messages, &state_.tasks, &state_.decisions})
    for (const json::value& item : *list) bytes += memory_of(item);
  for (const auto& member : state_.context) bytes += member.key().size() + memory_of(member.value());
  return bytes;
}

Result<void> LiveWorkflow::check_state_room(const json::value& update) const {
  if (state_bytes() + memory_of(update) <= shared_->options.most_state_bytes) return {};
  return Failure{ErrorCode::kInvalidArgument, "the state of the workflow would be too large (" +
                                                  std::to_string(shared_->options.most_state_bytes >> 20) +
                                                  " MB in memory); return less in \"state\""};
}

void LiveWorkflow::note_end(std::size_t place, const TaskEnd& end) {
  Entry& entry = entries_[place];
  const ScheduledTask& task = scheduler_->tasks()[place];
  const bool of_code = entry.task.type == Task::Type::kCode;
  const std::int64_t now = shared_->options.now();
  const std::int64_t took = entry.record.started ? now - *entry.record.started : 0;
  touch(place);
  if (task.status == TaskStatus::kPending) {  // as if it had never been started
    entry.record.run.clear();
    entry.record.started.reset();
    return;
  }
  const bool ended = has_ended(task.status);
  if (ended) entry.record.ended = now;
  if (task.status == TaskStatus::kCompleted) {
    entry.record.error.clear();
    std::string output = json::serialize(end.output);
    json::object payload{{"task", entry.task.id}, {"status", "completed"}, {"durationMs", took}};
    if (output.size() <= kMostOutputInEvent) {
      payload["output"] = end.output;
    } else {
      payload["outputBytes"] = output.size();
    }
    if (of_code) {
      event("code_execution_completed", {{"task", entry.task.id}, {"run", entry.record.run}, {"durationMs", took}});
    }
    event("task_complete", std::move(payload));
    if (entry.use.users > 0 || (keeps_leaves_ && has_room_for(end.output))) entry.output = kept(end.output);
    outputs_[place] = std::move(output);
  } else {
    entry.record.error = end.error_json;
    json::error_code wrong;
    auto error = json::parse(end.error_json, wrong);
    json::object payload{{"task", entry.task.id}, {"status", name_of(task.status)}, {"attempt", task.attempt}};
    payload["error"] = wrong ? json::value() : std::move(error);
    payload["willRetry"] = task.status == TaskStatus::kRetrying;
    if (of_code && !entry.record.run.empty()) {
      event("code_execution_failed", {{"task", entry.task.id}, {"run", entry.record.run}, {"durationMs", took}});
    }
    event("task_error", std::move(payload));
    if (task.status == TaskStatus::kUnknown) {
      event("decision_required", {{"kind", "outcome_unknown"},
                                  {"by", "human"},
                                  {"task", entry.task.id},
                                  {"run", entry.record.run},
                                  {"options", {"retry", "skip", "fail", "done"}}});
    }
  }
  if (!ended) {
    if (task.status == TaskStatus::kUnknown && checkpoint_kind_.empty()) checkpoint_kind_ = "task";
    return;
  }
  if (checkpoint_kind_.empty()) checkpoint_kind_ = "task";
  if (checkpoint_label_.empty()) checkpoint_label_ = entry.task.id;
  if (entry.grants.writes && !entry.record.run.empty()) step_.drop_journals.push_back(entry.record.run);
  (void)update_state({{"tasks", {{{"id", entry.task.id}, {"status", name_of(task.status)}}}}}, false).ok();
  release_outputs(place);
}

bool LiveWorkflow::has_room_for(const json::value& output) const {
  return shared_->kept->has_room(holder(), memory_of(output));
}

std::shared_ptr<const json::value> LiveWorkflow::kept(json::value output) {
  const auto held = shared_->kept->hold(holder(), memory_of(output));
  return std::shared_ptr<const json::value>(new json::value(std::move(output)),
                                            [held](const json::value* value) { delete value; });
}

// It has ended: the outputs that it used may not be needed any more.
void LiveWorkflow::release_outputs(std::size_t place) {
  for (const std::size_t on : entries_[place].use.uses) {
    if (--entries_[on].use.users == 0) entries_[on].output.reset();
  }
}

}  // namespace glovebox::workflow
