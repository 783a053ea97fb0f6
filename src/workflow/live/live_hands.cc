// How an engine takes over a live workflow, and gives it up.
#include <utility>

#include "base/try.h"
#include "gateway/principal/asker.h"
#include "workflow/live/live_workflow.h"

namespace glovebox::workflow {

Result<std::shared_ptr<LiveWorkflow>> LiveWorkflow::resume(Shared shared, StoredWorkflow stored) {
  std::shared_ptr<LiveWorkflow> made(new LiveWorkflow(std::move(shared), std::move(stored.record),
                                                      std::move(stored.definition), std::move(stored.input)));
  made->fence_ = {made->record_.id, made->record_.owner, made->record_.epoch};
  made->load_tasks(stored.tasks);
  GLOVEBOX_TRY_VOID(made->load_outputs(std::move(stored.outputs), {}));
  made->state_ = std::move(stored.snapshot.state);
  made->generation_ = stored.snapshot.generation;
  made->make_scheduler(stored.snapshot.position);
  // Tasks that waited for a person when their gateway ended still do, until their runs report something.
  for (std::size_t place = 0; place < made->entries_.size(); ++place)
    made->set_waits(place, made->scheduler_->tasks()[place].status == TaskStatus::kRunning &&
                               stored.waiting.contains(made->entries_[place].record.run));
  return made;
}

Result<void> LiveWorkflow::load_outputs(std::map<std::string, json::value> stored, const Outputs& known) {
  for (Entry& entry : entries_) {
    const bool is_wanted = entry.use.users > 0 || (keeps_leaves_ && entry.use.is_leaf);
    if (!is_wanted || entry.record.output_bytes == 0) continue;
    if (const auto found = known.find(entry.task.id); found != known.end()) {
      entry.output = found->second;
      continue;
    }
    const auto output = stored.find(entry.task.id);
    if (output != stored.end() && has_room_for(output->second)) {
      entry.output = kept(std::move(output->second));
    } else if (entry.use.users > 0) {
      return Failure{ErrorCode::kConflict, "the outputs that its tasks still need are larger than a gateway keeps (" +
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
  for (std::size_t place = 0; place < entries_.size(); ++place) {
    if (scheduler_->tasks()[place].status == TaskStatus::kRunning) follow_run(place);
  }
  wake_for_commands();
}

void LiveWorkflow::obey_and_leave() {
  scheduler_->hold();
  const auto commands = shared_->store.open_commands(record_.id);
  if (!commands) shared_->notice(commands.failure().message);
  if (commands) commands_.assign(commands->begin(), commands->end());
  for (obey_commands(); !commands_.empty(); obey_commands()) way_back_ = way_back()(shared_->store);
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
  shared_->store.post_write([fence = fence_](store::Store& store) { return store.release_workflow(fence); }, nullptr);
}

}  // namespace glovebox::workflow
