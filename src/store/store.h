// Store: what must outlive a gateway, in one SQLite file of the workspace that several processes share, or in a
// PostgreSQL database that several machines share.
//
// A process uses one connection, one operation at a time: every member may be called from any thread, and waits for the
// disk. What must not wait is posted (thread/store_thread.h). Writes about waiting runs (journals, calls begun,
// approvals, answers) and about workflows survive a power failure, the rest survive the end of the process.
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
#include "store/record/pages.h"
#include "store/records.h"
#include "store/seal/row_seal.h"
#include "store/thread/store_thread.h"
#include "store/tool_records.h"
#include "store/workflows/workflow_records.h"
#include "store/workflows/workflow_store.h"

namespace glovebox::store {

// Limit on the code, contexts, requests and results of ended runs; the newest are kept. Ended workflows have four times
// as much.
inline constexpr std::int64_t kMostKeptBytes = std::int64_t{512} << 20;

class Store final {
 public:
  // A SQLite file. `folder` is made if need be, for its owner alone. `key` seals rows that grant something; all who
  // share a store have the same. A store of an older version is migrated, which may take minutes and is reported to
  // `progress`.
  static Result<std::unique_ptr<Store>> open(const std::string& folder, const RowKey& key,
                                             const std::string& file = "glovebox.db", const Progress& progress = {});
  // A PostgreSQL database: postgres://….
  static Result<std::unique_ptr<Store>> connect(const std::string& address, const RowKey& key,
                                                const Progress& progress = {});
  // Whether several machines may share it. If so, only an expired lease shows that a node is dead.
  bool is_shared() const { return !address_.empty(); }
  // Calls `on_wake`, on a thread of its own, when another process has written something that the driver of a run or
  // workflow should check; several writes may be reported as one. Null where processes wake each other in other ways (a
  // SQLite file).
  std::unique_ptr<PostgresListener> listen(std::function<void()> on_wake);

  // --- what does not wait: on the store's own thread, in the order of posting
  // `work` writes with the members of this Store, and may be called repeatedly: while the database is away it is
  // retried. It may share a transaction with other writes. `done` is called on the store's thread, and may be empty.
  using Done = std::function<void(Result<void>)>;
  // A write that nothing waits for (Haste::kWithNext) may be delayed a few milliseconds, unless another caller hurries
  // it.
  void post_write(std::function<Result<void>(Store&)> work, Done done, bool survives_power = true,
                  Haste haste = Haste::kNow);
  void hurry() { thread_.hurry(); }
  // Called once, whether or not it succeeds: for periodic polling of the store.
  void post(std::function<void(Store&)> work);
  // Waits until all that was posted is done.
  Result<void> wait_for_posted();
  // For how long writes have been unable to proceed; zero where all is well.
  std::chrono::steady_clock::duration is_away_for() const { return thread_.stands_still(); }
  // Whether a request that can wait a little should be posted: the database is there, and at most slow.
  bool will_answer() const { return thread_.stands_still(std::chrono::seconds(5)).count() == 0; }
  // Whether the last failure may pass. For work on the store's thread.
  bool may_recover() const { return database_->may_recover(); }
  // Why the last write that is waiting failed; empty where none waits.
  std::string why_away() const;

  // --- rows that grant something
  // Rows whose digest is not valid under our key are not returned. Each is reported once, on any thread and while the
  // Store is busy: `tell` must not use it.
  void tell_wrong_rows(std::function<void(const std::string&)> tell);
  // Seals all rows under our key. For a store that its owner has approved.
  Result<void> seal_all();

