// Store: what must outlive a gateway, in one SQLite file of the workspace that several processes share, or in a
// PostgreSQL database that several machines share.
//
// One connection of this process does all of it, one thing at a time: every member may be called from any thread, and
// waits for the disk. What must not wait is posted (thread/store_thread.h). What is said about waiting runs (journals,
// calls begun, approvals, answers) and about workflows survives the end of the machine, the rest the end of the
// process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/try.h"
#include "store/cache/cache_records.h"
#include "store/database/database.h"
#include "store/database/failpoint.h"
#include "store/database/postgres.h"
#include "store/lease.h"
#include "store/nodes.h"
#include "store/records.h"
#include "store/seal/row_seal.h"
#include "store/thread/store_thread.h"
#include "store/tool_records.h"
#include "store/workflows/workflow_records.h"
#include "store/workflows/workflow_store.h"

namespace glovebox::store {

// Of code, contexts and results of ended runs, the newest.
inline constexpr std::int64_t kMostKeptBytes = std::int64_t{512} << 20;

class Store final {
 public:
  // A SQLite file. `folder` is made if need be, for its owner alone. `key` is that of rows that grant something; all
  // who share a store have the same. A store of an older version is changed, which may take minutes: `progress` says
  // so.
  static Result<std::unique_ptr<Store>> open(const std::string& folder, const RowKey& key,
                                             const std::string& file = "glovebox.db", const Progress& progress = {});
  // A PostgreSQL database: postgres://….
  static Result<std::unique_ptr<Store>> connect(const std::string& address, const RowKey& key,
                                                const Progress& progress = {});
  // Whether several machines may share it. If so, nodes are known to be dead by their lease alone.
  bool is_shared() const { return !address_.empty(); }
  // Tells whenever somebody else has written what the driver of a run or workflow should look at, on a thread of its
  // own, for several perhaps once. Null where processes wake each other in other ways (a SQLite file).
  std::unique_ptr<PostgresListener> listen(std::function<void()> on_wake);

  // --- what does not wait: on the store's own thread, in the order in which it is posted
  // `work` writes with the members of this Store, as often as it takes: while the database is away it is tried again.
  // With others it may be one transaction. `done` is told on the store's thread, and may be empty.
  using Done = std::function<void(Result<void>)>;
  // One that nobody waits for (Haste::kWithNext) may take a few milliseconds, unless somebody hurries.
  void post_write(std::function<Result<void>(Store&)> work, Done done, bool survives_power = true,
                  Haste haste = Haste::kNow);
  void hurry() { thread_.hurry(); }
  // Once, whatever comes of it: for what looks into the store from time to time.
  void post(std::function<void(Store&)> work);
  // Until all that was posted is done.
  Result<void> wait_for_posted();
  // For how long nothing could be written that was to be; zero where all is well.
  std::chrono::steady_clock::duration is_away_for() const { return thread_.stands_still(); }
  // As the last write that has to wait has failed; empty where none waits.
  std::string why_away() const;

  // --- rows that grant something
  // Those whose digest is not ours are not given to anybody. Each is told of once, on any thread and while the Store is
  // busy: `tell` does not use it.
  void tell_wrong_rows(std::function<void(const std::string&)> tell);
  // Makes all that there is ours. For a store that its owner has said yes to.
  Result<void> seal_all();

