// What a gateway is given when it opens, by what it is for. Its runs read it there: Services has it.
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
  std::chrono::milliseconds gather{50};        // a card is closed when no call has joined it for so long,
  std::chrono::milliseconds gather_most{500};  // or after this
  std::chrono::milliseconds plan_most{2000};   // and for so long it waits for the plan of the program
  // A guest whose code is still being checked has a place that others may wait for. Most checks take a few ms.
  std::chrono::milliseconds hold_most{500};
  std::chrono::milliseconds look{1000};        // between polls of the store, without a wake-up
  std::chrono::milliseconds park_after{2000};  // a run that only waits gives its process back
  std::size_t most_live_waiting = 32;          // beyond it they do so at once
  // One that goes on with timers while it waits does so as well: after so long, or so many entries of its journal.
  std::chrono::milliseconds restless_most{10'000};
  std::size_t restless_entries = 1000;
};

// What decides about calls. Another config replaces it as a whole: Gateway::set_policy.
struct CallPolicy {
  policy::ToolRules rules;
  policy::ToolRules idempotent;  // allows what may be called twice; see config_policy.h
  policy::ToolRules cacheable;   // allows calls whose answer may serve again
  std::string policy_digest;     // of all of the config that a result depends on: another one finds nothing
  std::map<std::string, policy::RateLimit> rate_limits;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  std::optional<cache::CacheLimits> cache_limits;  // of results that serve again; nothing: none does
};

// What runs begin and go on with.
struct RunSupport {
  std::string workspace;  // absolute and normal; relative paths in rules are meant from here
  // The most that a run gets: what the owner's config gives now. May be absent: then what the run was given counts.
  std::function<SandboxConfig()> todays_config;
  // What the owner's config says now of a scope of access tokens; absent: nothing says anything of scopes.
  std::function<policy::ClientProfile(const std::string& scope)> todays_profile;
  GatewayTimes times;
  std::function<std::int64_t()> now;  // milliseconds since 1970; absent: the system's clock
  // What the code can call, as JSON, found statically; may be absent, and may never answer.
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  config::Variables variables = config::process_variable;  // for runs that are given values of them
  CheckCode check;                                         // before a run; absent: nothing is checked
  std::shared_ptr<PrivacyGuard> privacy;  // may be absent: nothing is restored, and no flow is followed
  bool record_runs = true;                // for `glovebox runs record`
};

// Listeners to what happens to runs. Each may be absent.
struct RunObservers {
  // A run has ended, in the way that its status says.
  std::function<void(const store::RunRecord& run, const Outcome& outcome)> on_ended;
  std::function<void(const std::string& run, const LogLine& line)> on_log;  // a run says something
  // A person is asked: the card is in the store.
  std::function<void(const store::RunRecord& run, const store::ApprovalRecord& approval)> on_asked;
  // A run with `report_to` has ended, in whatever way, perhaps in a later gateway than it began in.
  std::function<void(const std::string& to, const RunEnd& end)> report;
  std::function<void(const std::string&)> on_notice;
  std::shared_ptr<observe::Meters> meters;  // what counts and measures; never null in Services
  std::shared_ptr<observe::Log> log;        // null: nothing is said
  TraceSettings traces;
  std::function<void(const observe::Trace&)> on_trace;  // of a run that has ended, and is to be told of
};

struct GatewayOptions : CallPolicy, RunSupport, RunObservers {
  std::string state_folder;      // of the owner, for this workspace; it is there
  std::string version;           // of the program, for `glovebox nodes`
  std::size_t keep_runs = 1000;  // ended ones
  std::chrono::hours keep_for{24 * 30};
  // A gateway of a shared store that has given no sign of life for so long is taken for dead.
  std::chrono::milliseconds lease{15'000};
  // So long a run waits for a store that cannot be written; then its outcome is unknown.
  std::chrono::milliseconds outage{600'000};
  // Goes on with every run whose gateway has ended. One that may end before such a run does leaves them alone.
  bool adopts_runs = true;
  AuditOptions audit_log;
  // Writes an allow rule to the config; a failure is told, and tried again when the next gateway starts.
  std::function<Result<void>(const std::string& pattern)> remember_rule;
  // This gateway was taken for dead, has dropped what it drove, and goes on under another name (see owner()). Whoever
  // drives workflows in its name drops them too.
  std::function<void()> on_lease_lost;
  // A newer program has changed the store's tables: this one must end. Called once; may be absent.
  std::function<void(const std::string& why)> on_outdated;
  std::function<void()> on_look;  // into the store, because of a poke or from time to time
};

}  // namespace glovebox::gateway