  // --- nodes: the gateways that write
  // This Store writes as that node from here on: once the node is removed, every write fails with kConflict and leaves
  // nothing behind. A lease of zero has no end: the node is there until it is removed.
  Result<void> join(const NodeRecord& node);
  // Fails with kInvalidArgument once a newer program has changed the tables: this one must not write any more.
  Result<void> check_version();
  // Renews the node's lease. False when the node was removed: other nodes own what it drove.
  Result<bool> renew_lease();
  // The same, before something is done outside the store: until when no other node can have declared this one dead.
  // kConflict when it was removed. Where the store is not shared, a running node is never declared dead.
  Result<Lease> hold_lease();
  // The node leaves in good order. If it is the one that this Store writes as, the Store then writes as no node.
  Result<void> leave(const std::string& id);
  Result<void> leave();  // whichever this Store writes as
  // Removes a node that is known to be dead, such as a process whose lock is free.
  Result<void> remove_node(const std::string& id);
  // Removes the other nodes whose lease has expired by the database's clock. Returns which.
  Result<std::vector<std::string>> remove_expired_nodes();
  Result<std::vector<NodeRecord>> nodes();
  // As the node that this Store writes as; replaces the former status.
  Result<void> set_status(const NodeStatus& status);
  Result<std::vector<NodeStatus>> node_statuses();  // of nodes that are there
  // Samples from before `oldest`, of any node, are deleted.
  Result<void> add_sample(const NodeSample& sample, std::int64_t oldest);
  Result<std::vector<NodeSample>> node_samples(std::int64_t since);  // oldest first
  Result<void> add_node_request(const NodeRequest& request);
  // Each is returned once. Those whose digest is not valid under our key are deleted unread.
  Result<std::vector<NodeRequest>> take_node_requests(const std::string& node);

  // --- runs
  Result<void> add_run(const RunRecord& run);
  Result<void> set_status(const std::string& run, RunStatus status);
  // Its pending approvals are withdrawn and its rules dropped; so is its journal, unless `remains` keeps it. A journal
  // that is kept is dropped by the step of a workflow that names it (WorkflowStep::drop_journals).
  Result<void> end_run(const std::string& run, RunStatus status, const std::string& outcome, std::int64_t at,
                       const RunRemains& remains = {});
  Result<std::optional<RecordingRecord>> find_recording(const std::string& run);
  // As far as it has come; end_run replaces it.
  Result<void> save_trace(const std::string& run, const std::string& trace, const std::string& spans);
  Result<std::optional<std::string>> find_trace(const std::string& run);
  // The traces of all runs in it, oldest run first.
  Result<std::vector<TraceRecord>> traces_of(const std::string& trace, std::size_t most);
  Result<std::optional<RunRecord>> find_run(const std::string& id);
  // Without code, context and outcome, which may be large.
  Result<std::optional<RunRecord>> find_run_in_short(const std::string& id);
  Result<std::string> outcome_of(const std::string& run);  // empty: it has none
  // Newest first.
  Result<RunPage> page_of_runs(const WantedRuns& wanted);
  Result<std::size_t> count_runs(RunStatus status);
  // When those began and ended that ended since, the last first.
  struct RunTimes {
    std::int64_t created = 0;
    std::int64_t ended = 0;
  };
  Result<std::vector<RunTimes>> times_of_runs(std::int64_t since, std::size_t most);
  // Newest first, without code, context, config and outcome, and with the beginning of the intent. Of one client, or of
  // all if it is empty.
  // Of those from before `before`.
  Result<std::vector<RunRecord>> list_runs(std::optional<RunStatus> status, std::size_t most,
                                           const std::string& client = {},
                                           std::int64_t before = std::numeric_limits<std::int64_t>::max());
  Result<std::vector<RunRecord>> unended_runs();  // in the same form
  // Of unended runs whose owner begins so.
  Result<std::size_t> unended_bytes(const std::string& owner);
  // Succeeds if it was `from`'s until now, and `from` is no longer a node. A run not sealed under our key is never
  // taken over.
  Result<bool> take_over(const std::string& run, const std::string& from, const std::string& to);
  // A request to the node that drives it; false when it has ended.
  Result<bool> ask_to_cancel(const std::string& run);
  Result<std::vector<std::string>> runs_to_cancel(const std::string& owner);

  // --- what runs have emitted; written with the run's end, deleted with the run
  Result<std::vector<ArtifactRecord>> artifacts(const std::string& run);
  Result<std::optional<Artifact>> find_artifact(const std::string& run, const std::string& name);

