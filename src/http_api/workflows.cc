// Workflows: where they stand, what happened, and commands to the gateways that drive them.
#include <algorithm>
#include <map>

#include "base/text/json_builder.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/principal/asker.h"
#include "http_api/ask_gateway.h"
#include "http_api/problem.h"
#include "http_api/routes.h"
#include "workflow/command.h"
#include "workflow/event_feed.h"
#include "workflow/report.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::size_t kMostCheckpoints = 200;

Result<store::WorkflowRecord> find(store::Store& store, const std::string& id) {
  auto record = GLOVEBOX_TRY(store.find_workflow(id));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + id};
  return std::move(*record);
}

// Of one list; limits.waitingRunsPerClient keeps them far below.
constexpr std::size_t kMostWaiting = 10'000;

// One of each client in turn, its oldest first: a client that leaves many waiting hides none of another's.
std::vector<store::WorkflowRecord> in_turn(std::vector<store::WorkflowRecord> newest_first) {
  std::map<std::string, std::size_t> of_client;
  std::vector<std::pair<std::size_t, store::WorkflowRecord>> turns;
  for (auto record = newest_first.rbegin(); record != newest_first.rend(); ++record) {
    const std::size_t turn = of_client[std::string(gateway::authenticated_part(record->client))]++;
    turns.emplace_back(turn, std::move(*record));
  }
  std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<store::WorkflowRecord> sorted;
  for (auto& [turn, record] : turns) sorted.push_back(std::move(record));
  return sorted;
}

Result<json::object> listed_workflows(const ApiRequest& request) {
  const auto most = static_cast<std::size_t>(GLOVEBOX_TRY(request.query.number("limit", 100, 1, 500)));
  const std::string named = request.query.text("status");
  const auto status = store::workflow_status_of(named);
  if (!named.empty() && !status) return Failure{ErrorCode::kInvalidArgument, "there is no status " + named};
  const bool waits = status == store::WorkflowStatus::kWaiting;
  auto found = GLOVEBOX_TRY(request.store.list_workflows(status, waits ? kMostWaiting : most + 1));
  if (waits) found = in_turn(std::move(found));
  json::array shown;
  for (std::size_t i = 0; i < found.size() && i < most; ++i) shown.push_back(workflow::summary_of(found[i]));
  return json::object{{"workflows", std::move(shown)}, {"more", found.size() > most}};
}

// What the plan says of the tasks, beside how they stand: a graph is drawn of it.
void add_plan(json::object& report, const std::string& definition) {
  const auto plan = mcp::parse_object(definition);
  const json::array* const planned = plan ? mcp::array_member(plan.value(), "tasks") : nullptr;
  if (!planned) return;
  report["plan"] = *planned;
  json::value* const tasks = report.if_contains("tasks");
  if (!tasks || !tasks->is_array()) return;
  std::map<std::string, const json::object*> by_id;
  for (const json::value& task : *planned) {
    const json::object* const one = task.if_object();
    if (const auto id = one ? mcp::string_member(*one, "id") : std::nullopt) by_id[*id] = one;
  }
  for (json::value& task : tasks->get_array()) {
    json::object* const one = task.if_object();
    const auto id = one ? mcp::string_member(*one, "id") : std::nullopt;
    const auto found = id ? by_id.find(*id) : by_id.end();
    if (found == by_id.end()) continue;
    for (const char* key : {"dependencies", "type", "tool"}) {
      const json::value* const value = found->second->if_contains(key);
      if (value && !one->contains(key)) (*one)[key] = *value;
    }
  }
}

Result<json::object> report(const ApiRequest& request) {
  const auto record = GLOVEBOX_TRY(find(request.store, request.id));
  auto out = GLOVEBOX_TRY(workflow::report_on(request.store, request.id));
  out["checkpoints"] = GLOVEBOX_TRY(workflow::checkpoints_of(request.store, request.id, kMostCheckpoints));
  add_plan(out, record.definition);
  out["gatewayRuns"] = !record.owner.empty() && gateway::owner_lives(request.store, request.state_folder, record.owner);
  return out;
}

