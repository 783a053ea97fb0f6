// Services: options and resources that the runs of one gateway share.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bounds/byte_shares.h"
#include "catalog/tool_source.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/audit/audit_log.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway_options.h"
#include "store/store.h"

namespace glovebox::gateway {

class RunTokens;
class ToolPassage;

struct Services : GatewayOptions {
  Services(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept, AuditLog written,
           catalog::ToolSource& source, Runner& what_runs);
  // Also reports rows that the store refuses to the audit log.
  static std::shared_ptr<Services> open(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept,
                                        AuditLog written, catalog::ToolSource& source, Runner& what_runs);

  // Held until the last guest is gone, so that no gateway adopts a run that is still being written. In a shared store,
  // writes of a guest whose gateway has closed are refused instead: see Gateway::close.
  std::optional<OwnerLock> lock;
  boost::asio::any_io_executor executor;
  store::Store& store;
  AuditLog audit;
  AuditHead anchored{};  // the head that the store holds
  catalog::ToolSource& tools;
  Runner& runner;
  policy::RateLimits limits;
  std::string owner;
  std::unique_ptr<cache::ResultCache> cache;  // disabled if there are no cache_limits
  std::shared_ptr<const RunTokens> tokens;

  // What people are asked about, by whose token it is.
  std::shared_ptr<base::ByteShares> asked_bytes = std::make_shared<base::ByteShares>(base::ByteShares::Limits{});
  std::size_t bytes_added = 0;  // to the store, since the last pruning
  bool closing = false;         // nothing is reported later
  // Ends of calls that are yet to be written (calls/call_ending.h): when the first was noted, and whether a timer runs.
  std::chrono::steady_clock::time_point ends_since{};
  bool ends_are_watched = false;
  std::size_t live_waiting = 0;                    // waiting runs that still have a guest
  std::deque<std::weak_ptr<ToolPassage>> in_line;  // calls that wait until fewer are under way

  void say(observe::Level level, std::string_view message, const observe::LogFields& fields) const {
    if (log) log->say(level, message, fields);
  }

  // For events of what is already under way: a failed write is only reported. For what is about to begin, use append.
  void note(const AuditEvent& event) {
    const auto written = audit.append(event);
    if (!written && on_notice) on_notice(written.failure().message);
  }
};

}  // namespace glovebox::gateway
