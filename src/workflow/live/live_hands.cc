// How an engine takes over a live workflow, and gives it up.
#include <boost/asio/post.hpp>
#include <utility>

#include "base/try.h"
#include "gateway/principal/asker.h"
#include "store/database/patience.h"
#include "workflow/live/live_workflow.h"

namespace glovebox::workflow {

Result<std::shared_ptr<LiveWorkflow>> LiveWorkflow::resume(Shared shared, const store::WorkflowRecord& record) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  auto tree = json::parse(record.definition, wrong, {}, options);
  auto definition = read_definition(tree, Origin::kStored);
  auto input = json::parse(record.input, wrong, {}, options);
  if (!definition || wrong) {
    return Failure{ErrorCode::kProtocol, "the store is damaged: workflow " + record.id + " cannot be read"};
  }
  const auto rows = GLOVEBOX_TRY(shared->store.workflow_tasks(record.id, store::Store::Outputs::kNone));
  const auto parts = GLOVEBOX_TRY(shared->store.state_at(record.id, record.last_checkpoint));
  Snapshot snapshot = GLOVEBOX_TRY(snapshot_of(parts));
  std::shared_ptr<LiveWorkflow> made(
      new LiveWorkflow(std::move(shared), record, std::move(definition).value(), std::move(input)));
  made->fence_ = {record.id, record.owner, record.epoch};
  made->load_tasks(rows);
  GLOVEBOX_TRY_VOID(made->load_outputs(record.id, {}));
  made->state_ = std::move(snapshot.state);
  made->generation_ = snapshot.generation;
  made->make_scheduler(snapshot.position);
  return made;
}

Result<void> LiveWorkflow::load_outputs(const std::string& workflow, const Outputs& known) {
  json::parse_options options;
  options.max_depth = 1000;
  for (Entry& entry : entries_) {
    const bool is_wanted = entry.users > 0 || (keeps_leaves_ && entry.is_leaf);
    if (!is_wanted || entry.record.output_bytes == 0) continue;
    if (const auto found = known.find(entry.task.id); found != known.end()) {
      entry.output = found->second;
      continue;
    }
    json::error_code wrong;
    auto output = json::parse(GLOVEBOX_TRY(shared_->store.task_output(workflow, entry.task.id)), wrong, {}, options);
    if (wrong) continue;
    if (has_room_for(output)) {
      entry.output = kept(std::move(output));
    } else if (entry.users > 0) {
      return Failure{ErrorCode::kConflict, "the outputs that tasks of workflow " + workflow +
                                               " still need are larger than a gateway keeps (" +
                                               std::to_string(shared_->options.most_kept_bytes >> 20) + " MB)"};
    }
  }
  return {};
}

std::string LiveWorkflow::holder() const {
  return std::string(gateway::authenticated_part(record_.client));
}

void LiveWorkflow::note_stored(std::size_t bytes) {
  shared_->gateway.note_stored(bytes);
  not_held_ += bytes;
  // Tasks that end together may have passed the limit together.
  if (not_held_ >= kLeastStoreRoom)
    stored_.push_back(shared_->stored->hold_anyway(holder(), std::exchange(not_held_, 0)));
}

void LiveWorkflow::note_step(const store::WorkflowStep& step) {
  note_stored(store::bytes_of(step));
  if (!step.checkpoint) return;
  const auto& whole = step.checkpoint->snapshot;
  if (whole) snapshot_bytes_ = whole->size();
  delta_bytes_ = whole ? 0 : delta_bytes_ + step.checkpoint->delta.size();
}

bool LiveWorkflow::is_snapshot_due() const {
  return store::wants_snapshot(record_.last_checkpoint) && 4 * delta_bytes_ >= snapshot_bytes_;
}

void LiveWorkflow::begin(std::function<void()> on_over) {
  on_over_ = std::move(on_over);
  std::int64_t before = record_.bytes;  // zero for a new one; a fork has copies of short outputs
  for (const Entry& entry : entries_) {
    const std::int64_t bytes = entry.record.output_bytes;
    if (record_.bytes == 0 && bytes <= static_cast<std::int64_t>(store::kLargeValue)) before += bytes;
  }
  note_stored(static_cast<std::size_t>(before));
  find_waiting();
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    if (scheduler_->tasks()[place].status == TaskStatus::kRunning) follow_run(place);
  }
  wake_for_commands();
}

// Tasks that waited for a person when their gateway ended still do, until their runs report something.
void LiveWorkflow::find_waiting() {
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    if (scheduler_->tasks()[place].status != TaskStatus::kRunning) continue;
    const store::DirectCalls direct;
    const auto run = shared_->gateway.get_run(entries_[place].record.run);
    set_waits(place, run && run.value() && run.value()->status == store::RunStatus::kWaiting);
  }
}

void LiveWorkflow::obey_and_leave() {
  find_waiting();
  scheduler_->hold();
  const auto commands = shared_->store.open_commands(record_.id);
  if (!commands) shared_->notice(commands.failure().message);
  if (commands) commands_ = commands.value();
  obey_commands();
  if (left_) return;
  advance();  // to the pending question or the end
  save();
  settle();
  leave();
}

void LiveWorkflow::drain(std::function<void()> then) {
  scheduler_->hold();
  on_drained_ = std::move(then);
  wake();
}

bool LiveWorkflow::is_at_rest() const {
  const bool has_more = posted_ || reads_commands_ || !over_.empty() || !due_.empty() || !noted_.empty();
  return scheduler_->running() == waiting_ && !saving_ && !commits_ && !has_more;
}

// Its runs are not cancelled: another gateway has them by now, or will, and continues with their tasks.
void LiveWorkflow::lose(const std::string& why) {
  if (left_) return;
  shared_->notice("workflow " + record_.id + " is no longer driven here: " + why);
  left_ = true;
  tell_obeyed();
  if (committing_) committing_->dropped = true;
  timers_.clear();
  if (on_over_) on_over_();
}

void LiveWorkflow::leave() {
  if (std::exchange(left_, true)) return;
  tell_obeyed();
  timers_.clear();
  save_timer_.cancel();
  const store::DirectCalls direct;
  (void)shared_->store.release_workflow(fence_).ok();
}

}  // namespace glovebox::workflow
