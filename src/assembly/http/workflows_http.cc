#include "assembly/http/workflows_http.h"

#include <charconv>

#include "assembly/http/plain_errors.h"
#include "assembly/own_things.h"
#include "assembly/views/workflow_branches.h"
#include "base/text/json_builder.h"
#include "mcp/http/sse.h"
#include "mcp/json/json_tree.h"
#include "workflow/report.h"

namespace glovebox::assembly {
namespace {

using base::ObjectText;

constexpr std::string_view kWorkflowsPath = "/workflows";
constexpr std::size_t kMostListed = 100;

// /workflows/ID/REST
struct Target {
  std::string id;
  std::string rest;
  std::string query;
};
Target target_of(std::string_view target) {
  Target made;
  const std::size_t question = target.find('?');
  if (question != target.npos) made.query = target.substr(question + 1);
  target = target.substr(0, question);
  target.remove_prefix(std::min(target.size(), kWorkflowsPath.size() + 1));
  const std::size_t slash = target.find('/');
  made.id = target.substr(0, slash);
  if (slash != target.npos) made.rest = target.substr(slash + 1);
  return made;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

OwnThings own_things(GatewayProcess& process, const mcp::Caller& caller) {
  return caller.answers ? OwnThings::of_everybody(process) : OwnThings(process, caller.principal);
}

// One for each client, since sessions cannot be distinguished here: nothing says when one begins or ends.
gateway::Asker asker_of(const mcp::PlainRequest& request) {
  return {request.caller.principal, request.caller.principal};
}

mcp::PlainResponse respond_with_workflows(OwnThings own) {
  const auto records = own.workflows(std::nullopt, kMostListed);
  if (!records) return plain_failure(records.failure());
  mcp::json::array all;
  for (const auto& record : records.value()) all.push_back(workflow::summary_of(record));
  return {200, mcp::json::serialize(mcp::json::object{{"workflows", std::move(all)}})};
}

mcp::PlainResponse respond_to_command(GatewayProcess& process, const mcp::PlainRequest& request,
                                      const std::string& id) {
  auto said = mcp::parse_object(request.body);
  if (!said) return plain_error(400, "the body must be a JSON object: " + said.failure().message);
  store::WorkflowCommand command;
  command.workflow = id;
  command.type = mcp::string_member(said.value(), "type").value_or("");
  if (command.type.empty()) return plain_error(400, R"("type" names the command: continue, abort, pause, …)");
  said->erase("type");
  const bool is_answer = command.type == "approval_response";
  if (is_answer ? !request.caller.answers : !request.caller.speaks_mcp) {
    return plain_error(403, is_answer ? "answering needs an approver's token" : "an approver's token can only answer");
  }
  const std::string channel = request.caller.answers ? "http" : "mcp";
  mcp::PlainResponse accepted{202, ObjectText().text("workflow_id", id).flag("accepted", true).done()};
  if (command.type == "fork") {
    const auto forked = fork_workflow(process.workflows(), id, said.value(), request.caller.principal,
                                      process.gateway().session_of(asker_of(request)), request.caller.profile);
    if (!forked) return plain_failure(forked.failure());
    return {201, ObjectText().text("workflow_id", *forked).text("forked_from", id).done()};
  }
  if (command.type == "rollback") {
    const auto back = roll_back_workflow(process.workflows(), id, said.value(), request.caller.principal, channel);
    if (!back) return plain_failure(back.failure());
    return accepted;
  }
  command.payload = mcp::json::serialize(said.value());
  command.who = request.caller.principal;
  command.channel = channel;
  if (process.workflows().has_strange_tokens(command, request.caller.principal))
    return plain_error(409, "the workflow comes from another conversation, so these tokens are unknown here");
  const auto given = process.workflows().command(std::move(command));
  if (!given) return plain_failure(given.failure());
  return accepted;
}

// The holder of an agent's token may ask, and learns what the agent would.
mcp::PlainResponse filtered_response(const GatewayProcess& process, const std::string& principal,
                                     mcp::PlainResponse response) {
  const auto filter = process.privacy()->filter(principal);
  privacy::Filtered filtered = filter->json(std::move(response.body));
  if (filtered.any() && filter->mode() == privacy::Mode::kBlock)
    return plain_error(403, "PRIVACY_BLOCKED: the answer contains private data: " + filtered.counts());
  return {response.status, std::move(filtered.text)};
}

mcp::PlainResponse serve(GatewayProcess& process, const mcp::PlainRequest& request, const Target& target) {
  OwnThings own = own_things(process, request.caller);
  if (target.id.empty()) return request.method == "GET" ? respond_with_workflows(own) : plain_error(405, "use GET");
  if (const auto there = own.workflow(target.id); !there) return plain_failure(there.failure());
  if (target.rest.empty()) {
    if (request.method != "GET") return plain_error(405, "use GET, or POST to " + request.target + "/commands");
    auto report = workflow::report_on(process.store(), target.id);
    if (!report) return plain_failure(report.failure());
    auto checkpoints = workflow::checkpoints_of(process.store(), target.id, kMostCheckpointsListed);
    if (!checkpoints) return plain_failure(checkpoints.failure());
    report.value()["checkpoints"] = std::move(checkpoints).value();
    return {200, mcp::json::serialize(report.value())};
  }
  if (target.rest != "commands") return plain_error(404, "a workflow has /events and /commands");
  if (request.method != "POST") return plain_error(405, "use POST");
  return respond_to_command(process, request, target.id);
}

}  // namespace

bool is_workflow_path(const mcp::PlainRequest& request) {
  const std::string_view target = std::string_view(request.target).substr(0, request.target.find('?'));
  return target == kWorkflowsPath || target.starts_with(std::string(kWorkflowsPath) + "/");
}

mcp::PlainResponse serve_workflows(GatewayProcess& process, const mcp::PlainRequest& request) {
  return filtered_response(process, request.caller.principal, serve(process, request, target_of(request.target)));
}

bool stream_workflow_events(GatewayProcess& process, const mcp::PlainRequest& request,
                            const std::shared_ptr<mcp::HttpReply>& reply, std::function<void()>& on_hang_up) {
  if (!is_workflow_path(request) || request.method != "GET") return false;
  const Target target = target_of(request.target);
  if (target.rest != "events") return false;
  const auto refuse = [&](const mcp::PlainResponse& response) {
    reply->whole(response.status, response.body);
    return true;
  };
  std::optional<std::int64_t> after = 0;
  if (target.query.starts_with("after=")) after = number_in(std::string_view(target.query).substr(6));
  // A browser that comes back says so in a header.
  if (!request.last_event_id.empty()) after = number_in(request.last_event_id);
  if (!after) return refuse(plain_error(400, "\"after\" is the number of an event"));
  const auto record = own_things(process, request.caller).workflow(target.id);
  if (!record) return refuse(plain_failure(record.failure()));
  reply->add(": events of " + target.id + "\n\n");
  // The feed is kept for as long as the client is connected.
  auto feed = process.workflows().follow(
      target.id, *after,
      [id = target.id, principal = request.caller.principal, reply, guard = process.privacy()](const auto& event) {
        reply->add(mcp::sse_event(std::to_string(event.number),
                                  guard->filter(principal)->json(workflow::to_json(id, event)).text));
      });
  on_hang_up = [feed = std::move(feed)] { feed->stop(); };
  return true;
}

}  // namespace glovebox::assembly