// As JSON.
Result<std::string> events_in(const ApiRequest& request) {
  std::int64_t last = GLOVEBOX_TRY(request.query.number("after", 0, 0, std::int64_t{1} << 53));
  const auto most = static_cast<std::size_t>(GLOVEBOX_TRY(request.query.number("limit", 500, 1, 5000)));
  GLOVEBOX_TRY(find(request.store, request.id));
  base::ListText out;
  for (const auto& event : GLOVEBOX_TRY(request.store.workflow_events_after(request.id, last, most))) {
    out.json(workflow::to_json(request.id, event));
    last = event.number;
  }
  return base::ObjectText().json("events", out.done()).number("last", last).done();
}

bool is_answer_to_request(const json::object& said) {
  return mcp::member(said, "approval") || (mcp::member(said, "task") && mcp::member(said, "approved"));
}

Result<std::int64_t> give(const ApiRequest& request) {
  const auto wrong = [](std::string text) { return Failure{ErrorCode::kInvalidArgument, std::move(text)}; };
  const std::string type = mcp::string_member(request.body, "type").value_or("");
  const auto known = workflow::command_named(type);
  if (!known) return wrong(R"("type" names the command, such as continue, pause, abort or approval_response)");
  json::object payload = request.body;
  payload.erase("type");
  store::WorkflowCommand command;
  command.payload = json::serialize(payload);
  GLOVEBOX_TRY(workflow::check_payload(*known, command.payload));
  if (*known == workflow::CommandType::kApprovalResponse && is_answer_to_request(payload))
    return wrong("answer calls at their approval request: POST …/approvals/ID");
  const auto record = GLOVEBOX_TRY(find(request.store, request.id));
  if (store::has_ended(record.status)) {
    return Failure{ErrorCode::kConflict,
                   "workflow " + request.id + " is " + std::string(store::name_of(record.status)) + " already"};
  }
  if (record.owner.empty() || !gateway::owner_lives(request.store, request.state_folder, record.owner)) {
    return Failure{ErrorCode::kConflict, "no gateway is driving workflow " + request.id +
                                             "; resume it with: glovebox runs resume " + request.id};
  }
  command.workflow = request.id;
  command.type = type;
  command.who = request.caller.principal;
  command.channel = "http";
  command.at = base::now_ms();
  const std::int64_t number = GLOVEBOX_TRY(request.store.add_command(command));
  gateway::wake_gateway(request.state_folder, record.owner);
  return number;
}

}  // namespace

mcp::PlainResponse list_workflows(const ApiRequest& request) {
  return respond_with(listed_workflows(request));
}

mcp::PlainResponse show_workflow(const ApiRequest& request) {
  return respond_with(report(request));
}

mcp::PlainResponse list_workflow_events(const ApiRequest& request) {
  return respond_with_text(events_in(request));
}

mcp::PlainResponse command_workflow(const ApiRequest& request) {
  const bool is_answer = mcp::string_member(request.body, "type") == "approval_response";
  if (!is_answer && role_of(request.caller) != ApiRole::kOperator)
    return problem(403, "an approver's token can only answer; directing a workflow needs an operator's");
  const auto number = give(request);
  if (!number) return problem_of(number.failure());
  return {202,
          json::serialize(json::object{{"workflow_id", request.id}, {"command", number.value()}, {"accepted", true}})};
}

// By a gateway, which knows the tools that the tasks are checked against.
void fork_workflow(const LoopRequest& request, Route::Done done) {
  json::object wish = {{"workflow", request.id}, {"from", request.body}};
  const auto any_if_it_exists = [](const ApiRequest& held) -> Result<std::string> {
    GLOVEBOX_TRY(find(held.store, held.id));
    return std::string();
  };
  ask_gateway(request, kFork, std::move(wish), std::move(done), any_if_it_exists);
}

}  // namespace glovebox::http_api
