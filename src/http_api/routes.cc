#include "http_api/routes.h"

#include <algorithm>

namespace glovebox::http_api {
namespace {

using enum ApiRole;

constexpr Route kRoutes[] = {
    {"GET", "/approvals", kViewer, "state short limit after", "Pending approval requests, or all of them",
     list_approvals},
    {"GET", "/approvals/{id}", kViewer, "", "One approval request, with the answers it got", show_approval},
    {"GET", "/approvals/{id}/files", kApprover, "", "Files that its calls would write, as they are now",
     show_written_files},
    {"POST", "/approvals/{id}", kApprover, "", "Approve, deny, or withdraw an approval", answer_approval},
    {"GET", "/runs", kViewer, "status client tool before limit", "Runs, newest first", list_runs},
    {"POST", "/runs", kOperator, "", "Run code, under the rules, in a gateway of the workspace", nullptr, start_run},
    {"GET", "/runs/{id}", kViewer, "", "One run: code, context, outcome", show_run},
    {"GET", "/runs/{id}/trace", kViewer, "", "The spans of a run or a workflow", show_trace},
    {"GET", "/runs/{id}/artifacts", kViewer, "", "What a run has emitted: names, types, sizes", list_artifacts},
    {"GET", "/runs/{id}/artifacts/{name}", kApprover, "", "The bytes of one artifact, as an attachment", read_artifact},
    {"GET", "/runs/{id}/case", kApprover, "", "The run as a case for `glovebox test`", show_case},
    {"GET", "/runs/{id}/changes", kApprover, "", "What a run with an overlay would change on the disk", show_changes},
    {"POST", "/runs/{id}/changes", kOperator, "", "Commit or drop what it would change", nullptr, settle_changes},
    {"POST", "/runs/{id}/cancel", kOperator, "", "End a run", cancel_run},
    {"GET", "/workflows", kViewer, "status limit", "Workflows, newest first; those that wait, of each client in turn",
     list_workflows},
    {"GET", "/workflows/{id}", kViewer, "", "One workflow: tasks, what it waits for, checkpoints", show_workflow},
    {"GET", "/workflows/{id}/events", kViewer, "after limit", "Events of a workflow", list_workflow_events},
    {"POST", "/workflows/{id}/commands", kApprover, "", "Direct a workflow; an approver answers only",
     command_workflow},
    {"POST", "/workflows/{id}/fork", kOperator, "", "Start a new workflow from a checkpoint of this one", nullptr,
     fork_workflow},
    {"GET", "/rules", kViewer, "", "Which calls are allowed, asked about or denied", nullptr, list_rules},
    {"GET", "/rules/usage", kApprover, "",
     "What each rule was used for, and a narrower rule that would have been enough", nullptr, show_rule_usage},
    {"POST", "/rules/test", kApprover, "", "Which past calls a rule covers", test_rule},
    {"POST", "/rules/explain", kViewer, "", "What happens to a call, and why", nullptr, explain_call},
    {"GET", "/servers", kViewer, "", "MCP servers, as each gateway sees them", nullptr, list_servers},
    {"POST", "/servers/{id}/retry", kOperator, "", "Clear a server's failures, so that its next use starts it", nullptr,
     retry_server},
    {"GET", "/servers/{id}/log", kApprover, "", "What a server wrote to its standard error", nullptr, show_server_log},
    {"GET", "/tools", kViewer, "server", "Tools, as their servers last listed them", nullptr, list_tools},
    {"GET", "/tools/search", kViewer, "q limit", "Tools that serve an intent, with their scores", nullptr,
     search_tools},
    {"GET", "/tools/{id}", kViewer, "", "One tool (server:tool): its definition, and what has changed in it", nullptr,
     show_tool},
    {"POST", "/tools/{id}/approve", kOperator, "", "Pin the definition of a quarantined tool", nullptr, approve_tool},
    {"GET", "/capabilities", kViewer, "", "Capabilities: their pins, and what they may call", nullptr,
     list_capabilities},
    {"GET", "/gateways", kViewer, "", "Gateways of the workspace", list_gateways},
    {"GET", "/sessions", kViewer, "", "Conversations of clients, by their newest runs", list_sessions},
    {"GET", "/metrics", kViewer, "", "What gateways measured in the last hour", show_metrics},
    {"GET", "/config", kApprover, "", "The config in force, without secrets", nullptr, show_config},
    {"GET", "/audit", kApprover, "q limit", "The newest records of the audit log", list_audit},
    {"GET", "/audit/verify", kApprover, "", "Whether the audit log is intact", verify_audit},
};

// The next part of a path, with the slash before it; it is taken off.
std::string_view next_part(std::string_view& path) {
  const std::string_view part = path.substr(0, std::min(path.find('/', 1), path.size()));
  path.remove_prefix(part.size());
  return part;
}

// Whether `path` has the form of the route's; {id} and {name} are taken from it.
bool fits(const Route& route, std::string_view path, Match& match) {
  std::string_view pattern = route.path;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = next_part(pattern);
    const std::string_view part = next_part(path);
    const bool is_any = wanted == "/{id}" || wanted == "/{name}";
    if (is_any ? part.size() < 2 : wanted != part) return false;
    if (is_any) (wanted == "/{id}" ? match.id : match.name) = part.substr(1);
  }
  return pattern.empty() && path.empty();
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

Match find_route(std::string_view method, std::string_view path) {
  Match match;
  for (const Route& route : kRoutes) {
    Match found;
    if (!fits(route, path, found)) continue;
    match.has_path = true;
    if (route.method != method) continue;
    found.has_path = true;
    found.route = &route;
    return found;
  }
  return match;
}

}  // namespace glovebox::http_api
