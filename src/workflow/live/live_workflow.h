// One workflow, driven by its engine.
//
// It proceeds in turns: what has happened since the last one is passed to the scheduler, the scheduler's actions become
// one step, the step is saved, and only then is anything done. So the store is never behind what is visible outside,
// and the gateway that resumes it after a crash finds each task as pending, as running with its run's id, or as ended.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "workflow/command.h"
#include "workflow/engine.h"
#include "workflow/live/stored_workflow.h"
#include "workflow/live/task_end.h"
#include "workflow/live/task_outputs.h"
#include "workflow/scheduler.h"
#include "workflow/snapshot.h"

namespace glovebox::workflow {

class LiveWorkflow : public std::enable_shared_from_this<LiveWorkflow> {
 public:
  using Shared = std::shared_ptr<WorkflowEngine::Shared>;
  // One that is not in the store yet. A fork begins with what is there of its source.
  static Result<std::shared_ptr<LiveWorkflow>> make(Shared shared, store::WorkflowRecord record, Definition definition,
                                                    json::value input, std::optional<StoredWorkflow> source);
  // Writes it to the store, also on the store's thread; then it is created().
  std::function<Result<store::Fence>(store::Store&)> creation() const;
  void created(const store::Fence& fence);
  // From the store; it was claimed.
  static Result<std::shared_ptr<LiveWorkflow>> resume(Shared shared, StoredWorkflow stored);

  // `on_over`: it has ended, or is no longer ours.
  void begin(std::function<void()> on_over);
  // Something has happened to it.
  void wake();
  // There are commands in the store.
  void wake_for_commands();
  // The same. `tell` is called once they are obeyed and that is saved, or it is not driven here any more: with why this
  // one was refused, if it was.
  void obey(std::int64_t command, std::function<void(Result<void>)> tell);
  // Whether the command would be obeyed now.
  Result<void> check(const store::WorkflowCommand& command) const;
  // Carries out the commands in the store, and nothing of the plan: no task begins, and no run is resumed.
  void obey_and_leave();
  // See WorkflowEngine::drain.
  void drain(std::function<void()> then);
  bool is_at_rest() const;
  // The engine closes.
  void leave();
  // Another gateway drives it now: what was not saved has not happened, and is not reported.
  void lose(const std::string& why);

  const std::string& id() const { return record_.id; }
  const std::string& client() const { return record_.client; }

 private:
  struct Entry {
    Task task;
    store::TaskRecord record;                   // without its output
    std::shared_ptr<const json::value> output;  // as long as a task may need it
    OutputUse use;
    TaskGrants grants;
    std::set<std::string> approvals;  // that were reported
    std::vector<std::string> notes;   // limits that it asked for and did not get
    bool waits = false;               // for a person
  };
  struct RunOver {
    std::size_t place;
    std::string run;
    store::RunStatus status;
    std::string outcome_json;
    std::shared_ptr<const Outcome> outcome;  // null: only what the store has of it
    bool layer_is_lost = false;              // its changes cannot be made again
    std::optional<store::Lease> lease;       // once announced in the store: until when its changes may be put in place
    std::optional<Result<void>> committed;   // whether its changes are in place
  };
  // A step on its way to the store.
  struct Saving {
    store::WorkflowStep step;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    std::mutex mutex;
    std::optional<Result<store::StepReceipt>> saved;  // set on the store's thread
  };
  // Files on their way to the disk.
  struct Committing {
    RunOver over;
    std::atomic<bool> dropped = false;      // the workflow is no longer ours
    std::optional<Result<void>> committed;  // both set on the thread of the disk
    std::optional<Failure> lost;            // another gateway drives it now
  };
  struct ToStart {
    std::size_t place;
    gateway::ExecuteRequest request;
  };
  struct ToRetry {
    std::size_t place;
    std::chrono::milliseconds pause;
  };

  LiveWorkflow(Shared shared, store::WorkflowRecord record, Definition definition, json::value input);
  void load_tasks(const std::vector<store::TaskRecord>& rows);
  void add_entries(const std::vector<Task>& tasks);
  void count_users();
  // The outputs that are still needed: from `known`, or as the store has them. Fails if they are more than may be kept.
  using Outputs = std::map<std::string, std::shared_ptr<const json::value>>;
  Result<void> load_outputs(std::map<std::string, json::value> stored, const Outputs& known);
  void make_scheduler(const Position& position);
  ScheduledTask scheduled(const Entry& entry, std::size_t layer) const;
  std::size_t place_of(const std::string& id) const { return places_.at(id); }

  // --- turns
  void turn();
  void advance();
  void handle(const Action& action);
  void save();
  void post_step(std::shared_ptr<Saving> saving);
  void on_saved(const std::shared_ptr<Saving>& saving);
  // Waits for the step that is being saved, if the store is reachable.
  void settle();
  void perform();

