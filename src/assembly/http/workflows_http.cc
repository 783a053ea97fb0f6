#include "assembly/http/workflows_http.h"

#include <charconv>

#include "assembly/http/plain_errors.h"
#include "assembly/own_things.h"
#include "assembly/views/workflow_branches.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "mcp/http/sse.h"
#include "mcp/json/json_tree.h"
#include "store/thread/ask_store.h"
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

// One for each client, since sessions cannot be distinguished here: nothing says when one begins or ends.
gateway::Asker asker_of(const mcp::PlainRequest& request) {
  return {request.caller.principal, request.caller.principal};
}

// As JSON: the client's workflows, the report on one, or nothing if that is not wanted.
Result<std::string> read_workflows(store::Store& store, const std::optional<std::string>& principal,
                                   const std::string& id, bool with_report) {
  OwnThings own(store, principal);
  if (id.empty()) {
    mcp::json::array all;
    for (const auto& record : GLOVEBOX_TRY(own.workflows(std::nullopt, kMostListed)))
      all.push_back(workflow::summary_of(record));
    return mcp::json::serialize(mcp::json::object{{"workflows", std::move(all)}});
  }
  GLOVEBOX_TRY(own.workflow(id));
  if (!with_report) return std::string();
  auto report = GLOVEBOX_TRY(workflow::report_on(store, id));
  report["checkpoints"] = GLOVEBOX_TRY(workflow::checkpoints_of(store, id, kMostCheckpointsListed));
  return mcp::json::serialize(report);
}

using Respond = std::function<void(mcp::PlainResponse)>;

void respond_to_command(GatewayProcess& process, const mcp::PlainRequest& request, const std::string& id,
                        const Respond& respond) {
  auto said = mcp::parse_object(request.body);
  if (!said) return respond(plain_error(400, "the body must be a JSON object: " + said.failure().message));
  store::WorkflowCommand command;
  command.workflow = id;
  command.type = mcp::string_member(said.value(), "type").value_or("");
  if (command.type.empty()) return respond(plain_error(400, R"("type" names the command: continue, abort, pause, …)"));
  said->erase("type");
  const bool is_answer = command.type == "approval_response";
  if (is_answer ? !request.caller.answers : !request.caller.speaks_mcp) {
    return respond(
        plain_error(403, is_answer ? "answering needs an approver's token" : "an approver's token can only answer"));
  }
  const std::string channel = request.caller.answers ? "http" : "mcp";
  const auto accept = [respond, id](const Result<void>& given) {
    if (!given) return respond(plain_failure(given.failure()));
    respond({202, ObjectText().text("workflow_id", id).flag("accepted", true).done()});
  };
  if (command.type == "fork") {
    const auto on_forked = [respond, id](const Result<std::string>& forked) {
      if (!forked) return respond(plain_failure(forked.failure()));
      respond({201, ObjectText().text("workflow_id", *forked).text("forked_from", id).done()});
    };
    return fork_workflow(process.workflows(), id, said.value(), request.caller.principal,
                         process.gateway().session_of(asker_of(request)), request.caller.profile, on_forked);
  }
  if (command.type == "rollback") {
    return roll_back_workflow(process.workflows(), id, said.value(), request.caller.principal, channel, accept);
  }
  command.payload = mcp::json::serialize(said.value());
  command.who = request.caller.principal;
  command.channel = channel;
  if (process.workflows().has_strange_tokens(command, request.caller.principal))
    return respond(plain_error(409, "the workflow comes from another conversation, so these tokens are unknown here"));
  process.workflows().command(std::move(command), accept);
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

// Until the client disconnects.
std::shared_ptr<workflow::EventFeed> stream_events(GatewayProcess& process, const mcp::PlainRequest& request,
                                                   const std::string& id, std::int64_t after,
                                                   const std::shared_ptr<mcp::HttpReply>& reply) {
  reply->add(": events of " + id + "\n\n");
  return process.workflows().follow(
      id, after, [id, principal = request.caller.principal, reply, guard = process.privacy()](const auto& event) {
        reply->add(mcp::sse_event(std::to_string(event.number),
                                  guard->filter(principal)->json(workflow::to_json(id, event)).text));
      });
}

}  // namespace

bool is_workflow_path(const mcp::PlainRequest& request) {
  const std::string_view target = std::string_view(request.target).substr(0, request.target.find('?'));
  return target == kWorkflowsPath || target.starts_with(std::string(kWorkflowsPath) + "/");
}

void serve_workflows(GatewayProcess& process, const mcp::PlainRequest& request,
                     const std::shared_ptr<mcp::HttpReply>& reply, std::function<void()>& on_hang_up) {
  const Target target = target_of(request.target);
  const bool gets = request.method == "GET";
  const Respond respond = [&process, principal = request.caller.principal, reply](mcp::PlainResponse response) {
    response = filtered_response(process, principal, std::move(response));
    reply->whole(response.status, std::move(response.body), std::move(response.content_type));
  };
  if (target.id.empty() && !gets) return respond(plain_error(405, "use GET"));
  const bool streams = gets && target.rest == "events";
  std::optional<std::int64_t> after = 0;
  if (target.query.starts_with("after=")) after = number_in(std::string_view(target.query).substr(6));
  // A browser that comes back says so in a header.
  if (!request.last_event_id.empty()) after = number_in(request.last_event_id);
  if (streams && !after) return respond(plain_error(400, "\"after\" is the number of an event"));
  const auto feed = std::make_shared<std::shared_ptr<workflow::EventFeed>>();
  on_hang_up = [feed] {
    if (*feed) (*feed)->stop();
  };
  const bool with_report = gets && target.rest.empty();
  std::optional<std::string> principal = request.caller.principal;
  if (request.caller.answers) principal.reset();
  store::ask_store(
      process.store(), process.executor(),
      [principal, id = target.id, with_report](store::Store& store) {
        return read_workflows(store, principal, id, with_report);
      },
      [&process, request, target, streams, with_report, after, feed, reply, respond](const Result<std::string>& found) {
        if (!found) return respond(plain_failure(found.failure()));
        if (target.id.empty() || with_report) return respond({200, *found});
        if (streams) {
          if (reply->attached()) *feed = stream_events(process, request, target.id, *after, reply);
          return;
        }
        if (target.rest.empty())
          return respond(plain_error(405, "use GET, or POST to " + request.target + "/commands"));
        if (target.rest != "commands") return respond(plain_error(404, "a workflow has /events and /commands"));
        if (request.method != "POST") return respond(plain_error(405, "use POST"));
        respond_to_command(process, request, target.id, respond);
      });
}

}  // namespace glovebox::assembly
