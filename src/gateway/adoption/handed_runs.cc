#include "gateway/adoption/handed_runs.h"

#include <boost/json.hpp>

#include "base/digest.h"
#include "base/try.h"
#include "gateway/principal/asker.h"
#include "gateway/runs/run_settings.h"
#include "store/database/patience.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "client:";
constexpr const char* kKept[] = {"result", "error", "trace", "metrics"};

Failure wrong_report(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

}  // namespace

std::string owner_at_client(const std::string& client) {
  return std::string(kPrefix) + client;
}

bool is_at_client(const std::string& owner) {
  return owner.starts_with(kPrefix);
}

Result<ReportedOutcome> read_report(const std::string& outcome_json, const std::string& client) {
  if (outcome_json.size() > kMostReportBytes)
    return wrong_report("a report has up to " + std::to_string(kMostReportBytes >> 20) + " MB");
  json::error_code error;
  json::parse_options as_deep_as_a_message;
  as_deep_as_a_message.max_depth = 256;
  const json::value tree = json::parse(outcome_json, error, {}, as_deep_as_a_message);
  const json::object* said = error ? nullptr : tree.if_object();
  if (!said) return wrong_report("a report is the outcome of a run, an object");
  const json::value* failure = said->if_contains("error");
  const bool failed = failure && !failure->is_null();
  if (failed && !failure->is_object()) return wrong_report("the error of an outcome is an object");
  if (!failed && !said->if_contains("result")) return wrong_report("an outcome has a result or an error");
  ReportedOutcome reported;
  json::object kept;
  for (const char* key : kKept)
    if (const json::value* part = said->if_contains(key)) kept[key] = *part;
  kept["reportedBy"] = client;
  reported.json = json::serialize(kept);
  const json::value* code = failed ? failure->get_object().if_contains("code") : nullptr;
  const bool cancelled = code && code->is_string() && code->get_string() == "CANCELLED";
  reported.status = !failed     ? store::RunStatus::kFinished
                    : cancelled ? store::RunStatus::kCancelled
                                : store::RunStatus::kFailed;
  return reported;
}

Result<std::string> hand_out(Services& services, const ExecuteRequest& request, const std::string& to) {
  const store::DirectCalls direct;
  const std::string owner = owner_at_client(to);
  std::size_t all = 0;
  std::size_t own = 0;
  std::size_t of_token = 0;
  for (const store::RunRecord& run : GLOVEBOX_TRY(services.store.unended_runs())) {
    if (!is_at_client(run.owner)) continue;
    ++all;
    if (run.owner == owner) ++own;
    const std::string_view client = std::string_view(run.owner).substr(kPrefix.size());
    if (authenticated_part(client) == authenticated_part(to)) ++of_token;
  }
  const auto bytes_of = [&](const std::string& owners) -> Result<std::size_t> {
    return GLOVEBOX_TRY(services.store.unended_bytes(owners)) + request.code.size() + request.context_json.size();
  };
  const bool is_too_much =
      GLOVEBOX_TRY(bytes_of(std::string(kPrefix))) > kMostHandedBytes ||
      GLOVEBOX_TRY(bytes_of(owner_at_client(std::string(authenticated_part(to)) + " "))) > kMostHandedBytesPerToken;
  if (own >= kMostHandedPerClient || of_token >= kMostHandedPerToken || all >= kMostHanded || is_too_much)
    return Failure{ErrorCode::kConflict,
                   "too many runs, or too large ones, are handed out to clients and have not been reported yet"};
  store::RunRecord record;
  record.id = new_run_id();
  record.created = services.now();
  record.code = request.code;
  record.language = name_of(request.language);
  record.name = request.name;
  record.context = request.context_json;
  RunSettings settings;
  settings.config = request.config;
  settings.tools = request.tools;
  record.config = to_json(settings);
  record.now = record.created;
  record.client = request.client;
  record.session = owner;
  record.owner = owner;
  record.intent = request.intent;
  GLOVEBOX_TRY_VOID(services.audit.append(AuditEvent("run.handed")
                                              .text("run", record.id)
                                              .text("client", record.client)
                                              .text("codeHash", base::sha256_hex(record.code))));
  record.audit_head = services.audit.head().text();
  services.bytes_added += record.code.size() + record.context.size();
  GLOVEBOX_TRY_VOID(services.store.add_run(record));
  return record.id;
}

Result<void> accept_report(Services& services, const std::string& run, const std::string& from,
                           const std::string& outcome_json) {
  const store::DirectCalls direct;
  const auto reported = GLOVEBOX_TRY(read_report(outcome_json, from));
  const std::string owner = owner_at_client(from);
  // To the caller, a run of another client, one never handed out and one already reported look the same.
  const Failure unknown{ErrorCode::kNotFound, "this client has no such unreported run"};
  const auto record = GLOVEBOX_TRY(services.store.find_run(run));
  if (!record || record->owner != owner || store::has_ended(record->status)) return unknown;
  // Of concurrent reports, also to different gateways, only one succeeds.
  if (!GLOVEBOX_TRY(services.store.take_over(run, owner, services.owner))) return unknown;
  services.bytes_added += reported.json.size();
  GLOVEBOX_TRY_VOID(services.store.end_run(run, reported.status, reported.json, services.now()));
  services.note(
      AuditEvent("run.reported").text("run", run).text("client", from).text("status", store::name_of(reported.status)));
  return {};
}

}  // namespace glovebox::gateway
