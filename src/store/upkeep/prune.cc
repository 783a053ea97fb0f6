// What a store deletes with time: runs and workflows that ended long ago, what belonged to them, and free space.
#include <tuple>

#include "store/database/patience.h"
#include "store/large_values.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

// Limit on all recordings together; the newest are kept: a person repeats what has just happened.
constexpr std::int64_t kMostRecordedBytes = std::int64_t{256} << 20;

// How much one write removes: other writers wait for a few milliseconds. A workflow has many rows.
constexpr std::int64_t kRunsAtOnce = 500;
constexpr std::int64_t kWorkflowsAtOnce = 25;
constexpr std::int64_t kValuesAtOnce = 100;

// Where several writers are at work at once, one of them may have placed a value and not yet committed what refers to
// it. In a SQLite file there is one writer at a time.
constexpr std::int64_t kUncommittedTime = 3'600'000;

// A run whose result its workflow has yet to read is not deleted: a missing run would count as never begun.
constexpr const char* kOldRuns =
    "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended IS NOT NULL AND (ended < ?1 OR id NOT IN (SELECT id "
    "FROM runs WHERE ended IS NOT NULL ORDER BY ended DESC, id LIMIT ?2)) AND id NOT IN (SELECT run FROM "
    "workflow_tasks WHERE status = 'running') ORDER BY ended LIMIT ?3)";
constexpr const char* kOldWorkflows =
    "DELETE FROM workflows WHERE id IN (SELECT id FROM workflows WHERE ended IS NOT NULL AND (ended < ?1 OR id NOT IN "
    "(SELECT id FROM workflows WHERE ended IS NOT NULL ORDER BY ended DESC, id LIMIT ?2)) ORDER BY ended LIMIT ?3)";
constexpr const char* kLargeRuns =
    "DELETE FROM runs WHERE id IN (SELECT id FROM (SELECT id, ended, sum(bytes) OVER (ORDER BY ended DESC, id) AS "
    "total FROM runs WHERE ended IS NOT NULL) AS sums WHERE total > ?1 AND id NOT IN (SELECT run FROM workflow_tasks "
    "WHERE status = 'running') ORDER BY ended LIMIT ?2)";
// The newest of each client stays, however large those of others are: the client has yet to read it.
constexpr const char* kLargeWorkflows =
    "DELETE FROM workflows WHERE id IN (SELECT id FROM (SELECT id, ended, sum(bytes) OVER (ORDER BY ended DESC, id) AS "
    "total, row_number() OVER (PARTITION BY client ORDER BY ended DESC, id) AS place FROM workflows WHERE ended IS NOT "
    "NULL) AS sums WHERE total > ?1 AND place > 1 ORDER BY ended LIMIT ?2)";
constexpr const char* kLargeRecordings =
    "DELETE FROM recordings WHERE run IN (SELECT run FROM (SELECT recordings.run AS run, sum(recordings.bytes) OVER "
    "(ORDER BY runs.created DESC, runs.id) AS total FROM recordings JOIN runs ON runs.id = recordings.run) AS sums "
    "WHERE total > ?)";

}  // namespace

// One kind of row at a time: what is left of it is for the next write.
Result<Store::Pruned> Store::prune_some(std::size_t keep, std::int64_t before, std::int64_t most_bytes) {
  Pruned pruned;
  for (const auto& [sql, at_once] : {std::pair{kOldRuns, kRunsAtOnce}, std::pair{kOldWorkflows, kWorkflowsAtOnce}}) {
    auto remove = GLOVEBOX_TRY(database_->prepare(sql));
    const std::int64_t removed =
        GLOVEBOX_TRY(remove.bind(before).bind(static_cast<std::int64_t>(keep)).bind(at_once).changed());
    pruned.removed += static_cast<std::size_t>(removed);
    pruned.more = removed == at_once;
    if (pruned.more) return pruned;
  }
  for (const auto& [sql, most, at_once] : {std::tuple{kLargeRuns, most_bytes, kRunsAtOnce},
                                           std::tuple{kLargeWorkflows, 4 * most_bytes, kWorkflowsAtOnce}}) {
    auto remove = GLOVEBOX_TRY(database_->prepare(sql));
    const std::int64_t removed = GLOVEBOX_TRY(remove.bind(most).bind(at_once).changed());
    pruned.removed += static_cast<std::size_t>(removed);
    pruned.more = removed == at_once;
    if (pruned.more) return pruned;
  }
  {
    auto rules =
        GLOVEBOX_TRY(database_->prepare("DELETE FROM rules WHERE scope = 'session' AND to_config = 0 AND at < ?"));
    GLOVEBOX_TRY_VOID(rules.bind(before).run());
  }
  {
    auto remove = GLOVEBOX_TRY(database_->prepare(kLargeRecordings));
    GLOVEBOX_TRY_VOID(remove.bind(kMostRecordedBytes).run());
  }
  const std::int64_t patience = is_shared() ? kUncommittedTime : 0;
  pruned.more = GLOVEBOX_TRY(drop_unused_values(*database_, kValuesAtOnce, patience)) == kValuesAtOnce;
  return pruned;
}

Result<Store::Pruned> Store::prune(std::size_t keep, std::int64_t before, std::int64_t most_bytes,
                                   const std::function<void(std::size_t)>& progress) {
  Pruned all;
  do {
    const Pruned pruned =
        GLOVEBOX_TRY(write({"prune", false, {}, true}, [&] { return prune_some(keep, before, most_bytes); }));
    all.removed += pruned.removed;
    all.more = pruned.more;
    if (!all.more) {
      const auto turn = GLOVEBOX_TRY(take_turn());
      all.more = GLOVEBOX_TRY(database_->give_back_some());
    }
    if (progress) progress(all.removed);
  } while (all.more && Patience::here().kind == Patience::Kind::kWaits);
  return all;
}

Result<std::int64_t> Store::bytes() {
  return read([&] { return database_->bytes(); });
}

Result<void> Store::vacuum() {
  const auto turn = GLOVEBOX_TRY(take_turn());
  return database_->vacuum();
}

}  // namespace glovebox::store