  // --- heads of audit logs, in the log's own format
  Result<std::string> audit_head(const std::string& log);  // empty: nothing is known
  // A head with a lower sequence than the stored one changes nothing.
  Result<void> set_audit_head(const std::string& log, const std::string& head, std::int64_t sequence);
  Result<std::vector<std::string>> audit_heads_of_runs();

  // --- journals
  // The journal of a run as it is now: from here on it is in the store.
  Result<void> begin_journal(const std::string& run, const std::vector<JournalEntry>& entries,
                             const std::vector<std::uint64_t>& calls_begun);
  Result<void> append_journal(const std::string& run, std::uint64_t sequence, const JournalEntry& entry);
  Result<void> mark_begun(const std::string& run, std::uint64_t call);
  // Deletes the journal; the run can no longer be resumed.
  Result<void> drop_journal(const std::string& run);
  Result<std::vector<JournalEntry>> journal(const std::string& run);
  Result<std::vector<std::uint64_t>> calls_begun(const std::string& run);

  // --- approvals
  // kInvalidArgument when `most_waiting` other runs of the run's holder wait already. Gateways that share a database
  // may exceed it by what they add at one moment.
  Result<void> add_approval(const ApprovalRecord& approval, std::optional<std::size_t> most_waiting = {});
  Result<std::optional<ApprovalRecord>> find_approval(const std::string& id);
  // Oldest first. Empty `run`: of all runs.
  Result<std::vector<ApprovalRecord>> approvals(const std::string& run, bool pending_only);
  // Of all runs: pending ones, oldest first, or all, newest first.
  Result<ApprovalPage> page_of_approvals(const WantedApprovals& wanted);
  // Of a run, or of all runs if it is empty. Rows that are not sealed under our key are among them.
  Result<std::vector<std::string>> approval_ids(const std::string& run, bool pending_only);
  // How many wait. What they are about may be large, and is not read.
  Result<std::int64_t> pending_approvals();
  // For calls that are asked about again: withdraws the earlier request about them.
  Result<void> withdraw_call(const std::string& approval, std::uint64_t call);

  // The first answer to a call counts. Fails with kNotFound, or with kConflict when every call that it names has been
  // answered already. Rules for the run or the session hold from here on. Returns the answer's id.
  Result<std::int64_t> answer(const AnswerRecord& answer, const std::string& session);
  // Withdraws approvals: every call of `no.approval` that was approved and has not begun becomes refused. Rules that
  // the approval made beyond these calls are removed with it; `no.scope` becomes their scope. kConflict when it is too
  // late for all of them.
  struct TakenBack {
    std::int64_t answer = 0;
    std::vector<std::string> rules_in_config;  // "always" rules already written to the config: they stay there
  };
  Result<TakenBack> take_back(const AnswerRecord& no);
  // Right before an approved call is made. kConflict when the approval was withdrawn: the call must not be made.
  Result<void> begin_approved(const std::string& approval, std::uint64_t call);
  Result<std::vector<AnswerRecord>> answers_after(std::int64_t id);
  Result<std::vector<AnswerRecord>> answers_to(const std::string& approval);
  Result<std::int64_t> last_answer();

  // --- rules that answers made
  Result<std::vector<RememberedRule>> rules_for(const std::string& run, const std::string& session);
  Result<std::vector<RememberedRule>> rules_to_write();
  Result<void> set_written(std::int64_t rule);

  // --- what search remembers of tools
  // Fills in the vectors that are stored; the others stay empty. A lookup counts as a use.
  Result<void> find_vectors(const std::string& model, std::vector<VectorRecord>& wanted, std::int64_t now);
  // One that is there already is replaced.
  Result<void> keep_vectors(const std::string& model, const std::vector<VectorRecord>& vectors, std::int64_t now);
  // Of any model: deletes vectors not looked up since `before`, and the oldest beyond `most`.
  Result<void> prune_vectors(std::size_t most, std::int64_t before);
  // Counts one more use for the same intent; of a user's uses the newest `most` are kept.
  Result<void> add_use(const UseRecord& use, std::size_t most);
  Result<std::vector<UseRecord>> tool_uses(const std::string& user);  // newest first

