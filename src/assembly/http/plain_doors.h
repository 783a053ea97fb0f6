// The HTTP paths of a gateway besides MCP, and the roles that may use each:
//
//   /metrics /healthz /readyz    viewer, approver, operator      observe_http.h
//   /workflows                   agent: its own; approver: sees all, and answers; operator: all    workflows_http.h
//   /api/v1                      viewer, approver, operator; each route has its role               http_api/api.h
//   /ui/                         anyone: the page, which asks for a token                          ui/page_files.h
#pragma once

#include <functional>
#include <memory>

#include "assembly/gateway_process.h"
#include "http_api/api.h"
#include "mcp/http/http_reply.h"
#include "mcp/http/http_server.h"

namespace glovebox::assembly {

class PlainDoors {
 public:
  explicit PlainDoors(GatewayProcess& process);

  static bool is_public(std::string_view method, std::string_view target);
  mcp::PlainResponse respond(const mcp::PlainRequest& request);
  // Takes the request if it is answered later, or with a stream of events.
  bool stream(const mcp::PlainRequest& request, const std::shared_ptr<mcp::HttpReply>& reply,
              std::function<void()>& on_hang_up);

 private:
  GatewayProcess& process_;
  http_api::Api api_;
};

// The page, and what it asks.
mcp::PlainResponse serve_page(const mcp::PlainRequest& request);

}  // namespace glovebox::assembly
