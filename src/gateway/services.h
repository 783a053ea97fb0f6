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

#include "cache/result_cache.h"
#include "config/variables.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/audit/audit_log.h"
#include "gateway/privacy/privacy_guard.h"
#include "gateway/runs/code_check.h"
#include "gateway/runs/run_events.h"
#include "gateway/runs/run_spans.h"
#include "gateway/runs/runner.h"
#include "gateway/tools/tool_source.h"
#include "observe/log.h"
#include "observe/meters.h"
#include "policy/rate_limits.h"
#include "policy/tool_rules.h"
#include "store/store.h"

namespace glovebox::gateway {

class PrivacyGuard;
class RunTokens;
class ToolPassage;

struct GatewayTimes {
  std::chrono::milliseconds gather{50};        // a card is closed when no call has joined it for so long,
  std::chrono::milliseconds gather_most{500};  // or after this
  std::chrono::milliseconds plan_most{2000};   // and for so long it waits for the plan of the program
  std::chrono::milliseconds look{1000};        // into the store, if nobody pokes
  std::chrono::milliseconds park_after{2000};  // a run that only waits gives its process back
  std::size_t most_live_waiting = 32;          // beyond it they do so at once
  // One that goes on with timers while it waits does so as well: after so long, or so many entries of its journal.
  std::chrono::milliseconds restless_most{10'000};
  std::size_t restless_entries = 1000;
};

struct Services {
  Services(boost::asio::any_io_executor on, store::Store& kept, AuditLog log, ToolSource& source, Runner& what_runs)
      : executor(std::move(on)), store(kept), audit(std::move(log)), tools(source), runner(what_runs), limits([] {
          return std::chrono::steady_clock::now();
        }) {}

  // Held until the last guest is gone, so that nobody adopts a run that is still written about. In a store that is
  // shared, what a guest says after its gateway has closed is refused instead: see Gateway::close.
  std::optional<OwnerLock> lock;
  boost::asio::any_io_executor executor;
  store::Store& store;
  AuditLog audit;
  AuditHead anchored{};  // as far as the store knows it
  ToolSource& tools;
  Runner& runner;
  policy::RateLimits limits;
  policy::ToolRules rules;
  policy::ToolRules idempotent;  // allows what may be called twice
  // The most that a run gets: what the owner's config gives now. May be absent: then what the run was given counts.
  std::function<SandboxConfig()> todays_config;
  // What the owner's config says now of a scope of access tokens; absent: nothing says anything of scopes.
  std::function<policy::ClientProfile(const std::string& scope)> todays_profile;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  GatewayTimes times;
  std::string workspace;  // absolute and normal
  std::string owner;
  std::function<std::int64_t()> now;  // milliseconds since 1970
  // What the code can call, as JSON, found statically; may be absent, and may never answer.
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  config::Variables variables;  // our own environment
  bool record_runs = true;
  // Results that serve again; turned off where none does.
  std::unique_ptr<cache::ResultCache> cache;
  policy::ToolRules cacheable;  // allows calls whose answer may serve again
  std::string policy_digest;    // of all of the config that a result depends on
  CheckCode check;              // may be absent: nothing is checked then
  std::shared_ptr<const RunTokens> tokens;
  std::shared_ptr<PrivacyGuard> privacy;  // may be absent: nothing is restored or followed then
  // A run has ended, in the way that its status says; may be absent.
  std::function<void(const store::RunRecord& run, const Outcome& outcome)> on_ended;
  // A run says something; may be absent.
  std::function<void(const std::string& run, const LogLine& line)> on_log;
  // A card is in the store, and people may see it; may be absent.
  std::function<void(const store::RunRecord& run, const store::ApprovalRecord& approval)> on_asked;
  // A run has ended whose code another gateway has handed over; may be absent.
  std::function<void(const std::string& to, const RunEnd& end)> report;
  std::function<void(const std::string&)> on_notice;
  std::shared_ptr<observe::Meters> meters;  // never null
  std::shared_ptr<observe::Log> log;        // may be null
  TraceSettings traces;
  std::function<void(const observe::Trace&)> on_trace;  // may be absent

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