  // --- nodes: the gateways that write
  // This Store writes as that node from here on: once the node is removed, every write fails with kConflict and leaves
  // nothing behind. A lease of zero has no end: the node is there until it is removed.
  Result<void> join(const NodeRecord& node);
  // Fails with kInvalidArgument once a newer program has changed the tables: this one must not write any more.
  Result<void> check_version();
  // Says that the node lives on. False when it was removed: what it drives is somebody else's.
  Result<bool> renew_lease();
  // The same, for what is about to be done outside the store: until when nobody can have taken the node for dead.
  // kConflict when it was removed. Where the store is not shared, a node that lives is never taken for dead.
  Result<Lease> hold_lease();
  // The node goes in good order. If it is the one that this Store writes as, it writes as nobody in particular.
  Result<void> leave(const std::string& id);
  Result<void> leave();  // whichever this Store writes as
  // One that is known to be dead, such as a process whose lock is free.
  Result<void> remove_node(const std::string& id);
  // Removes the other nodes whose lease has run out by the database's clock. Says which.
  Result<std::vector<std::string>> remove_expired_nodes();
  Result<std::vector<NodeRecord>> nodes();
  // As the node that this Store writes as; another takes the place of the former one.
  Result<void> set_status(const NodeStatus& status);
  Result<std::vector<NodeStatus>> node_statuses();  // of nodes that are there
  // Those from before `oldest`, of any node, go.
  Result<void> add_sample(const NodeSample& sample, std::int64_t oldest);
  Result<std::vector<NodeSample>> node_samples(std::int64_t since);  // oldest first
  Result<void> add_node_request(const NodeRequest& request);
  // Each is given once. Those whose digest is not ours go unread.
  Result<std::vector<NodeRequest>> take_node_requests(const std::string& node);

  // --- runs
  Result<void> add_run(const RunRecord& run);
  Result<void> set_status(const std::string& run, RunStatus status);
  // Its pending approvals are withdrawn, its rules are dropped, and its journal unless that remains. One that does is
  // dropped by the step of a workflow that says so (WorkflowStep::drop_journals).
  Result<void> end_run(const std::string& run, RunStatus status, const std::string& outcome, std::int64_t at,
                       const RunRemains& remains = {});
  Result<std::optional<RecordingRecord>> find_recording(const std::string& run);
  // As far as it has come; end_run replaces it.
  Result<void> save_trace(const std::string& run, const std::string& trace, const std::string& spans);
  Result<std::optional<std::string>> find_trace(const std::string& run);
  // Of all runs in it, the first that were written first.
  Result<std::vector<TraceRecord>> traces_of(const std::string& trace, std::size_t most);
  Result<std::optional<RunRecord>> find_run(const std::string& id);
  // Newest first, without code, context and outcome. Of one client, or of all if it is empty.
  // Of those from before `before`.
  Result<std::vector<RunRecord>> list_runs(std::optional<RunStatus> status, std::size_t most,
                                           const std::string& client = {},
                                           std::int64_t before = std::numeric_limits<std::int64_t>::max());
  Result<std::vector<RunRecord>> unended_runs();  // without code, context and outcome
  // Whether it was `from`'s until now, and `from` is not a node any more. One that is not ours is never taken over.
  Result<bool> take_over(const std::string& run, const std::string& from, const std::string& to);
  // A wish to whoever drives it; false when it has ended.
  Result<bool> ask_to_cancel(const std::string& run);
  Result<std::vector<std::string>> runs_to_cancel(const std::string& owner);

  // --- what runs have emitted; as they were written with the run's end, and gone with the run
  Result<std::vector<ArtifactRecord>> artifacts(const std::string& run);
  Result<std::optional<Artifact>> find_artifact(const std::string& run, const std::string& name);

  // --- how far audit logs had come, in their own words
  Result<std::string> audit_head(const std::string& log);  // empty: nothing is known
  // One with a lower sequence than is there changes nothing.
  Result<void> set_audit_head(const std::string& log, const std::string& head, std::int64_t sequence);
  Result<std::vector<std::string>> audit_heads_of_runs();

  // --- journals
  // The journal of a run as it is now: from here on it is in the store.
  Result<void> begin_journal(const std::string& run, const std::vector<JournalEntry>& entries,
                             const std::vector<std::uint64_t>& calls_begun);
  Result<void> append_journal(const std::string& run, std::uint64_t sequence, const JournalEntry& entry);
  Result<void> mark_begun(const std::string& run, std::uint64_t call);
  // From here on it is not, and the run cannot be taken up again.
  Result<void> drop_journal(const std::string& run);
  Result<std::vector<JournalEntry>> journal(const std::string& run);
  Result<std::vector<std::uint64_t>> calls_begun(const std::string& run);

