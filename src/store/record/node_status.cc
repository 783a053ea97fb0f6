// Store's tables of the status of gateways, what they measured, and what people ask of them.
#include "store/store.h"

namespace glovebox::store {

Result<void> Store::set_status(const NodeStatus& status) {
  return write({"set_node_status"}, [&]() -> Result<void> {
    {
      auto remove = GLOVEBOX_TRY(
          database_->prepare("DELETE FROM node_status WHERE node = ? OR node NOT IN (SELECT id FROM nodes)"));
      GLOVEBOX_TRY_VOID(remove.bind(status.node).run());
    }
    auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO node_status (node, at, status) VALUES (?, ?, ?)"));
    return insert.bind(status.node).bind(status.at).bind(status.status).run();
  });
}

Result<std::vector<NodeStatus>> Store::node_statuses() {
  return read([&]() -> Result<std::vector<NodeStatus>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT node, at, status FROM node_status WHERE node IN (SELECT id FROM nodes) ORDER BY node"));
    std::vector<NodeStatus> all;
    while (GLOVEBOX_TRY(rows.step())) all.push_back({rows.text(0), rows.number(1), rows.text(2)});
    return all;
  });
}

Result<void> Store::add_sample(const NodeSample& sample, std::int64_t oldest) {
  return write({"add_node_sample"}, [&]() -> Result<void> {
    {
      auto remove =
          GLOVEBOX_TRY(database_->prepare("DELETE FROM node_samples WHERE at < ?1 OR (node = ?2 AND at = ?3)"));
      GLOVEBOX_TRY_VOID(remove.bind(oldest).bind(sample.node).bind(sample.at).run());
    }
    auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO node_samples (node, at, figures) VALUES (?, ?, ?)"));
    return insert.bind(sample.node).bind(sample.at).bind(sample.figures).run();
  });
}

Result<std::vector<NodeSample>> Store::node_samples(std::int64_t since) {
  return read([&]() -> Result<std::vector<NodeSample>> {
    auto rows =
        GLOVEBOX_TRY(database_->prepare("SELECT node, at, figures FROM node_samples WHERE at >= ? ORDER BY at, node"));
    rows.bind(since);
    std::vector<NodeSample> all;
    while (GLOVEBOX_TRY(rows.step())) all.push_back({rows.text(0), rows.number(1), rows.text(2)});
    return all;
  });
}

Result<void> Store::add_node_request(const NodeRequest& request) {
  return write({"add_node_request"}, [&]() -> Result<void> {
    {
      // Requests to nodes that are gone: no one will read them.
      auto remove =
          GLOVEBOX_TRY(database_->prepare("DELETE FROM node_requests WHERE node NOT IN (SELECT id FROM nodes)"));
      GLOVEBOX_TRY_VOID(remove.run());
    }
    auto insert = GLOVEBOX_TRY(
        database_->prepare("INSERT INTO node_requests (node, kind, about, who, at, digest) VALUES (?, ?, ?, ?, ?, ?)"));
    const std::string digest = seal_.of(request);
    insert.bind(request.node).bind(request.kind).bind(request.about).bind(request.who);
    GLOVEBOX_TRY_VOID(insert.bind(request.at).bind(digest).run());
    return database_->wake_others();
  });
}

Result<std::vector<NodeRequest>> Store::take_node_requests(const std::string& node) {
  const bool any = GLOVEBOX_TRY(read([&]() -> Result<bool> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT 1 FROM node_requests WHERE node = ? LIMIT 1"));
    return row.bind(node).step();
  }));
  if (!any) return std::vector<NodeRequest>();
  return write({"take_node_requests"}, [&]() -> Result<std::vector<NodeRequest>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("DELETE FROM node_requests WHERE node = ? RETURNING node, kind, about, who, at, digest"));
    rows.bind(node);
    std::vector<NodeRequest> taken;
    while (GLOVEBOX_TRY(rows.step())) {
      NodeRequest request{rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.number(4)};
      if (is_ours(rows.text(5), seal_.of(request), "a request to node " + node)) taken.push_back(std::move(request));
    }
    return taken;
  });
}

}  // namespace glovebox::store
