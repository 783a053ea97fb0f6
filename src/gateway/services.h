// What the runs of one gateway share.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/tool_source.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/audit/audit_log.h"
#include "gateway/gateway_options.h"
#include "gateway/runs/runner.h"
#include "store/store.h"

namespace glovebox::gateway {

class RunTokens;
class ToolPassage;

struct Services : GatewayOptions {
  Services(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept, AuditLog written,
           catalog::ToolSource& source, Runner& what_runs);
  // With what a store says of rows that it refuses, in the log.
  static std::shared_ptr<Services> open(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept,
                                        AuditLog written, catalog::ToolSource& source, Runner& what_runs);

  // Held until the last guest is gone, so that nobody adopts a run that is still written about. In a store that is
  // shared, what a guest says after its gateway has closed is refused instead: see Gateway::close.
  std::optional<OwnerLock> lock;
  boost::asio::any_io_executor executor;
  store::Store& store;
  AuditLog audit;
  AuditHead anchored{};  // as far as the store knows it
  catalog::ToolSource& tools;
  Runner& runner;
  policy::RateLimits limits;
  std::string owner;
  std::unique_ptr<cache::ResultCache> cache;  // of results that serve again; turned off where none does
  std::shared_ptr<const RunTokens> tokens;

  bool closing = false;                            // nobody is told anything later
  std::size_t live_waiting = 0;                    // runs that wait with a process of their own
  std::deque<std::weak_ptr<ToolPassage>> in_line;  // calls that wait until fewer are under way

  void say(observe::Level level, std::string_view message, const observe::LogFields& fields) const {
    if (log) log->say(level, message, fields);
  }

  // What is going on cannot be stopped by a log that cannot be written; what is about to begin is, by its caller.
  void note(const AuditEvent& event) {
    const auto written = audit.append(event);
    if (!written && on_notice) on_notice(written.failure().message);
  }
};

}  // namespace glovebox::gateway
