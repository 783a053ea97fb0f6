// Store::check: verifies the store's invariants against its rows.
#include "store/store.h"

namespace glovebox::store {
namespace {

// Each query returns the ids of rows that violate an invariant.
constexpr struct {
  const char* sql;
  const char* wrong;
} kPromises[] = {
    {"SELECT id FROM workflows WHERE last_event <> (SELECT count(*) FROM workflow_events WHERE workflow = "
     "workflows.id) "
     "OR last_event <> (SELECT coalesce(max(number), 0) FROM workflow_events WHERE workflow = workflows.id)",
     "the events of workflow % have a gap"},
    {"SELECT id FROM workflows WHERE last_checkpoint <> (SELECT count(*) FROM workflow_checkpoints WHERE workflow = "
     "workflows.id) OR last_checkpoint <> (SELECT coalesce(max(number), 0) FROM workflow_checkpoints WHERE workflow = "
     "workflows.id)",
     "the checkpoints of workflow % have a gap"},
    {"SELECT workflow FROM workflow_tasks WHERE output_hash <> '' AND NOT EXISTS (SELECT 1 FROM large_values WHERE "
     "hash "
     "= output_hash) UNION SELECT workflow FROM workflow_events WHERE payload_hash <> '' AND NOT EXISTS (SELECT 1 FROM "
     "large_values WHERE hash = payload_hash) UNION SELECT workflow FROM workflow_checkpoints WHERE state_hash <> '' "
     "AND "
     "NOT EXISTS (SELECT 1 FROM large_values WHERE hash = state_hash)",
     "workflow % refers to a large value that is not there"},
    {"SELECT run FROM journal GROUP BY run HAVING count(*) <> max(seq) + 1", "the journal of run % has a hole"},
    {"SELECT id FROM approvals WHERE state = 'pending' AND EXISTS (SELECT 1 FROM runs WHERE id = run AND ended IS NOT "
     "NULL)",
     "approval % is asked for by a run that has ended"},
};

}  // namespace

Result<std::vector<std::string>> Store::check() {
  const auto turn = GLOVEBOX_TRY(take_turn());
  std::vector<std::string> found;
  GLOVEBOX_TRY_VOID(database_->read_one_moment([&]() -> Result<void> {
    found = GLOVEBOX_TRY(database_->find_damage());
    for (const auto& promise : kPromises) {
      auto rows = GLOVEBOX_TRY(database_->prepare(promise.sql));
      while (GLOVEBOX_TRY(rows.step())) {
        std::string wrong = promise.wrong;
        found.push_back(wrong.replace(wrong.find('%'), 1, rows.text(0)));
      }
    }
    return {};
  }));
  return found;
}

}  // namespace glovebox::store
