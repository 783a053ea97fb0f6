// Store's table of nodes. A node is alive exactly as long as its row exists: removing the row is what makes it dead,
// and waits for a write of its own that is under way, so that it writes nothing afterwards.
#include "store/nodes.h"

#include "store/store.h"

namespace glovebox::store {

Failure Store::taken_for_dead() const {
  return {ErrorCode::kConflict,
          "this gateway (" + node_ +
              ") was declared dead: its lease has run out, and other gateways have taken over its runs"};
}

Result<void> Store::check_node() {
  if (node_.empty()) return {};
  if (together_ && std::exchange(together_->node_is_checked, true)) return {};
  auto row = GLOVEBOX_TRY(database_->prepare("SELECT 1 FROM nodes WHERE id = ? {share}"));
  return row.bind(node_).require(taken_for_dead());
}

Result<void> Store::check_owner(const std::string& run) {
  if (node_.empty()) return {};
  auto row =
      GLOVEBOX_TRY(database_->prepare("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM runs WHERE id = ? AND owner <> ?)"));
  return row.bind(run).bind(node_).require(not_ours(run));
}

Failure Store::not_ours(const std::string& run) {
  return {ErrorCode::kConflict, "run " + run + " no longer belongs to this gateway"};
}

Result<void> Store::join(const NodeRecord& node) {
  // Until the new node is joined, this Store keeps writing as the former one, which may be dead.
  GLOVEBOX_TRY_VOID(write_as_anybody({"join", true}, [&]() -> Result<void> {
    auto insert = GLOVEBOX_TRY(
        database_->prepare("INSERT INTO nodes (id, host, pid, version, joined, seen, lease) VALUES (?, ?, ?, ?, {now}, "
                           "{now}, ?)"));
    insert.bind(node.id).bind(node.host).bind(node.pid).bind(node.version);
    return insert.bind(std::int64_t{node.lease.count()}).run();
  }));
  const auto turn = GLOVEBOX_TRY(take_turn());
  node_ = node.id;
  return {};
}

Result<bool> Store::renew_lease() {
  return write_as_anybody({"renew_lease"}, [&]() -> Result<bool> {
    if (node_.empty()) return true;
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE nodes SET seen = {now} WHERE id = ?"));
    return GLOVEBOX_TRY(update.bind(node_).changed()) == 1;
  });
}

Result<Lease> Store::hold_lease() {
  if (!is_shared()) return Lease::without_end();
  const auto asked = Lease::now();
  // However often this write is attempted, the lease is counted from after this point.
  return write({"hold_lease"}, [&]() -> Result<Lease> {
    if (node_.empty()) return Lease::without_end();
    auto rows = GLOVEBOX_TRY(database_->prepare("UPDATE nodes SET seen = {now} WHERE id = ? RETURNING lease"));
    if (!GLOVEBOX_TRY(rows.bind(node_).step())) return taken_for_dead();
    const std::chrono::milliseconds length(rows.number(0));
    return length.count() > 0 ? Lease(asked, length) : Lease::without_end();
  });
}

Result<void> Store::leave(const std::string& id) {
  {
    const auto turn = GLOVEBOX_TRY(take_turn());
    if (node_ == id) node_.clear();
  }
  return remove_node(id);
}

Result<void> Store::leave() {
  std::string id;
  {
    const auto turn = GLOVEBOX_TRY(take_turn());
    id = node_;
  }
  return id.empty() ? Result<void>() : leave(id);
}

Result<void> Store::remove_node(const std::string& id) {
  return write({"remove_node", true}, [&]() -> Result<void> {
    auto remove = GLOVEBOX_TRY(database_->prepare("DELETE FROM nodes WHERE id = ?"));
    GLOVEBOX_TRY_VOID(remove.bind(id).run());
    return database_->wake_others();
  });
}

// When this process was cut off from the database for a while, others perhaps were too: they get the time of their
// lease to renew it.
std::int64_t Store::longest_judged_lease() const {
  const auto back = database_->back_since();
  if (!back) return std::numeric_limits<std::int64_t>::max();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - *back).count();
}

Result<std::vector<std::string>> Store::remove_expired_nodes() {
  const bool any = GLOVEBOX_TRY(read([&]() -> Result<bool> {
    auto row = GLOVEBOX_TRY(database_->prepare(
        "SELECT 1 FROM nodes WHERE lease > 0 AND seen + lease < {now} AND id <> ? AND lease < ? LIMIT "
        "1"));
    return row.bind(node_).bind(longest_judged_lease()).step();
  }));
  if (!any) return std::vector<std::string>();
  return write({"remove_expired_nodes", true}, [&]() -> Result<std::vector<std::string>> {
    // A node that is about to write is not dead: it is skipped, and checked again next time. The caller's own node is
    // skipped, too.
    auto rows = GLOVEBOX_TRY(
        database_->prepare("DELETE FROM nodes WHERE id IN (SELECT id FROM nodes WHERE lease > 0 AND seen + lease < "
                           "{now} AND id <> ? AND lease < ? {skip locked}) RETURNING id"));
    rows.bind(node_).bind(longest_judged_lease());
    std::vector<std::string> removed;
    while (GLOVEBOX_TRY(rows.step())) removed.push_back(rows.text(0));
    if (!removed.empty()) GLOVEBOX_TRY_VOID(database_->wake_others());
    return removed;
  });
}

Result<std::vector<NodeRecord>> Store::nodes() {
  return read([&]() -> Result<std::vector<NodeRecord>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id, host, pid, version, lease, joined, seen, CASE WHEN lease > 0 AND seen + lease < "
                           "{now} THEN 1 ELSE 0 END FROM nodes ORDER BY joined, id"));
    std::vector<NodeRecord> nodes;
    while (GLOVEBOX_TRY(rows.step())) {
      nodes.push_back({rows.text(0), rows.text(1), rows.number(2), rows.text(3),
                       std::chrono::milliseconds(rows.number(4)), rows.number(5), rows.number(6), rows.number(7) != 0});
    }
    return nodes;
  });
}

}  // namespace glovebox::store
