#include "store/store.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/system_error.h"
#include "store/database/sqlite.h"

namespace glovebox::store {

Store::Store(std::unique_ptr<Database> database, const RowKey& key)
    : database_(std::move(database)),
      seal_(key),
      thread_([this](std::vector<PostedWrite>& writes) { carry_out(writes); }) {}

Result<std::unique_ptr<Store>> Store::open(const std::string& folder, const RowKey& key, const std::string& file,
                                           const Progress& progress) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return base::system_failure(errno, folder);
  return on(GLOVEBOX_TRY(SqliteDatabase::open(folder + "/" + file)), key, progress);
}

Result<std::unique_ptr<Store>> Store::connect(const std::string& address, const RowKey& key, const Progress& progress) {
  auto store = GLOVEBOX_TRY(on(GLOVEBOX_TRY(PostgresDatabase::open(address)), key, progress));
  store->address_ = address;
  return store;
}

std::unique_ptr<PostgresListener> Store::listen(std::function<void()> on_wake) {
  if (!is_shared()) return nullptr;
  return std::make_unique<PostgresListener>(address_, std::move(on_wake));
}

Result<std::unique_ptr<Store>> Store::on(std::unique_ptr<Database> database, const RowKey& key,
                                         const Progress& progress) {
  std::unique_ptr<Store> store(new Store(std::move(database), key));
  GLOVEBOX_TRY_VOID(store->migrate(progress));
  return store;
}

}  // namespace glovebox::store
