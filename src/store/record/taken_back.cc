// Withdrawing an approval, and the mark after which it is too late. Both are writes on the same row, so whichever comes
// first counts: a call whose approval was withdrawn is never made, and one that is being made is never reported as
// withdrawn.
#include <algorithm>

#include "store/store.h"

namespace glovebox::store {
namespace {

constexpr std::string_view kTakeBackTurn = "answers";  // one order with answers: see approvals.cc

}  // namespace

Result<Store::TakenBack> Store::take_back(const AnswerRecord& no) {
  TakenBack taken;
  GLOVEBOX_TRY_VOID(write({"take_back", true, kTakeBackTurn}, [&]() -> Result<void> {
    taken = {};
    AnswerRecord given = no;
    given.run = GLOVEBOX_TRY(lock_asking_run(no.approval));
    {
      auto find = GLOVEBOX_TRY(database_->prepare("SELECT ended FROM runs WHERE id = ?"));
      if (!GLOVEBOX_TRY(find.bind(given.run).step()) || !find.is_null(0))
        return Failure{ErrorCode::kConflict, "too late: the run has ended"};
    }
    given.approved = false;
    given.scope = Scope::kOnce;
    given.calls.clear();
    ApprovalRecord asked;
    asked.id = no.approval;
    GLOVEBOX_TRY_VOID(fill_calls(asked, Trust::kOursOnly));
    for (ApprovalCall& call : asked.calls) {
      const bool named = no.calls.empty() || std::find(no.calls.begin(), no.calls.end(), call.call) != no.calls.end();
      if (!named || !call.approved.value_or(false) || call.begun) continue;
      given.calls.push_back(call.call);
      call.approved = false;
      call.reason = no.reason;
      GLOVEBOX_TRY_VOID(write_decision(no.approval, call));
    }
    if (given.calls.empty()) {
      const bool any = std::any_of(asked.calls.begin(), asked.calls.end(),
                                   [](const ApprovalCall& call) { return call.approved.value_or(false); });
      return Failure{ErrorCode::kConflict, any ? "too late: the approved calls have begun"
                                               : "there is no approval " + no.approval + " to withdraw"};
    }
    std::vector<AnswerRecord> before;
    {
      auto rows = GLOVEBOX_TRY(
          database_->prepare("SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, at, "
                             "digest FROM approval_answers WHERE approval = ? AND approved <> 0"));
      rows.bind(no.approval);
      before = GLOVEBOX_TRY(read_answers(rows, Trust::kOursOnly));
    }
    for (const AnswerRecord& yes : before) {
      const bool meant = std::any_of(yes.calls.begin(), yes.calls.end(), [&](std::uint64_t call) {
        return std::find(given.calls.begin(), given.calls.end(), call) != given.calls.end();
      });
      if (!meant || yes.rules.empty()) continue;
      given.scope = std::max(given.scope, yes.scope);
      for (const std::string& rule : yes.rules) {
        auto remove =
            GLOVEBOX_TRY(database_->prepare("DELETE FROM rules WHERE pattern = ? AND at = ? RETURNING to_config"));
        remove.bind(rule).bind(yes.at);
        bool unwritten = false;
        while (GLOVEBOX_TRY(remove.step())) unwritten = unwritten || remove.number(0) != 0;
        if (yes.scope == Scope::kAlways && !unwritten) taken.rules_in_config.push_back(rule);
      }
    }
    taken.answer = GLOVEBOX_TRY(insert_answer(given));
    return database_->wake_others();
  }));
  return taken;
}

Result<void> Store::begin_approved(const std::string& approval, std::uint64_t call) {
  return write({"begin_approved", true, kTakeBackTurn}, [&]() -> Result<void> {
    ApprovalRecord asked;
    asked.id = approval;
    GLOVEBOX_TRY_VOID(fill_calls(asked, Trust::kOursOnly));
    const auto found =
        std::find_if(asked.calls.begin(), asked.calls.end(), [&](const ApprovalCall& one) { return one.call == call; });
    if (found == asked.calls.end() || !found->approved.value_or(false))
      return Failure{ErrorCode::kConflict, "the approval was withdrawn"};
    auto update =
        GLOVEBOX_TRY(database_->prepare("UPDATE approval_calls SET begun = 1 WHERE approval = ? AND call = ?"));
    return update.bind(approval).bind(static_cast<std::int64_t>(call)).run();
  });
}

}  // namespace glovebox::store
