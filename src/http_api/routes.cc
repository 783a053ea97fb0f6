#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

using enum ApiRole;

constexpr Route kRoutes[] = {
    {"GET", "/approvals", kViewer, "state limit", "What waits for a person, or all that ever did", list_approvals},
    {"GET", "/approvals/{id}", kViewer, "", "One approval request, with the answers it got", show_approval},
    {"POST", "/approvals/{id}", kApprover, "", "Approve or deny", answer_approval},
    {"GET", "/runs", kViewer, "status client before limit", "Runs, newest first", list_runs},
    {"GET", "/runs/{id}", kViewer, "", "One run: code, context, outcome", show_run},
    {"GET", "/runs/{id}/trace", kViewer, "", "The spans of a run or a workflow", show_trace},
    {"POST", "/runs/{id}/cancel", kOperator, "", "End a run", cancel_run},
    {"GET", "/workflows", kViewer, "limit", "Workflows, newest first", list_workflows},
    {"GET", "/workflows/{id}", kViewer, "", "One workflow: tasks, what it waits for, checkpoints", show_workflow},
    {"GET", "/workflows/{id}/events", kViewer, "after limit", "Events of a workflow", list_workflow_events},
    {"POST", "/workflows/{id}/commands", kApprover, "", "Direct a workflow; an approver answers only",
     command_workflow},
    {"GET", "/rules", kViewer, "", "Which calls are allowed, asked about or denied", list_rules},
    {"GET", "/audit", kApprover, "limit", "The newest records of the audit log", list_audit},
    {"GET", "/audit/verify", kApprover, "", "Whether the audit log is whole", verify_audit},
};

// Whether `path` has the form of `pattern`; {id} is given.
bool fits(std::string_view pattern, std::string_view path, std::string& id) {
  constexpr std::string_view kId = "{id}";
  const std::size_t at = pattern.find(kId);
  if (at == pattern.npos) return pattern == path;
  const std::string_view after = pattern.substr(at + kId.size());
  if (!path.starts_with(pattern.substr(0, at)) || !path.ends_with(after) || path.size() <= at + after.size())
    return false;
  const std::string_view name = path.substr(at, path.size() - at - after.size());
  if (name.find('/') != name.npos) return false;
  id = name;
  return true;
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

Match find_route(std::string_view method, std::string_view path) {
  Match match;
  for (const Route& route : kRoutes) {
    std::string id;
    if (!fits(route.path, path, id)) continue;
    match.has_path = true;
    if (route.method != method) continue;
    match.route = &route;
    match.id = std::move(id);
    return match;
  }
  return match;
}

}  // namespace glovebox::http_api
