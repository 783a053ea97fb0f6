// Runs: the list, one of them, its trace, its end.
#include <set>

#include "base/try.h"
#include "base/whole_file.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/audit/audit_anchor.h"
#include "gateway/runs/recorded_case.h"
#include "http_api/ask_gateway.h"
#include "http_api/live_folder.h"
#include "http_api/past_calls.h"
#include "http_api/problem.h"
#include "http_api/routes.h"
#include "http_api/stored_json.h"
#include "http_api/stored_trace.h"
#include "observe/trace_json.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::size_t kAboutBytes = 160;
constexpr std::int64_t kLatest = std::int64_t{1} << 53;
constexpr std::size_t kMostLiveLog = std::size_t{512} << 10;
// Runs that are examined for one page of those that called a tool.
constexpr std::size_t kMostScanned = 5000;

// What it is for, or how its code begins, on one line.
std::string about(const std::string& intent, const std::string& code) {
  const std::string& text = intent.empty() ? code : intent;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return "";
  std::string line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.size() <= kAboutBytes) return line;
  std::size_t end = kAboutBytes;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

// Of {"error": {"code": …}}.
json::value error_code(const std::string& outcome) {
  const json::value tree = stored_json(outcome);
  const json::object* const whole = tree.if_object();
  const json::object* const error = whole ? mcp::object_member(*whole, "error") : nullptr;
  const auto code = error ? mcp::string_member(*error, "code") : std::nullopt;
  return code ? json::value(*code) : json::value(nullptr);
}

json::object summary(const store::RunRecord& run, const std::string& code) {
  return {{"id", run.id},
          {"status", json::string(store::name_of(run.status))},
          {"created", run.created},
          {"ended", run.ended ? json::value(*run.ended) : json::value(nullptr)},
          {"client", run.client},
          {"intent", run.intent},
          {"language", run.language},
          {"about", about(run.intent, code)}};
}

// Runs that called a tool whose name holds this, as far back as the audit log is read; nothing: any will do.
std::optional<std::set<std::string>> callers_of(const ApiRequest& request, const std::string& tool) {
  if (tool.empty()) return std::nullopt;
  std::set<std::string> found;
  for (const PastCall& call : past_calls(gateway::audit_log_path(request.workspace.state_folder))) {
    const bool fits = (call.server + ":" + call.tool).find(tool) != std::string::npos ||
                      (call.server + "." + call.tool).find(tool) != std::string::npos;
    if (fits) found.insert(call.run);
  }
  return found;
}

// What it has said so far, where its gateway is on this machine.
std::string live_log(const ApiRequest& request, const store::RunRecord& run) {
  if (run.ended || !is_file_name(run.id)) return "";
  const auto text =
      base::read_whole_file(live_folder(request.workspace.state_folder) + "/" + run.id + ".log", kMostLiveLog);
  return text ? text.value() : std::string();
}

Result<json::object> found_runs(const ApiRequest& request) {
  std::optional<store::RunStatus> status;
  if (const std::string named = request.query.text("status"); !named.empty()) {
    status = store::run_status_of(named);
    if (!status) {
      return Failure{ErrorCode::kInvalidArgument, R"("status" is running, waiting, finished, failed or cancelled)"};
    }
  }
  const auto most = static_cast<std::size_t>(GLOVEBOX_TRY(request.query.number("limit", 100, 1, 1000)));
  const std::int64_t before = GLOVEBOX_TRY(request.query.number("before", kLatest, 0, kLatest));
  const auto callers = callers_of(request, request.query.text("tool"));
  const std::size_t scanned = callers ? kMostScanned : most;
  const auto runs = GLOVEBOX_TRY(request.store.list_runs(status, scanned, request.query.text("client"), before));
  json::array out;
  for (const store::RunRecord& run : runs) {
    if (callers && (!callers->contains(run.id) || out.size() >= most)) continue;
    // A list of runs has neither their code nor their outcomes.
    const bool is_read = run.intent.empty() || run.status == store::RunStatus::kFailed;
    const auto whole = is_read ? GLOVEBOX_TRY(request.store.find_run(run.id)) : std::nullopt;
    json::object shown = summary(run, whole ? whole->code : std::string());
    shown["error"] = whole ? error_code(whole->outcome) : json::value(nullptr);
    out.push_back(std::move(shown));
  }
  const bool more = !callers && runs.size() == most;
  return json::object{{"runs", std::move(out)},
                      {"next", more ? json::value(runs.back().created) : json::value(nullptr)}};
}

