// Which gateways are alive, whatever the store. Those of a file hold a lock each; those that share a database have a
// lease there, which runs out by the database's clock.
#pragma once

#include <set>
#include <string>

#include "store/store.h"

namespace glovebox::gateway {

// For people: whether somebody drives what belongs to `owner`.
bool owner_lives(store::Store& store, const std::string& state_folder, const std::string& owner);

// Removes nodes that are dead, so that what they drove can be taken over. Gives those that are left.
Result<std::set<std::string>> remove_dead_nodes(store::Store& store, const std::string& state_folder);

}  // namespace glovebox::gateway
