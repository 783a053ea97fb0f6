// Notices that another process has written, without reading what.
#include "store/store.h"

namespace glovebox::store {

Result<std::string> Store::change_mark() {
  return read([&]() -> Result<std::string> {
    // SQLite counts what other connections have written; this one's own writes are counted here. PostgreSQL's next
    // transaction has another number once any process has written.
    const char* sql = is_shared() ? "SELECT pg_snapshot_xmax(pg_current_snapshot())::text" : "PRAGMA data_version";
    auto row = GLOVEBOX_TRY(database_->prepare(sql));
    const bool has_row = GLOVEBOX_TRY(row.step());
    return (has_row ? row.text(0) : std::string()) + "." + std::to_string(writes_);
  });
}

}  // namespace glovebox::store
