#include "workflow/scheduler.h"

#include <algorithm>

#include "base/try.h"

namespace glovebox::workflow {

namespace {
constexpr std::pair<TaskStatus, std::string_view> kStatusNames[] = {
    {TaskStatus::kPending, "pending"},        {TaskStatus::kRunning, "running"},
    {TaskStatus::kRetrying, "retrying"},      {TaskStatus::kUnknown, "unknown"},
    {TaskStatus::kCompleted, "completed"},    {TaskStatus::kFailed, "failed"},
    {TaskStatus::kFailedSafe, "failed_safe"}, {TaskStatus::kSkipped, "skipped"},
    {TaskStatus::kAborted, "aborted"},
};
}  // namespace

std::string_view name_of(TaskStatus status) {
  for (const auto& [known, name] : kStatusNames) {
    if (known == status) return name;
  }
  return "pending";
}

std::optional<TaskStatus> task_status_named(std::string_view text) {
  for (const auto& [status, name] : kStatusNames) {
    if (name == text) return status;
  }
  return std::nullopt;
}

Scheduler::Scheduler(std::vector<ScheduledTask> tasks, std::size_t concurrency, Position position)
    : tasks_(std::move(tasks)), concurrency_(concurrency), position_(position) {
  for (std::size_t place = 0; place < tasks_.size(); ++place) {
    ScheduledTask& task = tasks_[place];
    if (task.gone) continue;
    layers_[task.layer].push_back(place);
    if (task.status == TaskStatus::kRunning) ++running_;
    if (task.status == TaskStatus::kUnknown) ++unknown_;
    if (task.status == TaskStatus::kRetrying) to_retry_.push_back(place);
    if (!position_.layer || task.layer != *position_.layer || has_ended(task.status)) continue;
    ++open_in_layer_;
    if (task.status == TaskStatus::kPending) ready_.push_back(place);
  }
}

std::optional<std::size_t> Scheduler::next_layer() const {
  for (auto next = position_.layer ? layers_.upper_bound(*position_.layer) : layers_.begin(); next != layers_.end();
       ++next) {
    const bool open = std::any_of(next->second.begin(), next->second.end(),
                                  [&](std::size_t task) { return !has_ended(tasks_[task].status); });
    if (open) return next->first;
  }
  return std::nullopt;
}

Decision Scheduler::decision_after(std::size_t layer) const {
  Decision by = Decision::kNone;
  const auto found = layers_.find(layer);
  if (found == layers_.end()) return by;  // of another plan
  for (const std::size_t task : found->second) by = std::max(by, tasks_[task].decision);
  return by;
}

void Scheduler::end_task(std::size_t place, TaskStatus status) {
  ScheduledTask& task = tasks_[place];
  task.status = status;
  if (position_.layer && task.layer == *position_.layer) --open_in_layer_;
}

void Scheduler::start_layer(std::size_t layer, std::vector<Action>& actions) {
  position_ = {layer, false, false, false, position_.paused};
  actions.push_back(StartLayer{layer});
  ready_.clear();
  open_in_layer_ = 0;
  for (const std::size_t place : layers_.at(layer)) {
    if (!has_ended(tasks_[place].status)) ++open_in_layer_;
  }
  for (const std::size_t place : layers_.at(layer)) {
    const ScheduledTask& task = tasks_[place];
    if (has_ended(task.status)) continue;
    const auto failed = std::find_if(task.dependencies.begin(), task.dependencies.end(),
                                     [&](std::size_t on) { return !lets_pass(tasks_[on].status); });
    if (failed == task.dependencies.end()) {
      ready_.push_back(place);
      continue;
    }
    actions.push_back(BlockTask{place, *failed});
    end_task(place, TaskStatus::kFailed);
  }
}

void Scheduler::fill(std::vector<Action>& actions) {
  while (!ready_.empty() && running_ < concurrency_ && !position_.paused && !held_) {
    const std::size_t place = ready_.front();
    ready_.pop_front();
    ScheduledTask& task = tasks_[place];
    if (task.status != TaskStatus::kPending || task.gone) continue;
    task.status = TaskStatus::kRunning;
    ++task.attempt;
    ++running_;
    actions.push_back(StartTask{place});
  }
}

std::vector<Action> Scheduler::advance() {
  std::vector<Action> actions;
  if (over_) return actions;
  if (aborting_) {
    if (running_ > 0) {
      if (std::exchange(cancelled_, true)) return actions;
      for (std::size_t place = 0; place < tasks_.size(); ++place) {
        if (tasks_[place].status == TaskStatus::kRunning) actions.push_back(CancelTask{place});
      }
      return actions;
    }
    for (ScheduledTask& task : tasks_) {
      if (!task.gone && !has_ended(task.status)) task.status = TaskStatus::kAborted;
    }
    over_ = true;
    actions.push_back(EndWorkflow{EndWorkflow::How::kAborted});
    return actions;
  }
  for (const std::size_t place : std::exchange(to_retry_, {})) actions.push_back(RetryLater{place});
  while (true) {
    fill(actions);
    if (position_.layer && open_in_layer_ > 0) return actions;
    if (position_.layer && !position_.reported) {
      position_.reported = true;
      actions.push_back(EndLayer{*position_.layer});
    }
    const auto next = next_layer();
    if (!next) {
      const auto any = [&](TaskStatus status) {
        return std::any_of(tasks_.begin(), tasks_.end(),
                           [&](const ScheduledTask& task) { return !task.gone && task.status == status; });
      };
      using How = EndWorkflow::How;
      over_ = true;
      actions.push_back(EndWorkflow{any(TaskStatus::kFailed)       ? How::kFailed
                                    : any(TaskStatus::kFailedSafe) ? How::kPartial
                                                                   : How::kFinished});
      return actions;
    }
    if (position_.layer && !position_.decided) {
      const Decision by = decision_after(*position_.layer);
      if (by != Decision::kNone) {
        if (!position_.asked) actions.push_back(AskDecision{*position_.layer, by});
        position_.asked = true;
        return actions;
      }
      position_.decided = true;
    }
    if (position_.paused || held_) return actions;
    start_layer(*next, actions);
  }
}

void Scheduler::ended(std::size_t place, End end) {
  ScheduledTask& task = tasks_[place];
  if (task.status != TaskStatus::kRunning) return;
  --running_;
  if (aborting_) {
    end_task(place, end == End::kCompleted ? TaskStatus::kCompleted : TaskStatus::kAborted);
    return;
  }
  const bool again = task.attempt < task.attempts;
  switch (end) {
    case End::kCompleted: return end_task(place, TaskStatus::kCompleted);
    case End::kFailedFinal: return end_task(place, TaskStatus::kFailed);
    case End::kFailedSafeFinal: return end_task(place, TaskStatus::kFailedSafe);
    case End::kFailed:
    case End::kFailedSafe:
      if (!again) return end_task(place, end == End::kFailed ? TaskStatus::kFailed : TaskStatus::kFailedSafe);
      task.status = TaskStatus::kRetrying;
      to_retry_.push_back(place);
      return;
    case End::kUnknown:
      task.status = TaskStatus::kUnknown;
      ++unknown_;
      return;
    case End::kNotBegun:
      task.status = TaskStatus::kPending;
      --task.attempt;
      ready_.push_front(place);
      return;
  }
}

void Scheduler::retry_due(std::size_t place) {
  if (tasks_[place].status != TaskStatus::kRetrying || aborting_) return;
  tasks_[place].status = TaskStatus::kPending;
  ready_.push_back(place);
}

bool Scheduler::settle(std::size_t place, Verdict verdict) {
  if (tasks_[place].status != TaskStatus::kUnknown || aborting_) return false;
  --unknown_;
  if (verdict == Verdict::kRetry) {
    tasks_[place].status = TaskStatus::kPending;
    ready_.push_back(place);
  } else {
    end_task(place, verdict == Verdict::kSkip   ? TaskStatus::kSkipped
                    : verdict == Verdict::kDone ? TaskStatus::kCompleted
                                                : TaskStatus::kFailed);
  }
  return true;
}

void Scheduler::abort() {
  aborting_ = true;
  position_.asked = false;
}

bool Scheduler::go_on() {
  const bool had = position_.paused || position_.asked;
  position_.paused = false;
  if (position_.asked) position_.decided = true;
  position_.asked = false;
  return had;
}

std::optional<std::size_t> Scheduler::layer_before(std::size_t layer) const {
  const auto here = layers_.lower_bound(layer);
  return here == layers_.begin() ? std::nullopt : std::optional(std::prev(here)->first);
}

bool Scheduler::is_agreed(std::size_t layer) const {
  const auto before = layer_before(layer);
  return position_.layer && layer <= *position_.layer && before && decision_after(*before) == Decision::kHuman;
}

void Scheduler::ask_again() {
  if (position_.layer && decision_after(*position_.layer) == Decision::kHuman) {
    position_.asked = position_.decided = false;
  }
}

void Scheduler::ask_again_before_layer() {
  if (open_in_layer_ == 0) return ask_again();
  const auto before = layer_before(*position_.layer);
  if (!before || decision_after(*before) != Decision::kHuman) return;
  position_ = {before, true, false, false, position_.paused};
  ready_.clear();
  open_in_layer_ = 0;
}

std::optional<std::size_t> Scheduler::skip_layer() {
  const auto layer = next_layer();
  if (!layer) return std::nullopt;
  for (const std::size_t place : layers_.at(*layer)) {
    if (!has_ended(tasks_[place].status)) end_task(place, TaskStatus::kSkipped);
  }
  return layer;
}

std::size_t Scheduler::add(std::vector<ScheduledTask> tasks) {
  const std::size_t first = tasks_.size();
  const std::size_t least = position_.layer ? *position_.layer + 1 : 0;
  for (ScheduledTask& task : tasks) tasks_.push_back(std::move(task));
  // Each after what it depends on; they may be listed in any order, and there may be many.
  std::vector<std::vector<std::size_t>> dependents(tasks_.size() - first);
  std::vector<std::size_t> open(tasks_.size() - first);
  std::vector<std::size_t> settled;
  for (std::size_t place = first; place < tasks_.size(); ++place) {
    for (const std::size_t on : tasks_[place].dependencies) {
      if (on < first) continue;
      dependents[on - first].push_back(place);
      ++open[place - first];
    }
    if (open[place - first] == 0) settled.push_back(place);
  }
  for (std::size_t i = 0; i < settled.size(); ++i) {
    ScheduledTask& task = tasks_[settled[i]];
    task.layer = least;
    for (const std::size_t on : task.dependencies) task.layer = std::max(task.layer, tasks_[on].layer + 1);
    for (const std::size_t next : dependents[settled[i] - first])
      if (--open[next - first] == 0) settled.push_back(next);
  }
  for (std::size_t place = first; place < tasks_.size(); ++place) layers_[tasks_[place].layer].push_back(place);
  return first;
}

std::vector<std::size_t> Scheduler::drop_pending() {
  std::vector<std::size_t> dropped;
  for (std::size_t place = 0; place < tasks_.size(); ++place) {
    ScheduledTask& task = tasks_[place];
    // Tasks in the current layer have been started with it.
    if (task.gone || task.status != TaskStatus::kPending) continue;
    if (position_.layer && task.layer <= *position_.layer) continue;
    task.gone = true;
    dropped.push_back(place);
  }
  for (auto& [layer, places] : layers_) std::erase_if(places, [&](std::size_t place) { return tasks_[place].gone; });
  std::erase_if(layers_, [](const auto& item) { return item.second.empty(); });
  return dropped;
}

}  // namespace glovebox::workflow
