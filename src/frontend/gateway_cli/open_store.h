// The store of a workspace, for commands that look into it. They work whether or not a gateway runs.
#pragma once

#include <memory>

#include "frontend/gateway_cli/workspace.h"
#include "store/store.h"

namespace glovebox::frontend {

// Null where the workspace has none yet: looking does not make one.
Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace);

// Milliseconds since 1970.
std::int64_t now_ms();
// "3 min", for people.
std::string age_of(std::int64_t created_ms);
// The person at this terminal, for the record: "ann (uid 1000)".
std::string this_person();

}  // namespace glovebox::frontend