  // --- tasks
  void prepare(std::size_t place);
  void end_without_run(std::size_t place, TaskEnd end);
  void start_run(ToStart start);
  // How many runs its client may have at once.
  std::size_t most_runs() const;
  void wait_for_room(ToStart start);
  void begin_again_later(std::size_t place, const std::string& run);
  void follow_run(std::size_t place);
  void on_waiting(std::size_t place, const std::string& run, const gateway::ApprovalRequest& approval);
  void absorb(const RunOver& over);
  void end_task(const RunOver& over);
  void note_end(std::size_t place, const TaskEnd& end);
  // --- files that tasks write
  enum class Files { kWritten, kNotWritten, kUncertain };
  Result<void> announce(RunOver over);
  void end_announcement();
  void commit(RunOver over);
  static Result<void> put_in_place(Committing& committing, store::Store& store);
  void on_committed(const std::shared_ptr<Committing>& committing);
  Files find_files(std::size_t place) const;
  void make_changes_again(const RunOver& over);
  void release_outputs(std::size_t place);
  bool has_room_for(const json::value& output) const;
  // Counts among what is kept until it is released.
  std::shared_ptr<const json::value> kept(json::value output);
  void set_waits(std::size_t place, bool waits);
  std::string detail_of(const Entry& entry) const;
  gateway::RunEvents events_of(std::size_t place, const std::string& run);

  // --- commands
  void read_commands();
  void on_commands(Result<std::vector<store::WorkflowCommand>> commands);
  void obey_commands();
  // What the rollback that is the next command goes back to.
  std::function<Result<StoredWorkflow>(store::Store&)> way_back() const;
  void read_way_back();
  void tell_obeyed();
  Result<void> obey(const store::WorkflowCommand& command, CommandType type, const json::object& said);
  Result<void> check_known(const store::WorkflowCommand& command, CommandType type, const json::object& said) const;
  Result<void> answer(const store::WorkflowCommand& command, const json::object& said);
  void note_refused(std::int64_t command, const std::string& why);
  Result<void> replace_tasks(CommandType type, const json::object& said);
  Result<void> roll_back(StoredWorkflow back);
  std::vector<Task> tasks_that_stay(CommandType type) const;
  // Whether the approval covers the tasks that are next.
  Result<void> check_yes(const json::object& said) const;

  // --- what is saved
  void event(const char* type, json::object payload);
  Result<void> update_state(json::value update, bool tell);
  Result<void> check_own_statuses(const json::value& update) const;
  Result<void> check_state_room(const json::value& update) const;
  std::size_t state_bytes() const;  // in memory
  // What it writes to the store counts until it ends.
  std::string holder() const;
  bool may_store(std::size_t bytes) const { return shared_->stored->has_room(holder(), bytes); }
  void note_stored(std::size_t bytes);
  void note_step(const store::WorkflowStep& step);
  // Whether the next checkpoint has the whole state: not if that is large and hardly changes.
  bool is_snapshot_due() const;
  void touch(std::size_t place);
  store::WorkflowStatus status() const;
  std::string outcome_of(EndWorkflow::How how) const;

  Shared shared_;
  store::WorkflowRecord record_;
  store::Fence fence_;
  std::string outputs_of_;  // of a fork that is not in the store yet: the workflow that has them
  Definition definition_;
  json::value input_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> places_;
  std::unique_ptr<Scheduler> scheduler_;
  WorkflowState state_;
  std::int64_t generation_ = 0;
  bool keeps_leaves_ = true;  // outputs of tasks without dependents are reported at the end, if there are few

  // Of the step that is being made.
  store::WorkflowStep step_;
  std::set<std::size_t> touched_;
  std::map<std::size_t, std::string> outputs_;  // JSON of those that have ended in it
  json::array updates_;
  std::string checkpoint_kind_;
  std::string checkpoint_label_;
  bool wants_snapshot_ = false;
  std::size_t snapshot_bytes_ = 0;              // of the last one
  std::size_t delta_bytes_ = 0;                 // since then
  std::vector<base::ByteShares::Held> stored_;  // what it has in the store
  std::size_t not_held_ = 0;                    // of that, too little to be counted yet
  std::vector<ToStart> to_start_;
  std::vector<ToRetry> to_retry_;
  std::vector<std::string> to_cancel_;

  std::vector<RunOver> over_;  // since the last turn
  std::vector<std::size_t> due_;
  std::vector<std::function<void()>> noted_;
  std::map<std::size_t, boost::asio::steady_timer> timers_;
  boost::asio::steady_timer save_timer_;
  std::size_t waiting_ = 0;  // tasks that wait for a person
  std::int64_t commands_done_ = 0;
  std::string abort_reason_;
  bool commands_wait_ = true;
  bool reads_commands_ = false;  // on the store's thread, or what they go back to; while set, nothing else happens
  std::deque<store::WorkflowCommand> commands_;     // that were read
  std::optional<Result<StoredWorkflow>> way_back_;  // of the first of them
  struct Given {
    std::int64_t command;
    std::function<void(Result<void>)> tell;
    Result<void> verdict;
  };
  std::vector<Given> given_;                 // to be told once what is in the store is obeyed
  std::vector<Given> obeyed_;                // once the step that is being made is saved
  std::map<std::int64_t, Failure> refused_;  // the latest: a poll may find one before its giver asks
  bool posted_ = false;
  std::shared_ptr<Saving> saving_;          // while set, nothing else happens
  std::shared_ptr<Committing> committing_;  // likewise
  std::vector<RunOver> to_commit_;          // one after the other
  bool commits_ = false;                    // one of them is under way
  bool left_ = false;
  std::function<void()> on_over_;
  std::function<void()> on_drained_;
};

}  // namespace glovebox::workflow
