// What a gateway is given when it opens, and what its runs share because of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gateway/audit/audit_anchor.h"
#include "gateway/services.h"

namespace glovebox::gateway {

struct GatewayOptions {
  std::string state_folder;  // of the owner, for this workspace; it is there
  std::string workspace;     // absolute and normal; relative paths in rules are meant from here
  std::string version;       // of the program, for `glovebox nodes`
  policy::ToolRules rules;
  policy::ToolRules idempotent;                  // allows what may be called twice; see config_policy.h
  std::function<SandboxConfig()> todays_config;  // see Services
  std::function<policy::ClientProfile(const std::string& scope)> todays_profile;
  std::map<std::string, policy::RateLimit> limits;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  GatewayTimes times;
  std::size_t keep_runs = 1000;  // ended ones
  std::chrono::hours keep_for{24 * 30};
  // A gateway of a shared store that has given no sign of life for so long is taken for dead.
  std::chrono::milliseconds lease{15'000};
  // So long a run waits for a store that cannot be written; then nobody knows what came of it.
  std::chrono::milliseconds outage{600'000};
  std::function<std::int64_t()> now;  // milliseconds since 1970; empty: the system's clock
  // Writes an allow rule to the config; a failure is told, and tried again when the next gateway starts.
  std::function<Result<void>(const std::string& pattern)> remember_rule;
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  config::Variables variables = config::process_variable;  // for runs that are given values of them
  CheckCode check;                                         // before a run; empty: nothing is checked
  std::shared_ptr<PrivacyGuard> privacy;                   // may be absent: tokens stay tokens, and no flow is followed
  // Goes on with every run whose gateway has ended. One that may end before such a run does leaves them alone.
  bool adopts_runs = true;
  bool record_runs = true;  // for `glovebox runs record`
  AuditOptions audit;
  // Results that serve again, for runs that want it; nothing: none does.
  std::optional<cache::CacheLimits> cache;
  policy::ToolRules cacheable;  // allows calls whose answer may serve again; see config_policy.h
  std::string policy_digest;    // of all of the config that a result depends on: another one finds nothing
  // A run has ended, in the way that its status says.
  std::function<void(const store::RunRecord& run, const Outcome& outcome)> on_ended;
  std::function<void(const std::string& run, const LogLine& line)> on_log;  // a run says something
  // A person is asked: the card is in the store.
  std::function<void(const store::RunRecord& run, const store::ApprovalRecord& approval)> on_asked;
  // A run with `report_to` has ended, in whatever way, perhaps in a later gateway than it began in.
  std::function<void(const std::string& to, const RunEnd& end)> report;
  std::function<void(const std::string&)> on_notice;
  // This gateway was taken for dead, has dropped what it drove, and goes on under another name (see owner()). Whoever
  // drives workflows in its name drops them too.
  std::function<void()> on_lease_lost;
  // A newer program has changed the store's tables: this one must end. Called once; may be absent.
  std::function<void(const std::string& why)> on_outdated;
  std::function<void()> on_look;            // into the store, because of a poke or from time to time
  std::shared_ptr<observe::Meters> meters;  // what counts and measures; null: one of its own
  std::shared_ptr<observe::Log> log;        // null: nothing is said
  TraceSettings traces;
  std::function<void(const observe::Trace&)> on_trace;  // of a run that has ended, and is to be told of
};

// `options.now` is there.
std::shared_ptr<Services> make_services(const GatewayOptions& options, boost::asio::any_io_executor executor,
                                        store::Store& store, AuditLog audit, ToolSource& tools, Runner& runner);

}  // namespace glovebox::gateway
