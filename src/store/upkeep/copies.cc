// Copies of a store: to a file, and from one store into another of any kind.
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/system_error.h"
#include "store/store.h"
#include "store/upkeep/copy_rows.h"

namespace glovebox::store {

Result<void> Store::back_up_to(const std::string& path, const CopyProgress& progress) {
  if (database_->copies_itself()) {
    const auto turn = GLOVEBOX_TRY(take_turn());
    return database_->copy_to(path);
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) return Failure{ErrorCode::kConflict, path + " already exists"};
  const std::filesystem::path file = std::filesystem::absolute(path);
  Result<void> copied;
  {
    auto copy = GLOVEBOX_TRY(open(file.parent_path(), RowKey{}, file.filename()));
    copied = copy->fill_from(*this, progress);
  }
  ::unlink((path + "-turn").c_str());
  if (!copied) {
    for (const char* ending : {"", "-wal", "-shm"}) ::unlink((path + ending).c_str());
  }
  return copied;
}

Result<void> Store::fill_from(Store& from, const CopyProgress& progress) {
  const StoredColumns columns = GLOVEBOX_TRY(stored_columns());
  const auto turn = GLOVEBOX_TRY(from.take_turn());
  return from.database_->read_one_moment([&]() -> Result<void> {
    std::size_t done = 0, all = 0;
    for (const StoredTable& table : kStoredTables)
      all += static_cast<std::size_t>(GLOVEBOX_TRY(count_rows(*from.database_, table)));
    const auto copied = [&](std::size_t more) {
      done += more;
      if (progress) progress(done, all);
    };
    return write({"fill", true, "migrate", true}, [&]() -> Result<void> {
      done = 0;
      for (const StoredTable& table : kStoredTables) {
        if (GLOVEBOX_TRY(count_rows(*database_, table)) > 0)
          return Failure{ErrorCode::kConflict, "the store is not empty"};
      }
      for (const StoredTable& table : kStoredTables) {
        GLOVEBOX_TRY_VOID(copy_rows(*from.database_, *database_, table, columns, copied));
        if (!table.has_own_ids || !is_shared()) continue;
        const std::string name = std::string("'glovebox.") + table.name + "'";
        GLOVEBOX_TRY_VOID(database_->execute("SELECT setval(pg_get_serial_sequence(" + name +
                                             ", 'id'), coalesce(max(id), 1), count(*) > 0) FROM " + table.name));
      }
      return {};
    });
  });
}

Result<void> Store::forget_nodes() {
  return write_as_anybody({"forget_nodes", true}, [&]() -> Result<void> {
    return database_->execute(
        "DELETE FROM nodes; DELETE FROM node_status; DELETE FROM node_samples; DELETE FROM node_requests; DELETE FROM "
        "audit_heads");
  });
}

}  // namespace glovebox::store
