// What a gateway is opened with, grouped by purpose. Runs read it from Services.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cache/result_cache.h"
#include "config/variables.h"
#include "gateway/audit/audit_anchor.h"
#include "gateway/privacy/privacy_guard.h"
#include "gateway/runs/code_check.h"
#include "gateway/runs/run_events.h"
#include "gateway/runs/run_spans.h"
#include "observe/log.h"
#include "observe/meters.h"
#include "policy/rate_limits.h"
#include "policy/tool_rules.h"
#include "store/store.h"

namespace glovebox::gateway {

struct GatewayTimes {
  std::chrono::milliseconds gather{50};        // a request is sent when no call has joined for this long,
  std::chrono::milliseconds gather_most{500};  // or after this,
  std::chrono::milliseconds plan_most{2000};   // and waits this long for the program's plan
  // A guest whose code is still being checked takes up a slot that others may wait for. Most checks take a few ms.
  std::chrono::milliseconds hold_most{500};
  std::chrono::milliseconds poll{1000};         // between polls of the store, without a wake-up
  std::chrono::milliseconds park_after{2000};   // a run that only waits gives its guest back
  std::size_t most_live_waiting = 32;           // beyond this, they do so at once
  std::chrono::milliseconds record_most{1000};  // a result waits this long for its record in the store
  // A run whose timers continue while it waits is parked as well: after this time, or this many journal entries.
  std::chrono::milliseconds restless_most{10'000};
  std::size_t restless_entries = 1000;
};

// What decides about calls. A new config replaces it as a whole: Gateway::set_policy.
struct CallPolicy {
  policy::ToolRules rules;
  policy::ToolRules idempotent;  // allows what may be called twice; see config_policy.h
  policy::ToolRules cacheable;   // allows calls whose result may be cached
  std::string policy_digest;     // of all of the config that a result depends on; part of cache keys
  std::map<std::string, policy::RateLimit> rate_limits;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  std::optional<std::size_t> waiting_per_client;   // runs of one holder of a token that wait for people
  std::optional<cache::CacheLimits> cache_limits;  // nothing: caching is disabled
};

// What runs need to begin and to be resumed.
struct RunSupport {
  std::string workspace;  // absolute and normal; relative paths in rules are resolved against it
  // Upper bound of what a run gets: the owner's config as it is now. May be absent: no such bound.
  std::function<SandboxConfig()> todays_config;
  // What the owner's config now says of a scope of access tokens; may be absent.
  std::function<policy::ClientProfile(const std::string& scope)> todays_profile;
  GatewayTimes times;
  std::function<std::int64_t()> now;  // milliseconds since 1970; absent: the system's clock
  // Finds statically what the code can call, as JSON; may be absent, and may never answer.
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  config::Variables variables = config::process_variable;  // for runs that are given values of them
  CheckCode check;                                         // before a run; absent: nothing is checked
  std::shared_ptr<PrivacyGuard> privacy;                   // may be absent: tokens are not restored, no flow rules
  bool record_runs = true;                                 // for `glovebox runs record`
};

// Listeners to what happens to runs. Each may be absent.
struct RunObservers {
  // A run has ended, with this status.
  std::function<void(const store::RunRecord& run, const Outcome& outcome)> on_ended;
  std::function<void(const std::string& run, const LogLine& line)> on_log;  // a run logs a line
  // A person is asked: the approval request is in the store.
  std::function<void(const store::RunRecord& run, const store::ApprovalRecord& approval)> on_asked;
  // A run with `report_to` has ended in any way, perhaps in a later gateway than the one it began in.
  std::function<void(const std::string& to, const RunEnd& end)> report;
  std::function<void(const std::string&)> on_notice;
  std::shared_ptr<observe::Meters> meters;  // never null in Services
  std::shared_ptr<observe::Log> log;        // null: nothing is logged
  TraceSettings traces;
  std::function<void(const observe::Trace&)> on_trace;  // of a run that has ended, if sampled
};

struct GatewayOptions : CallPolicy, RunSupport, RunObservers {
  std::string state_folder;      // of the owner, for this workspace; exists
  std::string version;           // of the program, for `glovebox nodes`
  std::size_t keep_runs = 1000;  // ended ones
  std::chrono::hours keep_for{24 * 30};
  // A gateway of a shared store that has not renewed its lease for this long is declared dead.
  std::chrono::milliseconds lease{15'000};
  // How long a run waits for a store that cannot be written; then its outcome is unknown.
  std::chrono::milliseconds outage{600'000};
  // Resumes every run whose gateway has ended. A gateway that may itself end sooner does not.
  bool adopts_runs = true;
  AuditOptions audit_log;
  // Writes an allow rule to the config; a failure is reported, and retried with the next rule or gateway.
  std::function<Result<void>(const std::string& pattern)> remember_rule;
  // This gateway was declared dead, has dropped its runs, and continues under another name (see owner()). Workflows
  // that are driven under the old name must be dropped too.
  std::function<void()> on_lease_lost;
  // A newer program has changed the store's tables: this process must end. Called once; may be absent.
  std::function<void(const std::string& why)> on_outdated;
  std::function<void()> on_poll;  // the store was polled, or dead gateways were removed
};

}  // namespace glovebox::gateway
