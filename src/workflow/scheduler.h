// Scheduler: which task is next. A state machine without clock, store or sandbox: its input is what happened and its
// output what to do, so that its driver can save both in one step, and a test can compare it with a model.
//
// Layers run one after the other; within a layer tasks run side by side, at most `concurrency` of them. A task that
// fails fails those that depend on it, and no others.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "workflow/definition/definition.h"

namespace glovebox::workflow {

enum class TaskStatus {
  kPending,
  kRunning,
  kRetrying,  // waits before it is tried again
  kUnknown,   // whether it happened is unknown: a person is asked
  kCompleted,
  kFailed,
  kFailedSafe,  // failed without an effect: its dependents run and see that
  kSkipped,
  kAborted,
};
std::string_view name_of(TaskStatus status);
std::optional<TaskStatus> task_status_named(std::string_view name);
inline bool has_ended(TaskStatus status) {
  return status >= TaskStatus::kCompleted;
}
// Whether tasks that depend on it may run.
inline bool lets_pass(TaskStatus status) {
  return status == TaskStatus::kCompleted || status == TaskStatus::kFailedSafe || status == TaskStatus::kSkipped;
}

// What is to be done. Tasks are identified by their index in the list that the scheduler was given.
struct StartLayer {
  std::size_t layer;
};
struct StartTask {
  std::size_t task;
};
struct BlockTask {  // it has failed without having run
  std::size_t task;
  std::size_t because;
};
struct RetryLater {  // call retry_due() after a pause
  std::size_t task;
};
struct CancelTask {  // call ended() when it is gone
  std::size_t task;
};
struct EndLayer {
  std::size_t layer;
};
struct AskDecision {
  std::size_t layer;  // that has ended
  Decision by;
};
struct EndWorkflow {
  enum class How {
    kFinished,
    kFailed,
    kAborted,
    kPartial,  // a task failed without an effect, and the others continued
  } how;
};
using Action =
    std::variant<StartLayer, StartTask, BlockTask, RetryLater, CancelTask, EndLayer, AskDecision, EndWorkflow>;

struct ScheduledTask {
  std::vector<std::size_t> dependencies;  // places of tasks before it or after it
  std::size_t layer = 0;
  Decision decision = Decision::kNone;  // after its layer
  int attempts = 1;                     // in total; more than one only where another attempt is harmless

  // Its state; other than this for a task that is resumed.
  TaskStatus status = TaskStatus::kPending;
  int attempt = 0;    // how often it was started
  bool gone = false;  // replaced by another plan
};

// Where a workflow stands between its layers.
struct Position {
  std::optional<std::size_t> layer;  // the last that was started
  bool reported = false;             // its end has been reported
  bool asked = false;                // a decision is awaited before it continues
  bool decided = false;              // it may continue after it
  bool paused = false;
};

// Why a workflow does not go back to a checkpoint.
inline constexpr std::string_view kOtherPlan =
    "the plan has changed since that checkpoint and no longer has that layer; use an earlier checkpoint";

class Scheduler {
 public:
  Scheduler(std::vector<ScheduledTask> tasks, std::size_t concurrency, Position position = {});

  // What is to be done now. Tasks that were running are still running: the driver that resumes them knows of them.
  std::vector<Action> advance();

  enum class End {
    kCompleted,
    kFailed,       // may be tried again
    kFailedFinal,  // may not
    kFailedSafe,   // may be tried again, and does no harm if it fails for good
    kFailedSafeFinal,
    kUnknown,
    kNotBegun,  // as if it had never been started
  };
  void ended(std::size_t task, End end);
  void retry_due(std::size_t task);

  // A person reports what became of a task whose outcome is unknown.
  enum class Verdict { kRetry, kSkip, kFail, kDone };
  bool settle(std::size_t task, Verdict verdict);

  void abort();
  void pause() { position_.paused = true; }
  // As if paused, for the current driver only: the next one does not see it.
  void hold() { held_ = true; }
  // Ends a pause, or continues after a layer. False when there is neither.
  bool go_on();
  // The next layer that has not been started is not run; nothing when there is none.
  std::optional<std::size_t> skip_layer();
  // Adds tasks, behind the layers that were started. Returns the index of the first.
  std::size_t add(std::vector<ScheduledTask> tasks);
  // A person's approval covers the tasks of one layer, as they were shown, once. Whether this layer was begun with one:
  bool is_agreed(std::size_t layer) const;
  // The approved tasks have changed, and have not been started: the person is asked again.
  void ask_again();
  // The approved tasks are to be done again after a rollback: the person is asked again.
  void ask_again_before_layer();
  // Drops tasks that have not been started.
  std::vector<std::size_t> drop_pending();

  const std::vector<ScheduledTask>& tasks() const { return tasks_; }
  const Position& position() const { return position_; }
  bool asks() const { return position_.asked; }  // a decision is awaited
  bool aborting() const { return aborting_; }
  bool starts_no_more() const { return aborting_ || held_; }
  bool over() const { return over_; }
  std::size_t running() const { return running_; }
  std::size_t unknown() const { return unknown_; }
  std::optional<std::size_t> next_layer() const;
  bool has_layer(std::size_t layer) const { return layers_.contains(layer); }
  Decision decision_after(std::size_t layer) const;

 private:
  void fill(std::vector<Action>& actions);
  void start_layer(std::size_t layer, std::vector<Action>& actions);
  void end_task(std::size_t task, TaskStatus status);
  std::optional<std::size_t> layer_before(std::size_t layer) const;

  std::vector<ScheduledTask> tasks_;
  std::map<std::size_t, std::vector<std::size_t>> layers_;
  std::size_t concurrency_;
  Position position_;
  std::deque<std::size_t> ready_;  // of the layer that runs
  std::size_t open_in_layer_ = 0;  // not ended
  std::size_t running_ = 0;
  std::size_t unknown_ = 0;
  std::vector<std::size_t> to_retry_;
  bool held_ = false;
  bool aborting_ = false;
  bool cancelled_ = false;  // the running tasks were cancelled, because of the abort
  bool over_ = false;
};

}  // namespace glovebox::workflow
