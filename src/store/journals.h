// The journal of a run, as several tables of the store need it.
#pragma once

#include <string>

#include "store/database/database.h"

namespace glovebox::store {

// Within a write: the journal, and which calls had begun.
Result<void> delete_journal(Database& database, const std::string& run);
// Of a run that ends, and is no longer said to have one. Which calls had begun goes with the run.
Result<void> delete_entries(Database& database, const std::string& run);

}  // namespace glovebox::store
