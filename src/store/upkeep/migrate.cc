// Store's tables as this program knows them: created, or migrated from those of an older one.
//
// Each step is a transaction of its own, so that an interrupted migration continues where it was. Before the first of
// them the store is copied, in a transaction of its own too: a row of schema_version with the negative number of the
// version marks that the copy exists.
#include <iterator>

#include "store/schema.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

constexpr auto kNewest = static_cast<std::int64_t>(std::size(kMigrations));

Failure newer(std::int64_t version) {
  return {ErrorCode::kInvalidArgument, "the store was written by a newer glovebox (its version is " +
                                           std::to_string(version) + ", this program knows " + std::to_string(kNewest) +
                                           ")"};
}

}  // namespace

Result<std::int64_t> Store::version() {
  auto row = GLOVEBOX_TRY(database_->prepare("SELECT coalesce(max(version), 0) FROM schema_version"));
  return GLOVEBOX_TRY(row.step()) ? row.number(0) : 0;
}

Result<void> Store::check_version() {
  const std::int64_t found = GLOVEBOX_TRY(read([&] { return version(); }));
  if (found > kNewest) return newer(found);
  return {};
}

Result<void> Store::migrate(const Progress& progress) {
  // Nothing is written when there is nothing to do: a process that only reads holds up no other. For a store without
  // tables the read fails, and they are created.
  const auto found = read([&] { return version(); });
  if (found && found.value() > kNewest) return newer(found.value());
  if (found && found.value() == kNewest) return {};
  while (GLOVEBOX_TRY(write({"migrate", true, "migrate", true}, [&] { return migrate_one_step(progress); }))) continue;
  return {};
}

// Returns whether there is another.
Result<bool> Store::migrate_one_step(const Progress& progress) {
  GLOVEBOX_TRY_VOID(database_->execute(
      database_->in_own_words("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")));
  std::int64_t at = GLOVEBOX_TRY(version());
  if (at > kNewest) return newer(at);
  if (at == kNewest) return false;
  const bool is_new = at == 0;
  const auto note = [&](std::int64_t number) -> Result<void> {
    auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO schema_version VALUES (?)"));
    return insert.bind(number).run();
  };
  const auto is_copied = [&]() -> Result<bool> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT 1 FROM schema_version WHERE version < 0"));
    return row.step();
  };
  if (!is_new && !GLOVEBOX_TRY(is_copied())) {
    if (progress)
      progress("the store has version " + std::to_string(at) + " and is upgraded to " + std::to_string(kNewest));
    GLOVEBOX_TRY_VOID(database_->back_up(at, progress));
    GLOVEBOX_TRY_VOID(note(-at));
    return true;
  }
  do {
    if (!is_new && progress)
      progress("changing its tables: " + std::to_string(at + 1) + " of " + std::to_string(kNewest));
    GLOVEBOX_TRY_VOID(database_->execute(database_->in_own_words(kMigrations[at])));
    GLOVEBOX_TRY_VOID(note(++at));
  } while (is_new && at < kNewest);
  if (at < kNewest) return true;
  GLOVEBOX_TRY_VOID(database_->execute("DELETE FROM schema_version WHERE version < 0"));
  return false;
}

}  // namespace glovebox::store