  // --- approvals
  Result<void> add_approval(const ApprovalRecord& approval);
  Result<std::optional<ApprovalRecord>> find_approval(const std::string& id);
  // Oldest first. Empty `run`: of all runs.
  Result<std::vector<ApprovalRecord>> approvals(const std::string& run, bool pending_only);
  // Calls that are asked about again: the earlier question about them is off.
  Result<void> withdraw_call(const std::string& approval, std::uint64_t call);

  // The first answer to a call counts. Fails with kNotFound, or with kConflict when every call that it speaks of has
  // been answered already. Rules for the run or the session hold from here on. Gives the answer's id.
  Result<std::int64_t> answer(const AnswerRecord& answer, const std::string& session);
  // A yes that becomes a no: for every call of `no.approval` that was approved and has not begun. What the yes allowed
  // beyond these calls goes with it; `no.scope` becomes how far that was. kConflict when it is too late for all of
  // them.
  struct TakenBack {
    std::int64_t answer = 0;
    std::vector<std::string> rules_in_config;  // "always" rules that were written by then: they stay there
  };
  Result<TakenBack> take_back(const AnswerRecord& no);
  // Right before an approved call is made. kConflict when the yes was taken back: it must not be made.
  Result<void> begin_approved(const std::string& approval, std::uint64_t call);
  Result<std::vector<AnswerRecord>> answers_after(std::int64_t id);
  Result<std::vector<AnswerRecord>> answers_to(const std::string& approval);
  Result<std::int64_t> last_answer();

  // --- rules that answers made
  Result<std::vector<RememberedRule>> rules_for(const std::string& run, const std::string& session);
  Result<std::vector<RememberedRule>> rules_to_write();
  Result<void> set_written(std::int64_t rule);

  // --- what search remembers of tools
  // Fills in the vectors of those that are kept; the others stay empty. What is looked for counts as in use.
  Result<void> find_vectors(const std::string& model, std::vector<VectorRecord>& wanted, std::int64_t now);
  // One that is there already is replaced.
  Result<void> keep_vectors(const std::string& model, const std::vector<VectorRecord>& vectors, std::int64_t now);
  // Of any model: what nobody has looked for since `before`, and the oldest beyond `most`.
  Result<void> prune_vectors(std::size_t most, std::int64_t before);
  // Counts one more use for the same intent; of a user's uses the newest `most` are kept.
  Result<void> add_use(const UseRecord& use, std::size_t most);
  Result<std::vector<UseRecord>> tool_uses(const std::string& user);  // newest first

  // --- results that serve again
  Result<std::optional<CacheEntry>> find_cached(const std::string& key);  // expired or not
  // `misses` are those that were counted since the last word about them.
  Result<void> note_cache_hit(const std::string& key, std::int64_t now, std::int64_t misses);
  // In place of one with the same key. What has expired goes, and then the least recently used, until the rest fits.
  Result<void> keep_cached(const CacheEntry& entry, std::int64_t most_entries, std::int64_t most_bytes,
                           std::int64_t misses);
  Result<void> drop_cached(const std::string& key);
  Result<std::size_t> purge_cache();                              // says how many there were
  Result<std::vector<CacheEntry>> list_cached(std::int64_t now);  // without values, the last used first
  Result<CacheCounts> cache_counts();

  // --- workflows; who may write, and what a step is: workflow_store.h
  // With its first step, which has the entry checkpoint. With an owner it is claimed (epoch 1) by the node of that id;
  // without one the next claim() takes it. kConflict when there is one of this id already.
  Result<Fence> create_workflow(const WorkflowRecord& workflow, const WorkflowStep& first);

  // The oldest unended workflow that is nobody's or whose owner is not a node any more, whatever it waits for. No two
  // claims give the same one. One that has been claimed `most_claims` times without coming to a checkpoint is ended as
  // dead instead, with an event (workflow_abort, {"status":"dead",…}), and the next is looked at.
  Result<std::optional<WorkflowRecord>> claim_workflow(const std::string& owner,
                                                       std::int64_t most_claims = kMostClaims);
  // This one, if it can be claimed: for `runs resume`. Nothing when it has ended or is a living node's.
  Result<std::optional<WorkflowRecord>> claim_workflow_by_id(const std::string& workflow, const std::string& owner);
  // Nobody's from here on, and not counted as an attempt: a gateway that closes in good order.
  Result<void> release_workflow(const Fence& fence);
  // One that has ended is open again and nobody's: `runs resume` of a dead one, a rollback. False when it has not
  // ended.
  Result<bool> reopen_workflow(const std::string& workflow);

