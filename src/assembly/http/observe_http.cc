#include "assembly/http/observe_http.h"

#include "assembly/http/plain_errors.h"
#include "base/text/json_builder.h"

namespace glovebox::assembly {
namespace {

using ServerState = catalog::ServerHealth::State;

void update_pool(GatewayProcess& process, Language language) {
  observe::Meters& meters = process.meters();
  const PoolFigures pool = process.sandbox().pool(language);
  const observe::LabelValues label = {language == Language::kPython ? "py" : "ts"};
  meters.pool_size.set(static_cast<double>(pool.waiting), label);
  meters.pool_busy.set(static_cast<double>(pool.busy), label);
  meters.pool_queued.set(static_cast<double>(pool.queued), label);
}

mcp::PlainResponse readiness(GatewayProcess& process) {
  base::ListText lacking;
  if (process.gateway().is_draining()) lacking.text("stopping");
  if (!process.gateway().store_trouble().empty()) lacking.text("store");
  const PoolFigures pool = process.sandbox().pool();
  if (pool.waiting + pool.busy == 0) lacking.text("sandbox");
  const bool is_ready = lacking.empty();
  base::ObjectText body;
  body.flag("ready", is_ready).json("lacking", lacking.done());
  if (!process.missing_layers().empty()) body.json("degraded", base::text_list(process.missing_layers()));
  return {is_ready ? 200 : 503, body.done()};
}

}  // namespace

std::string metrics_text(GatewayProcess& process) {
  observe::Meters& meters = process.meters();
  meters.build_info.set(1, {GLOVEBOX_VERSION});
  meters.runs_live.set(static_cast<double>(process.gateway().live_runs()));
  if (const auto waiting = process.store().count_runs(store::RunStatus::kWaiting))
    meters.runs_waiting.set(static_cast<double>(*waiting));
  if (const auto pending = process.store().pending_approvals())
    meters.approvals_pending.set(static_cast<double>(*pending));
  update_pool(process, Language::kTypeScript);
  update_pool(process, Language::kPython);
  meters.server_up.clear();
  for (const catalog::ServerHealth& server : process.catalog().health()) {
    const bool up = server.state == ServerState::kReady || server.state == ServerState::kIdle ||
                    server.state == ServerState::kStarting;
    if (server.state != ServerState::kDisabled) meters.server_up.set(up ? 1 : 0, {server.name});
  }
  observe::update_process_figures(meters);
  return meters.text();
}

bool is_watched_path(const mcp::PlainRequest& request) {
  const std::string_view path = path_of(request);
  return path == "/metrics" || path == "/healthz" || path == "/readyz";
}

mcp::PlainResponse serve_observation(GatewayProcess& process, const mcp::PlainRequest& request) {
  if (request.method != "GET") return mcp::PlainResponse{405, R"({"error":"use GET"})"};
  if (path_of(request) == "/metrics") return {200, metrics_text(process), observe::kPrometheusText};
  if (path_of(request) == "/readyz") return readiness(process);
  return {200, R"({"ok":true})"};
}

}  // namespace glovebox::assembly
