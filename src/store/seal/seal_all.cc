// Sealing all rows of a Store that grant something, as they are.
#include "store/store.h"

namespace glovebox::store {

Result<void> Store::seal_all() {
  return write({"seal_all", true}, [&]() -> Result<void> {
    const auto seal = [&](const char* sql, const std::string& digest, std::string_view id) -> Result<void> {
      auto update = GLOVEBOX_TRY(database_->prepare(sql));
      return update.bind(digest).bind(id).run();
    };
    std::vector<std::string> runs;
    {
      auto rows = GLOVEBOX_TRY(database_->prepare("SELECT id FROM runs"));
      while (GLOVEBOX_TRY(rows.step())) runs.push_back(rows.text(0));
    }
    for (const std::string& id : runs) {
      const auto run = GLOVEBOX_TRY(read_whole_run(id));
      if (run) GLOVEBOX_TRY_VOID(seal("UPDATE runs SET digest = ? WHERE id = ?", seal_.of(*run), id));
    }
    for (ApprovalRecord& approval : GLOVEBOX_TRY(read_approvals("", false, Trust::kWhatever))) {
      GLOVEBOX_TRY_VOID(seal("UPDATE approvals SET digest = ? WHERE id = ?", seal_.of(approval), approval.id));
      for (const ApprovalCall& call : approval.calls) {
        const std::string digest = seal_.of(approval.id, call);
        auto update =
            GLOVEBOX_TRY(database_->prepare("UPDATE approval_calls SET digest = ? WHERE approval = ? AND call = ?"));
        GLOVEBOX_TRY_VOID(update.bind(digest).bind(approval.id).bind(static_cast<std::int64_t>(call.call)).run());
      }
    }
    for (const AnswerRecord& answer : GLOVEBOX_TRY(read_answers_after(0, Trust::kWhatever))) {
      const std::string digest = seal_.of(answer);
      auto update = GLOVEBOX_TRY(database_->prepare("UPDATE approval_answers SET digest = ? WHERE id = ?"));
      GLOVEBOX_TRY_VOID(update.bind(digest).bind(answer.id).run());
    }
    std::vector<RememberedRule> rules;
    {
      auto rows = GLOVEBOX_TRY(database_->prepare("SELECT id, scope, key, pattern, to_config, digest FROM rules"));
      rules = GLOVEBOX_TRY(read_rules(rows, Trust::kWhatever));
    }
    for (const RememberedRule& rule : rules) {
      const std::string digest = seal_.of(rule);
      auto update = GLOVEBOX_TRY(database_->prepare("UPDATE rules SET digest = ? WHERE id = ?"));
      GLOVEBOX_TRY_VOID(update.bind(digest).bind(rule.id).run());
    }
    return {};
  });
}

void Store::tell_wrong_rows(std::function<void(const std::string&)> tell) {
  const auto turn = thread_.take_turn();
  tell_wrong_row_ = std::move(tell);
}

// Also called within a write or a read, so it must not call this Store again.
bool Store::is_ours(const std::string& digest, const std::string& expected, const std::string& row) {
  if (digest != expected) tell_wrong_row(row);
  return digest == expected;
}

void Store::tell_wrong_row(const std::string& row) {
  if (reported_rows_.insert(row).second && tell_wrong_row_) {
    tell_wrong_row_(row + " in the store is ignored: its digest is wrong, so Glovebox did not write it");
  }
}

}  // namespace glovebox::store
