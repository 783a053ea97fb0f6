// Which gateways are alive. Those that share a file each hold a lock; those that share a database each have a lease
// there, which expires by the database's clock.
#pragma once

#include <set>
#include <string>

#include "store/store.h"

namespace glovebox::gateway {

// Whether the gateway `owner` is alive.
Result<bool> find_owner_alive(store::Store& store, const std::string& state_folder, const std::string& owner);
// The same for display: one that cannot be found is shown as dead.
bool owner_lives(store::Store& store, const std::string& state_folder, const std::string& owner);

// Removes dead nodes, so that their runs can be adopted. Returns the living ones.
Result<std::set<std::string>> remove_dead_nodes(store::Store& store, const std::string& state_folder);

}  // namespace glovebox::gateway
