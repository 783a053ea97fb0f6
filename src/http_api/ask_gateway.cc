#include "http_api/ask_gateway.h"

#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "http_api/problem.h"
#include "http_api/stored_json.h"
#include "mcp/http/http_rules.h"
#include "mcp/http/http_server.h"
#include "store/thread/ask_store.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenAnswers{10};
constexpr std::chrono::milliseconds kBetweenAnswersOfDatabase{100};
constexpr std::chrono::seconds kPatience{10};

// One that reads what it is asked: those of `glovebox serve` say how they stand.
Result<std::string> listening_gateway(const ApiRequest& request, const std::string& of) {
  std::int64_t newest = 0;
  std::string found;
  const auto statuses = GLOVEBOX_TRY(request.store.node_statuses());
  for (const store::NodeRecord& node : GLOVEBOX_TRY(request.store.nodes())) {
    const bool listens = std::any_of(statuses.begin(), statuses.end(),
                                     [&](const store::NodeStatus& status) { return status.node == node.id; });
    if (!listens || (of.empty() ? node.joined < newest : node.id != of)) continue;
    if (!gateway::owner_lives(request.store, request.state_folder, node.id)) continue;
    newest = node.joined;
    found = node.id;
  }
  if (!found.empty()) return found;
  return Failure{ErrorCode::kConflict,
                 of.empty()
                     ? "no gateway is running in this workspace: start an agent that uses it, or `glovebox serve`, "
                       "and try again"
                     : "the gateway that has it is no longer running"};
}

// What the gateway said to this request; nothing: it has not yet.
Result<std::optional<json::object>> answer_to(store::Store& store, const std::string& node, const std::string& id) {
  for (const store::NodeStatus& status : GLOVEBOX_TRY(store.node_statuses())) {
    const json::value tree = status.node == node ? stored_json(status.status) : json::value();
    const json::array* const answers = tree.is_object() ? mcp::array_member(tree.get_object(), "answers") : nullptr;
    for (const json::value& answer : answers ? *answers : json::array()) {
      if (answer.is_object() && mcp::string_member(answer.get_object(), "request") == id)
        return std::optional(answer.get_object());
    }
  }
  return std::optional<json::object>();
}

mcp::PlainResponse in_words(json::object answer) {
  answer.erase("request");
  const auto refusal = mcp::string_member(answer, "problem");
  if (!refusal) return {202, json::serialize(answer)};
  return problem(static_cast<int>(mcp::number_member(answer, "status").value_or(409)), *refusal);
}

// Polls for the answer until it is there, or the client has disconnected.
struct Wait : std::enable_shared_from_this<Wait> {
  Wait(const LoopRequest& request, Route::Done then)
      : timer(request.executor), workspace(&request.workspace), alive(request.alive), done(std::move(then)) {}

  void poll() {
    if (alive.expired()) return;
    const auto store = workspace->store();
    if (!store) return done(problem_of(store.failure()));
    pause = (*store)->is_shared() ? kBetweenAnswersOfDatabase : kBetweenAnswers;
    store::ask_store(
        **store, timer.get_executor(), [node = node, id = id](store::Store& here) { return answer_to(here, node, id); },
        [self = shared_from_this()](const Result<std::optional<json::object>>& answer) { self->on_read(answer); });
  }
  void on_read(const Result<std::optional<json::object>>& answer) {
    if (!answer) return done(problem_of(answer.failure()));
    if (answer.value()) return done(in_words(*answer.value()));
    if (Clock::now() > until)
      return done(problem(503, "the gateway has not answered; if it started a run, that is listed among the runs"));
    timer.expires_after(pause);
    timer.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (!error) self->poll();
    });
  }

  boost::asio::steady_timer timer;
  const WorkspaceAccess* workspace;
  std::weak_ptr<const void> alive;
  Route::Done done;
  std::string node;
  std::string id = mcp::random_token();
  std::chrono::milliseconds pause{};
  Clock::time_point until = Clock::now() + kPatience;
};

}  // namespace

void ask_gateway(const LoopRequest& request, const char* kind, json::object wish, Route::Done done,
                 WhichGateway which) {
  const auto wait = std::make_shared<Wait>(request, std::move(done));
  std::string about = json::serialize(json::object{{"request", wait->id}, {"wish", std::move(wish)}});
  store::ask_store(
      request.store, request.executor,
      [held = ApiRequest(request), which = std::move(which), kind = std::string(kind),
       about = std::move(about)](store::Store& store) -> Result<std::string> {
        const std::string of = which ? GLOVEBOX_TRY(which(held)) : std::string();
        std::string node = GLOVEBOX_TRY(listening_gateway(held, of));
        GLOVEBOX_TRY_VOID(store.add_node_request({node, kind, about, held.caller.principal, base::now_ms()}));
        gateway::wake_gateway(held.state_folder, node);
        return node;
      },
      [wait](Result<std::string> node) {
        if (!node) return wait->done(problem_of(node.failure()));
        wait->node = std::move(node).value();
        wait->poll();
      });
}

}  // namespace glovebox::http_api
