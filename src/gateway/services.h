// What the runs of one gateway share.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/audit_log.h"
#include "gateway/owner_lock.h"
#include "gateway/runner.h"
#include "gateway/tool_source.h"
#include "policy/rate_limits.h"
#include "policy/tool_rules.h"
#include "store/store.h"

namespace glovebox::gateway {

class ToolPassage;

struct GatewayTimes {
  std::chrono::milliseconds gather{50};        // a card is closed when no call has joined it for so long,
  std::chrono::milliseconds gather_most{500};  // or after this
  std::chrono::milliseconds look{1000};        // into the store, if nobody pokes
  std::chrono::milliseconds park_after{2000};  // a run that only waits gives its process back
  std::size_t most_live_waiting = 32;          // beyond it they do so at once
};

struct Services {
  Services(boost::asio::any_io_executor on, store::Store& kept, AuditLog log, ToolSource& source, Runner& what_runs,
           OwnerLock mine)
      : lock(std::move(mine)),
        executor(std::move(on)),
        store(kept),
        audit(std::move(log)),
        tools(source),
        runner(what_runs),
        limits([] { return std::chrono::steady_clock::now(); }) {}

  // Held until the last guest is gone, so that nobody adopts a run that is still written about.
  OwnerLock lock;
  boost::asio::any_io_executor executor;
  store::Store& store;
  AuditLog audit;
  ToolSource& tools;
  Runner& runner;
  policy::RateLimits limits;
  policy::ToolRules rules;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  GatewayTimes times;
  std::string workspace;  // absolute and normal
  std::string owner;
  std::function<std::int64_t()> now;  // milliseconds since 1970
  // What the code can call, as JSON, found statically; may be absent, and may never answer.
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  std::function<void(const std::string&)> on_notice;

  std::size_t live_waiting = 0;                    // runs that wait with a process of their own
  std::deque<std::weak_ptr<ToolPassage>> in_line;  // calls that wait until fewer are under way

  // What is going on cannot be stopped by a log that cannot be written; what is about to begin is, by its caller.
  void note(const AuditEvent& event) {
    const auto written = audit.append(event);
    if (!written && on_notice) on_notice(written.failure().message);
  }
};

}  // namespace glovebox::gateway
