// The journal of a run, as several tables of the store need it.
#pragma once

#include <string>

#include "store/database/database.h"

namespace glovebox::store {

// Within a write: deletes the journal and the record of which calls had begun.
Result<void> delete_journal(Database& database, const std::string& run);
// For a run that ends: deletes its entries and marks it as having no journal. The calls begun are deleted with the run.
Result<void> delete_entries(Database& database, const std::string& run);

}  // namespace glovebox::store