  // kConflict when the fence is lost or the workflow has ended.
  Result<StepReceipt> save_step(const Fence& fence, const WorkflowStep& step);

  Result<std::optional<WorkflowRecord>> find_workflow(const std::string& id);
  // Newest first, without definition, input, config and outcome. Of one client, or of all if it is empty.
  Result<std::vector<WorkflowRecord>> list_workflows(std::optional<WorkflowStatus> status, std::size_t most,
                                                     const std::string& client = {});
  // In the order of layer and id.
  Result<std::vector<TaskRecord>> workflow_tasks(const std::string& workflow);
  Result<std::vector<WorkflowEvent>> workflow_events_after(const std::string& workflow, std::int64_t number,
                                                           std::size_t most);
  Result<std::vector<CheckpointRecord>> workflow_checkpoints(const std::string& workflow);
  // kNotFound when there is no such checkpoint.
  Result<StateParts> state_at(const std::string& workflow, std::int64_t checkpoint);

  // From anybody; the gateway that drives the workflow is woken. Gives its id; kNotFound when there is no such
  // workflow, kConflict when it has ended.
  Result<std::int64_t> add_command(const WorkflowCommand& command);
  // Those that no step has consumed yet, in their order.
  Result<std::vector<WorkflowCommand>> open_commands(const std::string& workflow);
  // Workflows of this owner that have open commands: one cheap question for all of them.
  Result<std::vector<std::string>> workflows_with_commands(const std::string& owner);

  // Runs and workflows that have ended, beyond `keep` of each, beyond `most_bytes` or from before `before`, go with
  // all that belongs to them, and so do large values that nothing refers to; the space is given back. In small writes,
  // each of which stays whatever becomes of the rest. On a thread that does not wait, one of them.
  struct Pruned {
    std::size_t removed = 0;  // runs and workflows
    bool more = false;        // there is more to do
  };
  Result<Pruned> prune(std::size_t keep, std::int64_t before, std::int64_t most_bytes = kMostKeptBytes,
                       const std::function<void(std::size_t removed)>& progress = {});

  // Another text whenever somebody has written since the last one; cheap where nobody has.
  Result<std::string> change_mark();

  // What is wrong with what it keeps, one line each; empty when all is well.
  Result<std::vector<std::string>> check();
  // How far a copy is, in rows.
  using CopyProgress = std::function<void(std::size_t done, std::size_t of)>;
  // A copy of all of it as it is now, a SQLite store for its owner alone. kConflict when the file is there.
  Result<void> back_up_to(const std::string& path, const CopyProgress& progress = {});
  // All that `from` has but who runs now, if this one is empty (else kConflict): all or nothing.
  Result<void> fill_from(Store& from, const CopyProgress& progress = {});
  // Those who run now are not known any more. For a copy.
  Result<void> forget_nodes();
  Result<std::int64_t> bytes();  // on its disk
  // Gives free space back to the file system. Whoever writes to a SQLite file waits for it.
  Result<void> vacuum();

