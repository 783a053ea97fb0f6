#include "frontend/serve/standing/standing.h"

#include "frontend/gateway_cli/open_store.h"
#include "mcp/json_tree.h"
#include "store/patience.h"

namespace glovebox::frontend {
namespace {

namespace json = mcp::json;

constexpr std::chrono::seconds kBetweenLooks{2};
constexpr std::int64_t kBetweenSamples = 10'000;
constexpr std::int64_t kKept = std::int64_t{3600} * 1000;
constexpr std::size_t kMostError = 500;
constexpr std::size_t kMostRemarks = 10;

json::object to_json(const catalog::ServerHealth& server) {
  json::array remarks;
  for (const std::string& remark : server.remarks)
    if (remarks.size() < kMostRemarks) remarks.emplace_back(remark.substr(0, kMostError));
  return {{"name", server.name},
          {"transport", server.transport},
          {"state", json::string(catalog::to_string(server.state))},
          {"error", server.error.substr(0, kMostError)},
          {"tools", server.tools},
          {"restarts", server.restarts},
          {"callsUnderWay", server.calls_under_way},
          {"revision", server.revision},
          {"remarks", std::move(remarks)}};
}

// Only what changes when something happens: a gateway that does nothing writes nothing.
std::string figures_of(GatewayProcess& process) {
  observe::Meters& meters = process.meters();
  const auto pool = [&](Language language) { return process.sandbox().pool(language); };
  const PoolFigures ts = pool(Language::kTypeScript);
  const PoolFigures py = pool(Language::kPython);
  const auto whole = [](double number) { return static_cast<std::int64_t>(number); };
  return json::serialize(json::object{{"live", process.gateway().live_runs()},
                                      {"ended", whole(meters.executions.total())},
                                      {"failed", whole(meters.execution_errors.total())},
                                      {"calls", whole(meters.tool_calls.total())},
                                      {"waiting", ts.waiting + py.waiting},
                                      {"busy", ts.busy + py.busy},
                                      {"queued", ts.queued + py.queued},
                                      {"memoryMb", whole(observe::resident_megabytes())}});
}

}  // namespace

std::string standing_of(const GatewayProcess& process) {
  json::array servers;
  for (const catalog::ServerHealth& server : process.catalog().health()) servers.push_back(to_json(server));
  return json::serialize(json::object{{"servers", std::move(servers)}});
}

Standing::Standing(GatewayProcess& process) : process_(process), timer_(process.executor()) {
  process_.set_on_look([this] { look(); });
  tell();
}

Standing::~Standing() {
  process_.set_on_look(nullptr);
  timer_.cancel();
}

// It happens on the gateway's loop, which waits for no database that is away.
void Standing::look() {
  const store::NoPatience hurried;
  const auto asked = process_.store().take_node_requests(process_.gateway().owner());
  if (!asked) return;
  for (const store::NodeRequest& request : asked.value()) {
    if (request.kind != kRetryServer) continue;
    const auto written = process_.gateway().write_down(
        gateway::AuditEvent("server.retried").text("server", request.about).text("who", request.who));
    if (written) process_.catalog().retry(request.about);
  }
}

// What is lost is told again: nobody relies on it.
void Standing::tell() {
  const store::NoPatience hurried;
  const std::int64_t now = now_ms();
  const std::string standing = standing_of(process_);
  const std::string& owner = process_.gateway().owner();  // another one after its lease was lost
  if (owner + standing != told_ && process_.store().set_status({owner, now, standing})) told_ = owner + standing;
  if (now - sampled_at_ >= kBetweenSamples) sample(now);
  timer_.expires_after(kBetweenLooks);
  timer_.async_wait([this, alive = std::weak_ptr<bool>(alive_)](const boost::system::error_code& error) {
    if (!error && !alive.expired()) tell();
  });
}

void Standing::sample(std::int64_t now) {
  std::string figures = figures_of(process_);
  sampled_at_ = now;
  if (figures == sampled_) return;
  if (process_.store().add_sample({process_.gateway().owner(), now, figures}, now - kKept))
    sampled_ = std::move(figures);
}

}  // namespace glovebox::frontend