Result<json::object> one_run(const ApiRequest& request) {
  const auto run = GLOVEBOX_TRY(request.store.find_run(request.id));
  if (!run) return Failure{ErrorCode::kNotFound, "there is no run " + request.id + "; it may have been removed"};
  json::array waits;
  for (const auto& approval : GLOVEBOX_TRY(request.store.approvals(run->id, true))) waits.emplace_back(approval.id);
  json::object out = summary(*run, run->code);
  out["code"] = run->code;
  out["context"] = stored_json(run->context);
  out["gatewayRuns"] = gateway::owner_lives(request.store, request.workspace.state_folder, run->owner);
  out["waitsFor"] = std::move(waits);
  out["log"] = live_log(request, *run);
  out["outcome"] = run->outcome.empty() ? json::value(nullptr) : stored_json(run->outcome);
  return out;
}

}  // namespace

mcp::PlainResponse list_runs(const ApiRequest& request) {
  const auto out = found_runs(request);
  return out ? mcp::PlainResponse{200, json::serialize(out.value())} : problem_of(out.failure());
}

mcp::PlainResponse show_run(const ApiRequest& request) {
  const auto out = one_run(request);
  return out ? mcp::PlainResponse{200, json::serialize(out.value())} : problem_of(out.failure());
}

mcp::PlainResponse show_trace(const ApiRequest& request) {
  const auto trace = stored_trace(request.store, request.id);
  if (!trace) return problem_of(trace.failure());
  if (!trace.value()) return problem(404, "there is no trace of " + request.id + "; it may have been removed");
  return {200, observe::to_json(*trace.value())};
}

mcp::PlainResponse show_case(const ApiRequest& request) {
  const auto run = request.store.find_run(request.id);
  if (!run) return problem_of(run.failure());
  if (!run.value()) return problem(404, "there is no run " + request.id + "; it may have been removed");
  const auto recording = request.store.find_recording(request.id);
  if (!recording) return problem_of(recording.failure());
  if (!recording.value()) return problem(404, "run " + request.id + " " + std::string(gateway::kNotRecorded));
  auto made = gateway::recorded_case(*run.value(), *recording.value());
  if (!made) return problem_of(made.failure());
  return {200, std::move(made).value()};
}

// By the gateway of this process, or another one of the workspace.
void start_run(const ApiRequest& request, Route::Done done) {
  if (!request.workspace.execute) return ask_gateway(request, kExecute, request.body, std::move(done));
  const auto run = request.workspace.execute(request.body, request.http.caller);
  if (!run) return done(problem_of(run.failure()));
  done({202, json::serialize(json::object{{"run", run.value()}})});
}

mcp::PlainResponse cancel_run(const ApiRequest& request) {
  const auto run = request.store.find_run(request.id);
  if (!run) return problem_of(run.failure());
  if (!run.value()) return problem(404, "there is no run " + request.id);
  const auto asked = request.store.ask_to_cancel(request.id);
  if (!asked) return problem_of(asked.failure());
  if (!asked.value()) return problem(409, "run " + request.id + " has already ended");
  gateway::wake_gateway(request.workspace.state_folder, run.value()->owner);
  return {202, json::serialize(json::object{{"run", request.id}, {"accepted", true}})};
}

}  // namespace glovebox::http_api
