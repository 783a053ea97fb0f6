#include "store/store.h"

#include <errno.h>
#include <sys/stat.h>

#include <iterator>

#include "base/system_error.h"
#include "store/large_values.h"
#include "store/patience.h"
#include "store/schema.h"
#include "store/sqlite.h"

namespace glovebox::store {
namespace {

// Of all recordings together, the newest: a person repeats what has just happened.
constexpr std::int64_t kMostRecordedBytes = std::int64_t{256} << 20;

// Runs and workflows that one write removes: whoever else writes waits for a few milliseconds.
constexpr std::size_t kPruneBatch = 500;

}  // namespace

Store::Store(std::unique_ptr<Database> database, const RowKey& key)
    : database_(std::move(database)),
      seal_(key),
      thread_([this](std::vector<PostedWrite>& writes) { carry_out(writes); }) {}

Result<std::unique_ptr<Store>> Store::open(const std::string& folder, const RowKey& key, const std::string& file) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return base::system_failure(errno, folder);
  return on(GLOVEBOX_TRY(SqliteDatabase::open(folder + "/" + file)), key);
}

Result<std::unique_ptr<Store>> Store::connect(const std::string& address, const RowKey& key) {
  auto store = GLOVEBOX_TRY(on(GLOVEBOX_TRY(PostgresDatabase::open(address)), key));
  store->address_ = address;
  return store;
}

std::unique_ptr<PostgresListener> Store::listen(std::function<void()> on_wake) {
  if (!is_shared()) return nullptr;
  return std::make_unique<PostgresListener>(address_, std::move(on_wake));
}

Result<std::unique_ptr<Store>> Store::on(std::unique_ptr<Database> database, const RowKey& key) {
  std::unique_ptr<Store> store(new Store(std::move(database), key));
  GLOVEBOX_TRY_VOID(store->migrate());
  return store;
}

Result<void> Store::migrate() {
  constexpr auto kNewest = static_cast<std::int64_t>(std::size(kMigrations));
  return write({"migrate", true, "migrate"}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(database_->execute(
        database_->in_own_words("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")));
    std::int64_t version = 0;
    {
      auto read = GLOVEBOX_TRY(database_->prepare("SELECT coalesce(max(version), 0) FROM schema_version"));
      if (GLOVEBOX_TRY(read.step())) version = read.number(0);
    }
    if (version > kNewest) {
      return Failure{ErrorCode::kInvalidArgument, "the store was written by a newer glovebox (its version is " +
                                                      std::to_string(version) + ", this program knows " +
                                                      std::to_string(kNewest) + ")"};
    }
    if (version > 0 && version < kNewest) GLOVEBOX_TRY_VOID(database_->back_up(version));
    for (; version < kNewest; ++version) {
      GLOVEBOX_TRY_VOID(database_->execute(database_->in_own_words(kMigrations[version])));
      auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO schema_version VALUES (?)"));
      GLOVEBOX_TRY_VOID(insert.bind(version + 1).run());
    }
    return {};
  });
}

// In many small writes, so that others write in between. Whoever has no time makes one of them, and comes again.
Result<std::size_t> Store::prune(std::size_t keep, std::int64_t before, std::int64_t most_bytes) {
  const auto prune_some = [&]() -> Result<std::size_t> {
    std::size_t pruned = 0;
    const auto left = [&] { return static_cast<std::int64_t>(kPruneBatch - pruned); };
    for (const char* sql :
         // What a workflow has yet to take from a run is not dropped: a run that is not there was never begun.
         {"DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE ended IS NOT NULL AND (ended < ?1 OR id NOT IN "
          "(SELECT "
          "id FROM runs WHERE ended IS NOT NULL ORDER BY ended DESC, id LIMIT ?2)) AND id NOT IN (SELECT run FROM "
          "workflow_tasks WHERE status = 'running') ORDER BY ended LIMIT ?3)",
          "DELETE FROM workflows WHERE id IN (SELECT id FROM workflows WHERE ended IS NOT NULL AND (ended < ?1 OR id "
          "NOT "
          "IN (SELECT id FROM workflows WHERE ended IS NOT NULL ORDER BY ended DESC, id LIMIT ?2)) ORDER BY ended "
          "LIMIT ?3)"}) {
      auto remove = GLOVEBOX_TRY(database_->prepare(sql));
      remove.bind(before).bind(static_cast<std::int64_t>(keep)).bind(left());
      pruned += static_cast<std::size_t>(GLOVEBOX_TRY(remove.changed()));
      if (pruned >= kPruneBatch) return pruned;
    }
    {
      auto beyond = GLOVEBOX_TRY(database_->prepare(
          "DELETE FROM runs WHERE id IN (SELECT id FROM (SELECT id, ended, sum(bytes) OVER (ORDER BY ended DESC, id) "
          "AS "
          "total FROM runs WHERE ended IS NOT NULL) AS sums WHERE total > ?1 AND id NOT IN (SELECT run FROM "
          "workflow_tasks WHERE status = 'running') ORDER BY ended LIMIT ?2)"));
      beyond.bind(most_bytes).bind(left());
      pruned += static_cast<std::size_t>(GLOVEBOX_TRY(beyond.changed()));
      if (pruned >= kPruneBatch) return pruned;
    }
    {
      auto rules =
          GLOVEBOX_TRY(database_->prepare("DELETE FROM rules WHERE scope = 'session' AND to_config = 0 AND at < ?"));
      GLOVEBOX_TRY_VOID(rules.bind(before).run());
    }
    {
      auto beyond =
          GLOVEBOX_TRY(database_->prepare("DELETE FROM recordings WHERE run IN (SELECT run FROM (SELECT recordings.run "
                                          "AS run, sum(recordings.bytes) OVER "
                                          "(ORDER BY runs.created DESC, runs.id) AS total FROM recordings JOIN runs ON "
                                          "runs.id = recordings.run) AS sums "
                                          "WHERE total > ?)"));
      GLOVEBOX_TRY_VOID(beyond.bind(kMostRecordedBytes).run());
    }
    GLOVEBOX_TRY_VOID(drop_unused_values(*database_));
    return pruned;
  };
  std::size_t all = 0;
  while (true) {
    const std::size_t pruned = GLOVEBOX_TRY(write({"prune"}, prune_some));
    all += pruned;
    if (pruned < kPruneBatch || Patience::here().kind != Patience::Kind::kWaits) return all;
  }
}

}  // namespace glovebox::store
