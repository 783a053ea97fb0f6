#include "gateway/adoption/handed_runs.h"

#include <boost/json.hpp>

#include "base/digest.h"
#include "base/try.h"
#include "gateway/principal/asker.h"
#include "gateway/runs/run_settings.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::string_view kPrefix = "client:";
constexpr const char* kKept[] = {"result", "error", "trace", "metrics"};
// The outcome of one that could not be written to the audit log: its client never got it.
constexpr const char* kNotHanded = R"({"error":{"type":"SandboxError","code":"NOT_HANDED_OUT"}})";

Failure wrong_report(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// Whether this client may have so many bytes more handed out to it.
Result<void> check_room(store::Store& store, const std::string& to, std::size_t bytes) {
  const std::string owner = owner_at_client(to);
  std::size_t all = 0;
  std::size_t own = 0;
  std::size_t of_token = 0;
  for (const store::RunRecord& run : GLOVEBOX_TRY(store.unended_runs())) {
    if (!is_at_client(run.owner)) continue;
    ++all;
    if (run.owner == owner) ++own;
    const std::string_view client = std::string_view(run.owner).substr(kPrefix.size());
    if (authenticated_part(client) == authenticated_part(to)) ++of_token;
  }
  const std::string owners_of_token = owner_at_client(std::string(authenticated_part(to)) + " ");
  const bool is_too_much = GLOVEBOX_TRY(store.unended_bytes(std::string(kPrefix))) + bytes > kMostHandedBytes ||
                           GLOVEBOX_TRY(store.unended_bytes(owners_of_token)) + bytes > kMostHandedBytesPerToken;
  if (own < kMostHandedPerClient && of_token < kMostHandedPerToken && all < kMostHanded && !is_too_much) return {};
  return Failure{ErrorCode::kConflict,
                 "too many runs, or too large ones, are handed out to clients and have not been reported yet"};
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

void hand_out(const std::shared_ptr<Services>& services, const ExecuteRequest& request, const std::string& to,
              std::function<void(const Result<std::string>&)> done) {
  store::RunRecord record;
  record.id = new_run_id();
  record.created = services->now();
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
  record.session = record.owner = owner_at_client(to);
  record.intent = request.intent;
  record.audit_head = services->audit.head().text();
  const std::size_t bytes = record.code.size() + record.context.size();
  const AuditEvent handed = AuditEvent("run.handed")
                                .text("run", record.id)
                                .text("client", record.client)
                                .text("codeHash", base::sha256_hex(record.code));
  const auto add = [to, bytes, record](store::Store& store) -> Result<std::string> {
    GLOVEBOX_TRY_VOID(check_room(store, to, bytes));
    GLOVEBOX_TRY_VOID(store.add_run(record));
    return record.id;
  };
  // It is in the log before the client gets it, and not if it is refused. One that nobody got is late some day.
  const auto hand = [services, handed, bytes, done = std::move(done)](const Result<std::string>& added) {
    if (!added) return done(added);
    if (services->closing) return done(Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"});
    services->bytes_added += bytes;
    const auto written = services->audit.append(handed);
    if (written) return done(added);
    services->store.post_write(
        [run = *added, now = services->now()](store::Store& store) {
          return store.end_run(run, store::RunStatus::kFailed, kNotHanded, now);
        },
        nullptr);
    done(written.failure());
  };
  store::ask_store(services->store, services->executor, add, hand);
}

void accept_report(const std::shared_ptr<Services>& services, const std::string& run, const std::string& from,
                   const std::string& outcome_json, std::function<void(const Result<void>&)> done) {
  const auto reported = read_report(outcome_json, from);
  if (!reported) return done(reported.failure());
  const auto accept = [run, reported = *reported, owner = owner_at_client(from), own = services->owner,
                       now = services->now()](store::Store& store) -> Result<void> {
    // To the caller, a run of another client, one never handed out and one already reported look the same.
    const Failure unknown{ErrorCode::kNotFound, "this client has no such unreported run"};
    const auto record = GLOVEBOX_TRY(store.find_run(run));
    if (!record || record->owner != owner || store::has_ended(record->status)) return unknown;
    // Of concurrent reports, also to different gateways, only one succeeds.
    if (!GLOVEBOX_TRY(store.take_over(run, owner, own))) return unknown;
    return store.end_run(run, reported.status, reported.json, now);
  };
  store::ask_store(
      services->store, services->executor, accept,
      [services, run, from, status = reported->status, bytes = reported->json.size(),
       done = std::move(done)](const Result<void>& accepted) {
        if (accepted) {
          services->bytes_added += bytes;
          services->note(
              AuditEvent("run.reported").text("run", run).text("client", from).text("status", store::name_of(status)));
        }
        done(accepted);
      });
}

}  // namespace glovebox::gateway
