#include "assembly/standing/standing.h"

#include <boost/asio/post.hpp>

#include "assembly/standing/person_run.h"
#include "assembly/views/workflow_branches.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/runs/run_settings.h"
#include "http_api/ask_gateway.h"
#include "http_api/live_folder.h"
#include "http_api/problem.h"
#include "workspace/open_store.h"

namespace glovebox::assembly {
namespace {

namespace json = mcp::json;

constexpr std::chrono::seconds kPollInterval{2};
constexpr std::int64_t kBetweenSamples = 10'000;
constexpr std::int64_t kKept = std::int64_t{3600} * 1000;
constexpr std::size_t kMostError = 500;
constexpr std::size_t kMostRemarks = 10;
constexpr std::size_t kMostAnswers = 32;
// The client that asked has given up by then.
constexpr std::int64_t kTooLate = 60'000;
constexpr const char* kRetryServer = "retry_server";

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

// What the page gets as the answer to a request, or why not.
json::object answer_to(const std::string& id, const Result<json::object>& done) {
  json::object answer = done ? done.value() : json::object();
  if (!done) answer = {{"problem", done.failure().message}, {"status", http_api::status_of(done.failure().code)}};
  answer["request"] = id;
  return answer;
}

}  // namespace

Standing::Standing(GatewayProcess& process)
    : process_(process),
      timer_(process.executor()),
      logs_(process.executor(), http_api::live_folder(process.workspace().state_folder)),
      changes_(process.executor(), http_api::live_folder(process.workspace().state_folder), [this] { tell(); }) {
  process_.set_on_poll([this] { poll(); });
  process_.watch_runs({[this](const std::string& run, const LogLine& line) { logs_.add(run, line); },
                       [this](const auto& run, const Outcome& outcome) { on_run_ended(run, outcome); }});
  tell_regularly();
}

Standing::~Standing() {
  process_.set_on_poll(nullptr);
  process_.watch_runs({});
  timer_.cancel();
}

// A task of a workflow has its own way to the disk.
void Standing::on_run_ended(const store::RunRecord& run, const Outcome& outcome) {
  logs_.ended(run.id);
  if (!outcome.ok() || outcome.changes.empty() || outcome.changes.is_committed()) return;
  const auto settings = gateway::run_settings_of(run.config);
  if (!settings || settings->careful) return;
  changes_.keep(run.client, run.id, outcome.changes);
}

// What the store says comes back to the loop, which waits for no database.
void Standing::poll() {
  if (std::exchange(polls_, true)) return;
  process_.store().post([this, alive = std::weak_ptr<bool>(alive_), executor = process_.executor(),
                         owner = process_.gateway().owner()](store::Store& store) {
    if (alive.expired()) return;
    auto asked = store.take_node_requests(owner);
    boost::asio::post(executor, [this, alive, asked = std::move(asked)] {
      if (alive.expired()) return;
      polls_ = false;
      if (asked && !asked->empty()) obey(asked.value());
    });
  });
}

void Standing::obey(const std::vector<store::NodeRequest>& requests) {
  for (const store::NodeRequest& request : requests) {
    if (request.kind == kRetryServer) {
      const auto written = process_.gateway().write_down(
          gateway::AuditEvent("server.retried").text("server", request.about).text("who", request.who));
      if (written) process_.catalog().retry(request.about);
      continue;
    }
    const auto about = mcp::parse_object(request.about);
    const json::object* const wish = about ? mcp::object_member(about.value(), "wish") : nullptr;
    if (!wish || base::now_ms() - request.at > kTooLate) continue;
    const std::string id = mcp::string_member(about.value(), "request").value_or("");
    carry_out(request, *wish, [this, alive = std::weak_ptr<bool>(alive_), id](const Result<json::object>& done) {
      if (!alive.expired()) answer(id, done);
    });
  }
  tell();
}

void Standing::answer(const std::string& request, const Result<json::object>& done) {
  answers_.push_back(answer_to(request, done));
  if (answers_.size() > kMostAnswers) answers_.pop_front();
  tell();
}

void Standing::carry_out(const store::NodeRequest& request, const json::object& wish, const Done& done) {
  if (request.kind == http_api::kExecute) return done(execute(wish, request.who));
  if (request.kind == http_api::kFork) return fork(wish, request.who, done);
  if (request.kind == http_api::kSettleChanges) return settle_changes(wish, request.who, done);
  done(Failure{ErrorCode::kInvalidArgument, "this gateway does not know " + request.kind});
}

Result<json::object> Standing::execute(const json::object& wish, const std::string& who) {
  std::string run = GLOVEBOX_TRY(run_for_person(process_, wish, mcp::Caller{.principal = who}));
  return json::object{{"run", std::move(run)}};
}

void Standing::fork(const json::object& wish, const std::string& who, const Done& done) {
  const std::string workflow = mcp::string_member(wish, "workflow").value_or("");
  const json::object* const from = mcp::object_member(wish, "from");
  fork_workflow(process_.workflows(), workflow, from ? *from : json::object(), who,
                process_.gateway().session_of({who, who}), std::nullopt,
                [workflow, done](const Result<std::string>& forked) {
                  if (!forked) return done(forked.failure());
                  done(json::object{{"workflow_id", *forked}, {"forked_from", workflow}});
                });
}

void Standing::settle_changes(const json::object& wish, const std::string& who, const Done& done) {
  const std::string run = mcp::string_member(wish, "run").value_or("");
  const std::string decision = mcp::string_member(wish, "decision").value_or("");
  if (decision != "commit" && decision != "drop")
    return done(Failure{ErrorCode::kInvalidArgument, R"("decision" is "commit" or "drop")"});
  const auto written = process_.gateway().write_down(
      gateway::AuditEvent("changes.settled").text("run", run).text("decision", decision).text("who", who));
  if (!written) return done(written.failure());
  changes_.settle(run, decision == "commit", [run, decision, done](const Result<void>& settled) {
    if (!settled) return done(settled.failure());
    done(json::object{{"run", run}, {"state", decision == "commit" ? "committed" : "dropped"}});
  });
}

// A status that is lost is written again: nothing depends on it.
void Standing::tell() {
  if (process_.store().is_away_for().count() > 0) return;
  json::array servers;
  for (const catalog::ServerHealth& server : process_.catalog().health()) servers.push_back(to_json(server));
  std::string standing = json::serialize(json::object{{"servers", std::move(servers)},
                                                      {"changes", changes_.to_json()},
                                                      {"answers", json::array(answers_.begin(), answers_.end())}});
  const std::string& owner = process_.gateway().owner();  // another one after its lease was lost
  if (owner + standing == reported_) return;
  reported_ = owner + standing;
  process_.store().post([this, alive = std::weak_ptr<bool>(alive_), executor = process_.executor(),
                         status = store::NodeStatus{owner, base::now_ms(), std::move(standing)}](store::Store& store) {
    if (store.set_status(status)) return;
    boost::asio::post(executor, [this, alive] {
      if (!alive.expired()) reported_.clear();
    });
  });
}

void Standing::tell_regularly() {
  tell();
  const std::int64_t now = base::now_ms();
  if (process_.store().is_away_for().count() == 0 && now - sampled_at_ >= kBetweenSamples) sample(now);
  timer_.expires_after(kPollInterval);
  timer_.async_wait([this, alive = std::weak_ptr<bool>(alive_)](const boost::system::error_code& error) {
    if (!error && !alive.expired()) tell_regularly();
  });
}

void Standing::sample(std::int64_t now) {
  std::string figures = figures_of(process_);
  sampled_at_ = now;
  if (figures == sampled_) return;
  process_.store().post([sample = store::NodeSample{process_.gateway().owner(), now, figures}](store::Store& store) {
    (void)store.add_sample(sample, sample.at - kKept).ok();
  });
  sampled_ = std::move(figures);
}

}  // namespace glovebox::assembly