  // --- cached results
  Result<std::optional<CacheEntry>> find_cached(const std::string& key);  // expired or not
  // `misses` are those counted since the last report of misses.
  Result<void> note_cache_hit(const std::string& key, std::int64_t now, std::int64_t misses);
  // Replaces an entry with the same key. Expired entries are removed, then the least recently used, until the rest
  // fits.
  Result<void> keep_cached(const CacheEntry& entry, std::int64_t most_entries, std::int64_t most_bytes,
                           std::int64_t misses);
  Result<void> drop_cached(const std::string& key);
  Result<std::size_t> purge_cache();                              // returns how many there were
  Result<std::vector<CacheEntry>> list_cached(std::int64_t now);  // without values, the last used first
  Result<CacheCounts> cache_counts();

  // --- workflows; who may write, and what a step is: workflow_store.h
  // With its first step, which has the entry checkpoint. With an owner it is claimed (epoch 1) by the node of that id;
  // without one the next claim() takes it. kConflict when there is one of this id already.
  // With `outputs_of`, its tasks that have ended get the outputs that they have in that workflow; kConflict when one of
  // them has another run there by now.
  Result<Fence> create_workflow(const WorkflowRecord& workflow, const WorkflowStep& first,
                                const std::string& outputs_of = {});

  // The oldest unended workflow that has no owner or whose owner is no longer a node, whatever it waits for. No two
  // claims return the same one. One that has been claimed `most_claims` times without reaching a checkpoint is ended as
  // dead instead, with an event (workflow_abort, {"status":"dead",…}), and the next is tried.
  Result<std::optional<WorkflowRecord>> claim_workflow(const std::string& owner,
                                                       std::int64_t most_claims = kMostClaims);
  // This one, if it can be claimed: for `runs resume`. Nothing when it has ended or belongs to a live node.
  Result<std::optional<WorkflowRecord>> claim_workflow_by_id(const std::string& workflow, const std::string& owner);
  // It has no owner from here on, and this does not count as an attempt: for a gateway that closes in good order.
  Result<void> release_workflow(const Fence& fence);
  // Reopens one that has ended, without an owner: `runs resume` of a dead one, a rollback. False when it has not ended.
  Result<bool> reopen_workflow(const std::string& workflow);

  // kConflict when the fence is lost or the workflow has ended.
  Result<StepReceipt> save_step(const Fence& fence, const WorkflowStep& step);

  Result<std::optional<WorkflowRecord>> find_workflow(const std::string& id);
  // Newest first, without definition, input, config and outcome, and with the beginning of its intent. Of one client,
  // or of all if it is empty.
  Result<std::vector<WorkflowRecord>> list_workflows(std::optional<WorkflowStatus> status, std::size_t most,
                                                     const std::string& client = {});
  // Of all clients with the token of this holder.
  Result<std::size_t> unended_workflows_of(const std::string& holder);
  // In the order of layer and id. All outputs of a workflow may be far more than fits into memory.
  enum class Outputs { kNone, kShort, kAll };
  Result<std::vector<TaskRecord>> workflow_tasks(const std::string& workflow, Outputs outputs = Outputs::kAll);
  Result<std::string> task_output(const std::string& workflow, const std::string& task);
  // Up to `most`, or the first of them that have more than `most_bytes`: one at least, if there is one.
  Result<std::vector<WorkflowEvent>> workflow_events_after(const std::string& workflow, std::int64_t number,
                                                           std::size_t most,
                                                           std::size_t most_bytes = kMostEventPageBytes);
  Result<std::vector<CheckpointRecord>> workflow_checkpoints(const std::string& workflow);
  // kNotFound when there is no such checkpoint.
  Result<StateParts> state_at(const std::string& workflow, std::int64_t checkpoint);

  // From any process; the gateway that drives the workflow is woken. Returns the command's id; kNotFound when there is
  // no such workflow, kConflict when it has ended.
  Result<std::int64_t> add_command(const WorkflowCommand& command);
  // Those that no step has consumed yet, in their order.
  Result<std::vector<WorkflowCommand>> open_commands(const std::string& workflow);
  // Workflows of this owner that have open commands: one cheap query for all of them.
  Result<std::vector<std::string>> workflows_with_commands(const std::string& owner);

