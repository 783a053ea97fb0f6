#include "frontend/serve/plain_doors.h"

#include "frontend/serve/approvals_http.h"
#include "frontend/serve/observe_http.h"
#include "frontend/serve/plain_errors.h"
#include "frontend/serve/workflows_http.h"

namespace glovebox::frontend {
namespace {

mcp::PlainResponse wrong_token(std::string_view roles) {
  return plain_error(403, "this token is not for that; " + std::string(roles) + " (see `glovebox token --help`)");
}

bool may_see_workflows(const mcp::Caller& caller) {
  return caller.speaks_mcp || caller.answers;
}

}  // namespace

mcp::PlainResponse serve_plain(GatewayProcess& process, const mcp::PlainRequest& request) {
  if (is_watched_path(request)) {
    return request.caller.watches ? serve_observation(process, request)
                                  : wrong_token("a viewer's is, or observe.token of the config");
  }
  if (is_workflow_path(request)) {
    return may_see_workflows(request.caller) ? serve_workflows(process, request) : wrong_token("an agent's is");
  }
  if (!is_approval_path(request)) return plain_error(404, "there is nothing here; MCP is at /mcp");
  return request.caller.answers ? serve_approvals(process, request) : wrong_token("an approver's is");
}

bool serve_stream(GatewayProcess& process, const mcp::PlainRequest& request,
                  const std::shared_ptr<mcp::HttpReply>& reply, std::function<void()>& on_hang_up) {
  return may_see_workflows(request.caller) && stream_workflow_events(process, request, reply, on_hang_up);
}

}  // namespace glovebox::frontend
