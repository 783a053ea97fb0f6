// Copies rows of one database into another, of whatever kinds.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/database/database.h"
#include "store/upkeep/stored_tables.h"

namespace glovebox::store {

struct StoredColumn {
  std::string name;
  bool is_number = false;
  bool is_blob = false;
};

// Of every table in the schema of this version.
using StoredColumns = std::map<std::string, std::vector<StoredColumn>>;
Result<StoredColumns> stored_columns();

Result<std::int64_t> count_rows(Database& from, const StoredTable& table);

// Within a read of `from` and a write of `to`. `copied` is called with the number of rows added since its last call.
Result<void> copy_rows(Database& from, Database& to, const StoredTable& table, const StoredColumns& columns,
                       const std::function<void(std::size_t more)>& copied);

}  // namespace glovebox::store
