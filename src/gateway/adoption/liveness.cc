#include "gateway/adoption/liveness.h"

#include <algorithm>

#include "base/try.h"
#include "gateway/adoption/owner_lock.h"

namespace glovebox::gateway {

Result<bool> find_owner_alive(store::Store& store, const std::string& state_folder, const std::string& owner) {
  if (!store.is_shared()) return owner_is_alive(state_folder, owner);
  for (const store::NodeRecord& node : GLOVEBOX_TRY(store.nodes())) {
    if (node.id == owner) return !node.expired;
  }
  return false;
}

bool owner_lives(store::Store& store, const std::string& state_folder, const std::string& owner) {
  const auto lives = find_owner_alive(store, state_folder, owner);
  return lives && *lives;
}

Result<std::set<std::string>> remove_dead_nodes(store::Store& store, const std::string& state_folder) {
  if (store.is_shared()) GLOVEBOX_TRY(store.remove_expired_nodes());
  std::set<std::string> alive;
  const auto nodes = GLOVEBOX_TRY(store.nodes());
  // A node took its lock before it joined. For nodes of other machines there is no file here.
  const auto dead_here = owners_without_lock(state_folder);
  for (const store::NodeRecord& node : nodes) {
    const bool is_dead_here = std::find(dead_here.begin(), dead_here.end(), node.id) != dead_here.end();
    if (store.is_shared() ? !is_dead_here : owner_is_alive(state_folder, node.id)) {
      alive.insert(node.id);
      continue;
    }
    GLOVEBOX_TRY_VOID(store.remove_node(node.id));
    forget_owner(state_folder, node.id);
  }
  return alive;
}

}  // namespace glovebox::gateway