  // Runs and workflows that have ended, beyond `keep` of each, beyond `most_bytes` or from before `before`, are deleted
  // with all that belongs to them, and so are large values that nothing refers to; the space is given back. Done in
  // small writes, each of which stands even if a later one fails. On a thread that does not wait, only one of them is
  // done.
  struct Pruned {
    std::size_t removed = 0;  // runs and workflows
    bool more = false;        // there is more to do
  };
  Result<Pruned> prune(std::size_t keep, std::int64_t before, std::int64_t most_bytes = kMostKeptBytes,
                       const std::function<void(std::size_t removed)>& progress = {});

  // Changes whenever any process has written since the last call; cheap where none has.
  Result<std::string> change_mark();

  // Violated invariants, one line each; empty when all is well.
  Result<std::vector<std::string>> check();
  // Progress of a copy, in rows.
  using CopyProgress = std::function<void(std::size_t done, std::size_t of)>;
  // A copy of the whole store as it is now, a SQLite store for its owner alone. kConflict when the file exists.
  Result<void> back_up_to(const std::string& path, const CopyProgress& progress = {});
  // Copies all that `from` has except its nodes, if this store is empty (else kConflict): all or nothing.
  Result<void> fill_from(Store& from, const CopyProgress& progress = {});
  // Removes all nodes. For a copy.
  Result<void> forget_nodes();
  Result<std::int64_t> bytes();  // on its disk
  // Gives free space back to the file system. Writers of a SQLite file wait for it.
  Result<void> vacuum();

 private:
  Store(std::unique_ptr<Database> database, const RowKey& key);
  static Result<std::unique_ptr<Store>> on(std::unique_ptr<Database> database, const RowKey& key,
                                           const Progress& progress);
  // Whether rows that are not sealed under our key are left out.
  enum class Trust { kOursOnly, kWhatever };
  bool is_ours(const std::string& digest, const std::string& expected, const std::string& row);
  void tell_wrong_row(const std::string& row);
  // Within a read or a write.
  Result<std::optional<RunRecord>> read_whole_run(const std::string& id);
  Result<std::optional<ApprovalRecord>> read_whole_approval(const std::string& id);
  Result<std::vector<ApprovalRecord>> read_approvals(const std::string& run, bool pending_only, Trust trust);
  Result<std::vector<ApprovalRecord>> read_approvals(Statement& rows, Trust trust);
  Result<std::vector<AnswerRecord>> read_answers_after(std::int64_t id, Trust trust);
  Result<std::vector<AnswerRecord>> read_answers(Statement& rows, Trust trust);
  Result<std::vector<RememberedRule>> read_rules(Statement& rows, Trust trust);
  Result<void> migrate(const Progress& progress);
  Result<bool> migrate_one_step(const Progress& progress);
  Result<std::int64_t> version();
  Result<Pruned> prune_some(std::size_t keep, std::int64_t before, std::int64_t most_bytes);
  std::int64_t longest_judged_lease() const;  // in milliseconds; a longer lease cannot be judged expired
  Failure taken_for_dead() const;
  Result<void> check_node();
  // Within a write: a node writes to its own runs only. Output of a guest whose gateway has lost the run and joined
  // under another name is not written.
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

  // All return what `work` returns, a Result. The right to write is checked within the write.
  template <typename Work>
  auto write(const Database::Write& how, Work work) -> decltype(work());
  template <typename Work>
  auto write_as_anybody(const Database::Write& how, Work work) -> decltype(work());
  template <typename Work>
  auto read(Work work) -> decltype(work());

  std::unique_ptr<Database> database_;
  RowSeal seal_;
  std::function<void(const std::string&)> tell_wrong_row_;
  std::set<std::string> reported_rows_;  // rows already reported as not sealed under our key
  std::string address_;                  // of a database that is shared
  std::string node_;                     // empty: this Store writes as no node
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
