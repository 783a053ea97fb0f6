// Store: what must outlive a gateway, in one SQLite file of the workspace that several processes share.
//
// One connection of this process does all of it, behind a mutex: every member may be called from any thread. What is
// said about waiting runs (journals, calls begun, approvals, answers) survives the end of the machine, the rest the end
// of the process.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/records.h"
#include "store/sqlite.h"

namespace glovebox::store {

class Store {
 public:
  // `folder` is made if need be, for its owner alone.
  static Result<std::unique_ptr<Store>> open(const std::string& folder, const std::string& file = "glovebox.db");

  // --- runs
  Result<void> add_run(const RunRecord& run);
  Result<void> set_status(const std::string& run, RunStatus status);
  // Its pending approvals are withdrawn, its journal and rules are dropped.
  Result<void> end_run(const std::string& run, RunStatus status, const std::string& outcome, std::int64_t at);
  Result<std::optional<RunRecord>> find_run(const std::string& id);
  // Newest first, without code, context and outcome.
  Result<std::vector<RunRecord>> list_runs(std::optional<RunStatus> status, std::size_t most);
  Result<std::vector<RunRecord>> unended_runs();  // without code, context and outcome
  // Whether it was `from`'s until now.
  Result<bool> take_over(const std::string& run, const std::string& from, const std::string& to);
  // A wish to whoever drives it; false when it has ended.
  Result<bool> ask_to_cancel(const std::string& run);
  Result<std::vector<std::string>> runs_to_cancel(const std::string& owner);

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
  Result<std::vector<AnswerRecord>> answers_after(std::int64_t id);
  Result<std::vector<AnswerRecord>> answers_to(const std::string& approval);
  Result<std::int64_t> last_answer();

  // --- rules that answers made
  Result<std::vector<RememberedRule>> rules_for(const std::string& run, const std::string& session);
  Result<std::vector<RememberedRule>> rules_to_write();
  Result<void> set_written(std::int64_t rule);

  // Ended runs beyond `keep` or from before `before` go, with all that belongs to them. Says how many.
  Result<std::size_t> prune(std::size_t keep, std::int64_t before);

 private:
  explicit Store(Database database) : database_(std::move(database)) {}
  Result<void> migrate();
  Result<void> fill_calls(ApprovalRecord& approval);
  template <typename Work>
  Result<void> write(bool survives_power, Work work);

  std::mutex mutex_;
  Database database_;
};

}  // namespace glovebox::store
