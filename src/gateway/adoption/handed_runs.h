// Runs of code that was handed back to a client's own gateway. In the store they belong to that client, no gateway
// drives them, and they end when the client reports their outcome, once. The report is the client's claim and is not
// verified.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "gateway/runs/execute_request.h"
#include "gateway/services.h"
#include "glovebox/result.h"
#include "store/records.h"

namespace glovebox::gateway {

inline constexpr std::chrono::hours kReportTime{24 * 7};  // time for a person to approve something
inline constexpr std::size_t kMostHandedPerClient = 256;  // unreported ones
inline constexpr std::size_t kMostHandedPerToken = 1024;  // whatever names its gateways give themselves
inline constexpr std::size_t kMostHanded = 4096;          // of all clients
// Of their code and contexts, which the store keeps until they are reported.
inline constexpr std::size_t kMostHandedBytesPerToken = std::size_t{64} << 20;
inline constexpr std::size_t kMostHandedBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMostReportBytes = std::size_t{4} << 20;  // a result is what an agent reads

// The owner of such runs, and whether an owner is one.
std::string owner_at_client(const std::string& client);
bool is_at_client(const std::string& owner);

// What is kept of a report: the known members of an ExecutionResult, with the client's name, and how the run ended.
// kInvalidArgument: it is not a report.
struct ReportedOutcome {
  store::RunStatus status = store::RunStatus::kFailed;
  std::string json;
};
Result<ReportedOutcome> read_report(const std::string& outcome_json, const std::string& client);

// See Gateway's members of these names.
void hand_out(const std::shared_ptr<Services>& services, const ExecuteRequest& request, const std::string& to,
              std::function<void(const Result<std::string>&)> done);
void accept_report(const std::shared_ptr<Services>& services, const std::string& run, const std::string& from,
                   const std::string& outcome_json, std::function<void(const Result<void>&)> done);

}  // namespace glovebox::gateway
