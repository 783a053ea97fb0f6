#include "assembly/http/observe_http.h"

#include "assembly/http/plain_errors.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "store/thread/ask_store.h"

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

struct InStore {
  std::size_t runs_waiting = 0;
  std::int64_t approvals_pending = 0;
};

Result<InStore> count_in(store::Store& store) {
  InStore counted;
  counted.runs_waiting = GLOVEBOX_TRY(store.count_runs(store::RunStatus::kWaiting));
  counted.approvals_pending = GLOVEBOX_TRY(store.pending_approvals());
  return counted;
}

// As they are now: gauges are set from what the gateway knows at this moment. While the store is away, what waits in it
// is as it was.
std::string metrics_text(GatewayProcess& process, const Result<InStore>& in_store) {
  observe::Meters& meters = process.meters();
  meters.build_info.set(1, {GLOVEBOX_VERSION});
  meters.runs_live.set(static_cast<double>(process.gateway().live_runs()));
  if (in_store) meters.runs_waiting.set(static_cast<double>(in_store->runs_waiting));
  if (in_store) meters.approvals_pending.set(static_cast<double>(in_store->approvals_pending));
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

}  // namespace

bool is_watched_path(const mcp::PlainRequest& request) {
  const std::string_view path = path_of(request);
  return path == "/metrics" || path == "/healthz" || path == "/readyz";
}

void serve_observation(GatewayProcess& process, const mcp::PlainRequest& request,
                       const std::shared_ptr<mcp::HttpReply>& reply) {
  if (request.method != "GET") return reply->whole(405, R"({"error":"use GET"})");
  if (path_of(request) == "/metrics") {
    return store::ask_store(process.store(), process.executor(), count_in,
                            [&process, reply](const Result<InStore>& in_store) {
                              reply->whole(200, metrics_text(process, in_store), observe::kPrometheusText);
                            });
  }
  if (path_of(request) == "/healthz") return reply->whole(200, R"({"ok":true})");
  mcp::PlainResponse ready = readiness(process);
  reply->whole(ready.status, std::move(ready.body));
}

}  // namespace glovebox::assembly
