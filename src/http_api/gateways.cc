// Gateways: which there are, what they measured, who speaks with them, and the config that they obey.
#include <algorithm>
#include <map>

#include "base/digest.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/liveness.h"
#include "gateway/privacy/redaction.h"
#include "http_api/problem.h"
#include "http_api/routes.h"
#include "http_api/stored_json.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::int64_t kHour = std::int64_t{3600} * 1000;
constexpr std::int64_t kMinute = std::int64_t{60} * 1000;
constexpr std::size_t kNewestRuns = 500;
constexpr std::size_t kMostMeasured = 2000;

Result<json::object> found_gateways(const ApiRequest& request) {
  json::array out;
  for (const store::NodeRecord& node : GLOVEBOX_TRY(request.store.nodes())) {
    if (!gateway::owner_lives(request.store, request.state_folder, node.id)) continue;
    out.push_back(json::object{
        {"id", node.id}, {"host", node.host}, {"pid", node.pid}, {"version", node.version}, {"started", node.joined}});
  }
  return json::object{{"gateways", std::move(out)}};
}

// How long runs took that ended in the last hour, minute by minute: median and 95th percentile.
Result<json::array> latencies(const ApiRequest& request, std::int64_t from) {
  std::map<std::int64_t, std::vector<std::int64_t>> by_minute;
  for (const auto& run : GLOVEBOX_TRY(request.store.times_of_runs(from, kMostMeasured)))
    by_minute[run.ended / kMinute].push_back(run.ended - run.created);
  json::array out;
  for (auto& [minute, times] : by_minute) {
    std::sort(times.begin(), times.end());
    out.push_back(json::object{{"at", minute * kMinute},
                               {"runs", times.size()},
                               {"p50", times[times.size() / 2]},
                               {"p95", times[times.size() * 95 / 100]}});
  }
  return out;
}

// A gateway writes a sample when it differs from the one before: until the next sample, the value has not changed.
Result<json::object> found_metrics(const ApiRequest& request) {
  std::map<std::string, json::array> series;
  const std::int64_t now = base::now_ms();
  for (const store::NodeSample& sample : GLOVEBOX_TRY(request.store.node_samples(now - kHour))) {
    json::value figures = stored_json(sample.figures);
    if (!figures.is_object()) continue;
    figures.get_object()["at"] = sample.at;
    series[sample.node].push_back(std::move(figures));
  }
  json::array out;
  for (auto& [node, points] : series) {
    out.push_back(json::object{{"gateway", node},
                               {"lives", gateway::owner_lives(request.store, request.state_folder, node)},
                               {"points", std::move(points)}});
  }
  json::array latency = GLOVEBOX_TRY(latencies(request, now - kHour));
  return json::object{{"from", now - kHour}, {"to", now}, {"series", std::move(out)}, {"latency", std::move(latency)}};
}

struct Session {
  std::string client;
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t runs = 0;
};

// "GATEWAY CONVERSATION", as gateway/principal has it.
Result<json::object> found_sessions(const ApiRequest& request) {
  std::map<std::string, Session> found;
  for (const store::RunRecord& run : GLOVEBOX_TRY(request.store.list_runs(std::nullopt, kNewestRuns))) {
    if (run.session.empty()) continue;
    Session& session = found[run.session];
    session.client = run.client;
    if (session.runs++ == 0) session.last = run.created;
    session.first = run.created;
  }
  json::array out;
  for (const auto& [id, session] : found) {
    const std::string node = id.substr(0, id.find(' '));
    out.push_back(json::object{{"id", base::sha256_hex(id).substr(0, 12)},
                               {"client", session.client},
                               {"runs", session.runs},
                               {"first", session.first},
                               {"last", session.last},
                               {"gatewayRuns", gateway::owner_lives(request.store, request.state_folder, node)}});
  }
  std::sort(out.begin(), out.end(), [](const json::value& a, const json::value& b) {
    return a.at("last").as_int64() > b.at("last").as_int64();
  });
  return json::object{{"sessions", std::move(out)}};
}

Result<json::object> found_config(const LoopRequest& request) {
  if (!request.workspace.config) return Failure{ErrorCode::kNotFound, "the config is not available here"};
  const auto found = GLOVEBOX_TRY(request.workspace.config());
  return json::object{{"path", found.path},
                      {"digest", base::sha256_hex(found.text)},
                      {"text", gateway::redacted_text(found.text)},
                      {"untrusted", found.untrusted}};
}

}  // namespace

mcp::PlainResponse list_gateways(const ApiRequest& request) {
  return respond_with(found_gateways(request));
}

mcp::PlainResponse list_sessions(const ApiRequest& request) {
  return respond_with(found_sessions(request));
}

mcp::PlainResponse show_metrics(const ApiRequest& request) {
  return respond_with(found_metrics(request));
}

void show_config(const LoopRequest& request, Route::Done done) {
  done(respond_with(found_config(request)));
}

}  // namespace glovebox::http_api
