// What a gateway is given when it opens, and what its runs share because of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "gateway/audit/audit_anchor.h"
#include "gateway/services.h"

namespace glovebox::gateway {

struct GatewayOptions : CallPolicy, RunSupport, RunObservers {
  std::string state_folder;      // of the owner, for this workspace; it is there
  std::string version;           // of the program, for `glovebox nodes`
  std::size_t keep_runs = 1000;  // ended ones
  std::chrono::hours keep_for{24 * 30};
  // A gateway of a shared store that has given no sign of life for so long is taken for dead.
  std::chrono::milliseconds lease{15'000};
  // So long a run waits for a store that cannot be written; then nobody knows what came of it.
  std::chrono::milliseconds outage{600'000};
  // Goes on with every run whose gateway has ended. One that may end before such a run does leaves them alone.
  bool adopts_runs = true;
  AuditOptions audit;
  // Writes an allow rule to the config; a failure is told, and tried again when the next gateway starts.
  std::function<Result<void>(const std::string& pattern)> remember_rule;
  // This gateway was taken for dead, has dropped what it drove, and goes on under another name (see owner()). Whoever
  // drives workflows in its name drops them too.
  std::function<void()> on_lease_lost;
  // A newer program has changed the store's tables: this one must end. Called once; may be absent.
  std::function<void(const std::string& why)> on_outdated;
  std::function<void()> on_look;  // into the store, because of a poke or from time to time
};

// `options.now` is there.
std::shared_ptr<Services> make_services(const GatewayOptions& options, boost::asio::any_io_executor executor,
                                        store::Store& store, AuditLog audit, ToolSource& tools, Runner& runner);

}  // namespace glovebox::gateway
