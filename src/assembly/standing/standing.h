// Publishes the status of this gateway in the store: servers, pool, rates, pending changes. `glovebox ui` is another
// process and reads it there; people's requests to the gateway come back the same way, and so do its answers.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <string>

#include "assembly/gateway_process.h"
#include "assembly/standing/kept_changes.h"
#include "assembly/standing/live_logs.h"
#include "mcp/json/json_tree.h"

namespace glovebox::assembly {

class Standing {
 public:
  // Begins at once. The process outlives it.
  explicit Standing(GatewayProcess& process);
  ~Standing();
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  // Polls for requests to this gateway.
  void poll();
  void tell_regularly();
  void tell();
  void sample(std::int64_t now);
  void obey(const std::vector<store::NodeRequest>& requests);
  void on_run_ended(const store::RunRecord& run, const Outcome& outcome);
  // What came of a wish, for the client that asked; now or later.
  using Done = std::function<void(const Result<mcp::json::object>&)>;
  void carry_out(const store::NodeRequest& request, const mcp::json::object& wish, const Done& done);
  Result<mcp::json::object> execute(const mcp::json::object& wish, const std::string& who);
  void fork(const mcp::json::object& wish, const std::string& who, const Done& done);
  void settle_changes(const mcp::json::object& wish, const std::string& who, const Done& done);
  void answer(const std::string& request, const Result<mcp::json::object>& done);

  GatewayProcess& process_;
  boost::asio::steady_timer timer_;
  LiveLogs logs_;
  KeptChanges changes_;
  std::deque<mcp::json::object> answers_;
  std::string reported_;
  std::string sampled_;
  std::int64_t sampled_at_ = 0;
  bool polls_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::assembly
