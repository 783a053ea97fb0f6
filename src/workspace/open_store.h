// The store of a workspace: in its state folder, or where the config's store says. Commands that read it work whether
// or not a gateway runs.
#pragma once

#include <chrono>
#include <memory>

#include "store/store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

// One that an older version wrote is changed first; `progress` says how far that is. Nothing: on standard error.
Result<std::unique_ptr<store::Store>> make_store(const Workspace& workspace, store::Progress progress = {});
// The key of rows that grant something: one for all stores of this user, in a file outside of every workspace. It is
// made when it is first needed; machines that share a PostgreSQL store need the same.
Result<store::RowKey> row_key();
// Null where the workspace has none yet: reading does not make one.
Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace);
// Of a SQLite store.
std::string store_path(const Workspace& workspace);
// Where it is, for people: never with a password.
std::string shown_store(const Workspace& workspace);

// What is kept of runs and workflows that have ended.
struct Retention {
  std::size_t keep_runs = 1000;
  std::chrono::hours keep_for{24 * 30};
};
Retention retention_of(const Workspace& workspace);

// "3 min", for people.
std::string age_of(std::int64_t created_ms);
// The person at this terminal, for the record: "ann (uid 1000)".
std::string this_person();

}  // namespace glovebox::cli