 private:
  Store(std::unique_ptr<Database> database, const RowKey& key);
  static Result<std::unique_ptr<Store>> on(std::unique_ptr<Database> database, const RowKey& key,
                                           const Progress& progress);
  // Whether rows are left out that are not ours.
  enum class Trust { kOursOnly, kWhatever };
  bool is_ours(const std::string& digest, const std::string& expected, const std::string& row);
  void tell_wrong_row(const std::string& row);
  // Within a read or a write.
  Result<std::optional<RunRecord>> read_whole_run(const std::string& id);
  Result<std::vector<ApprovalRecord>> read_approvals(const std::string& run, bool pending_only, Trust trust);
  Result<std::vector<AnswerRecord>> read_answers_after(std::int64_t id, Trust trust);
  Result<std::vector<AnswerRecord>> read_answers(Statement& rows, Trust trust);
  Result<std::vector<RememberedRule>> read_rules(Statement& rows, Trust trust);
  Result<void> migrate(const Progress& progress);
  Result<bool> migrate_one_step(const Progress& progress);
  Result<std::int64_t> version();
  Result<Pruned> prune_some(std::size_t keep, std::int64_t before, std::int64_t most_bytes);
  std::int64_t longest_judged_lease() const;  // in milliseconds; a longer one cannot be said to have run out
  Failure taken_for_dead() const;
  Result<void> check_node();
  // Within a write: a node writes to its own runs only. What a guest still says after its gateway has lost the run and
  // has come back under another name is not written.
  Result<void> check_owner(const std::string& run);
  static Failure not_ours(const std::string& run);
  Result<void> fill_calls(ApprovalRecord& approval, Trust trust);
  Result<std::string> lock_asking_run(const std::string& approval);
  Result<void> write_decision(const std::string& approval, const ApprovalCall& call);
  Result<std::int64_t> insert_answer(const AnswerRecord& answer);
  Result<void> write_trace(const std::string& run, const std::string& trace, const std::string& spans);
  Result<void> write_artifacts(const std::string& run, const std::vector<Artifact>& artifacts);
  Result<StepReceipt> write_step(const Fence& fence, const WorkflowStep& step, std::optional<StepReceipt> after);
  Result<std::optional<WorkflowRecord>> read_workflow(const std::string& id);

  void carry_out(std::vector<PostedWrite>& writes);
  void set_why_away(std::string why);
  Result<void> carry_out_together(std::vector<PostedWrite>& writes);
  Result<StoreThread::Turn> take_turn();
  void find_way_back();

  // All give what `work` gives, a Result. Whoever may write is checked within the write.
  template <typename Work>
  auto write(const Database::Write& how, Work work) -> decltype(work());
  template <typename Work>
  auto write_as_anybody(const Database::Write& how, Work work) -> decltype(work());
  template <typename Work>
  auto read(Work work) -> decltype(work());

  std::unique_ptr<Database> database_;
  RowSeal seal_;
  std::function<void(const std::string&)> tell_wrong_row_;
  std::set<std::string> told_;  // rows that are not ours
  std::string address_;         // of a database that is shared
  std::string node_;            // empty: this Store is no node's
  std::uint64_t writes_ = 0;
  struct Together {
    std::vector<const char*> names;  // of the writes
    bool node_is_checked = false;
  };
  Together* together_ = nullptr;  // those that share a transaction now
  std::atomic<bool> finds_way_back_ = false;
  mutable std::mutex why_away_mutex_;
  std::string why_away_;
  StoreThread thread_;  // ends first
};

template <typename Work>
auto Store::write(const Database::Write& how, Work work) -> decltype(work()) {
  return write_as_anybody(how, [&]() -> decltype(work()) {
    GLOVEBOX_TRY_VOID(check_node());
    return work();
  });
}

template <typename Work>
auto Store::write_as_anybody(const Database::Write& how, Work work) -> decltype(work()) {
  using Given = decltype(work());
  const auto turn = GLOVEBOX_TRY(take_turn());
  ++writes_;
  if (together_) {
    together_->names.push_back(how.what);
    if (!how.lock.empty()) GLOVEBOX_TRY_VOID(database_->lock(how.lock));
    failpoint(how.what, "begun");
    Given given = work();
    if (given) failpoint(how.what, "written");
    return given;
  }
  std::optional<Given> given;
  const auto written = database_->write(how, [&]() -> Result<void> {
    given.emplace(work());
    if (!*given) return given->failure();
    return {};
  });
  if (!written) {
    find_way_back();
    return written.failure();
  }
  return std::move(*given);
}

template <typename Work>
auto Store::read(Work work) -> decltype(work()) {
  using Given = decltype(work());
  const auto turn = GLOVEBOX_TRY(take_turn());
  if (together_) return work();
  std::optional<Given> given;
  const auto done = database_->read([&]() -> Result<void> {
    given.emplace(work());
    if (!*given) return given->failure();
    return {};
  });
  if (!done) {
    find_way_back();
    return done.failure();
  }
  return std::move(*given);
}

}  // namespace glovebox::store
