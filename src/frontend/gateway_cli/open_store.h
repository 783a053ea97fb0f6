// The store of a workspace: in its state folder, or where the config's store.path says. Commands that look into it work
// whether or not a gateway runs.
#pragma once

#include <memory>

#include "frontend/gateway_cli/workspace.h"
#include "store/store.h"

namespace glovebox::frontend {

Result<std::unique_ptr<store::Store>> make_store(const Workspace& workspace);
// Null where the workspace has none yet: looking does not make one.
Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace);

// Milliseconds since 1970.
std::int64_t now_ms();
// "3 min", for people.
std::string age_of(std::int64_t created_ms);
// The person at this terminal, for the record: "ann (uid 1000)".
std::string this_person();

}  // namespace glovebox::frontend
