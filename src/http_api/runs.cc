// Runs: the list, one of them, its trace, its end.
#include <set>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/utf8.h"
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
// Of what the store has: a value at its own limit, within others.
constexpr int kMostDepth = 1200;

// What it is for, or how its code begins, on one line.
std::string about(const std::string& intent, const std::string& code) {
  const std::string& text = intent.empty() ? code : intent;
  const std::string_view whole = base::trimmed(text);
  const std::string_view line = whole.substr(0, whole.find('\n'));
  return std::string(base::beginning_of(line, kAboutBytes)) + (line.size() > kAboutBytes ? "…" : "");
}

// Of {"error": {"code": …}}; the rest is not read. Empty: there is none.
std::string error_code(const std::string& outcome) {
  const base::SliceOptions options{.max_depth = kMostDepth, .half_characters = true};
  const auto whole = base::JsonSlices::of(outcome, options);
  if (!whole) return "";
  const auto error = base::JsonSlices::of(whole->raw("error"), options);
  return error ? error->text("code") : std::string();
}

// Of a RunRecord or a RunSummary.
template <typename Run>
base::ObjectText summary(const Run& run) {
  base::ObjectText out;
  out.text("id", run.id).text("status", store::name_of(run.status)).number("created", run.created);
  out.json("ended", run.ended ? std::to_string(*run.ended) : "null");
  out.text("client", run.client).text("intent", run.intent).text("language", run.language);
  out.text("about", about(run.intent, run.code));
  return out;
}

// What the store has as text; null where there is none, or it is not JSON.
std::string_view checked_json(std::string_view text) {
  return base::check_json(text, {.max_depth = kMostDepth}) ? text : "null";
}

// Runs that called a tool whose name holds this, as far back as the audit log is read; nothing: any will do.
std::optional<std::set<std::string>> callers_of(const std::string& state_folder, const std::string& tool) {
  if (tool.empty()) return std::nullopt;
  std::set<std::string> found;
  for (const PastCall& call : past_calls(gateway::audit_log_path(state_folder))) {
    const bool fits = (call.server + ":" + call.tool).find(tool) != std::string::npos ||
                      (call.server + "." + call.tool).find(tool) != std::string::npos;
    if (fits) found.insert(call.run);
  }
  return found;
}

// What it has said so far, where its gateway is on this machine.
std::string live_log(const std::string& state_folder, const store::RunRecord& run) {
  if (run.ended || !is_file_name(run.id)) return "";
  const auto text = base::read_whole_file(live_folder(state_folder) + "/" + run.id + ".log", kMostLiveLog);
  return text ? text.value() : std::string();
}

struct RunFilter {
  store::WantedRuns wanted;
  std::string tool;
};

Result<RunFilter> filter_in(const UrlQuery& query) {
  RunFilter filter;
  if (const std::string named = query.text("status"); !named.empty()) {
    filter.wanted.status = store::run_status_of(named);
    if (!filter.wanted.status) {
      return Failure{ErrorCode::kInvalidArgument, R"("status" is running, waiting, finished, failed or cancelled)"};
    }
  }
  filter.wanted.most = static_cast<std::size_t>(GLOVEBOX_TRY(query.number("limit", 100, 1, 1000)));
  filter.wanted.before = GLOVEBOX_TRY(query.number("before", kLatest, 0, kLatest));
  filter.wanted.client = query.text("client");
  filter.tool = query.text("tool");
  return filter;
}

// As JSON.
Result<std::string> found_runs(const ApiRequest& request) {
  const RunFilter filter = GLOVEBOX_TRY(filter_in(request.query));
  const auto callers = callers_of(request.state_folder, filter.tool);
  store::WantedRuns wanted = filter.wanted;
  if (callers) wanted.most = kMostScanned;
  const store::RunPage page = GLOVEBOX_TRY(request.store.page_of_runs(wanted));
  std::optional<std::int64_t> next = page.next;
  base::ListText out;
  std::size_t shown = 0;
  for (const store::RunSummary& run : page.runs) {
    if (callers && !callers->contains(run.id)) continue;
    // The bytes of a page are bounded, outcomes among them.
    const bool has_failed = run.status == store::RunStatus::kFailed;
    const std::string error = has_failed ? error_code(GLOVEBOX_TRY(request.store.outcome_of(run.id))) : std::string();
    out.json(summary(run).text_or_null("error", error).done());
    if (!callers || ++shown < filter.wanted.most) continue;
    if (&run != &page.runs.back()) next = run.created;
    break;
  }
  return base::ObjectText().json("runs", out.done()).json("next", next ? std::to_string(*next) : "null").done();
}

Result<store::RunRecord> run_in(const ApiRequest& request) {
  auto run = GLOVEBOX_TRY(request.store.find_run(request.id));
  if (!run) return Failure{ErrorCode::kNotFound, "there is no run " + request.id + "; it may have been removed"};
  return std::move(*run);
}

Result<std::string> one_run(const ApiRequest& request) {
  const auto run = GLOVEBOX_TRY(run_in(request));
  base::ObjectText out = summary(run);
  out.text("code", run.code).json("context", checked_json(run.context));
  out.flag("gatewayRuns", gateway::owner_lives(request.store, request.state_folder, run.owner));
  out.json("waitsFor", base::text_list(GLOVEBOX_TRY(request.store.approval_ids(run.id, true))));
  out.text("log", live_log(request.state_folder, run));
  return out.json("outcome", checked_json(run.outcome)).done();
}

Result<std::string> case_of(const ApiRequest& request) {
  const auto run = GLOVEBOX_TRY(run_in(request));
  const auto recording = GLOVEBOX_TRY(request.store.find_recording(run.id));
  if (!recording) return Failure{ErrorCode::kNotFound, "run " + run.id + " " + std::string(gateway::kNotRecorded)};
  return gateway::recorded_case(run, *recording);
}

}  // namespace

mcp::PlainResponse list_runs(const ApiRequest& request) {
  return respond_with_text(found_runs(request));
}

mcp::PlainResponse show_run(const ApiRequest& request) {
  return respond_with_text(one_run(request));
}

mcp::PlainResponse show_trace(const ApiRequest& request) {
  const auto trace = stored_trace(request.store, request.id);
  if (!trace) return problem_of(trace.failure());
  if (!trace.value()) return problem(404, "there is no trace of " + request.id + "; it may have been removed");
  return {200, observe::to_json(*trace.value())};
}

mcp::PlainResponse show_case(const ApiRequest& request) {
  return respond_with_text(case_of(request));
}

// By the gateway of this process, or another one of the workspace.
void start_run(const LoopRequest& request, Route::Done done) {
  if (!request.workspace.execute) return ask_gateway(request, kExecute, request.body, std::move(done));
  const auto run = request.workspace.execute(request.body, request.caller);
  if (!run) return done(problem_of(run.failure()));
  done({202, json::serialize(json::object{{"run", run.value()}})});
}

mcp::PlainResponse cancel_run(const ApiRequest& request) {
  const auto run = request.store.find_run_in_short(request.id);
  if (!run) return problem_of(run.failure());
  if (!run.value()) return problem(404, "there is no run " + request.id);
  const auto asked = request.store.ask_to_cancel(request.id);
  if (!asked) return problem_of(asked.failure());
  if (!asked.value()) return problem(409, "run " + request.id + " has already ended");
  gateway::wake_gateway(request.state_folder, run.value()->owner);
  return {202, json::serialize(json::object{{"run", request.id}, {"accepted", true}})};
}

}  // namespace glovebox::http_api
