// Workflows over HTTP, behind the same token as everything else:
//
//   GET  /workflows                       the newest
//   GET  /workflows/ID                    its status
//   GET  /workflows/ID/events?after=N     its events, as server-sent events with their numbers as ids; a client that
//                                         reconnects with Last-Event-ID continues where it was
//   POST /workflows/ID/commands {"type": "continue"|"abort"|…, …}
//                                         "fork" and "rollback" too: workflow_branches.h
#pragma once

#include <functional>
#include <memory>

#include "assembly/gateway_process.h"
#include "mcp/http/http_reply.h"
#include "mcp/http/http_server.h"

namespace glovebox::assembly {

bool is_workflow_path(const mcp::PlainRequest& request);
// Answers when the store has; events are sent until the client is gone.
void serve_workflows(GatewayProcess& process, const mcp::PlainRequest& request,
                     const std::shared_ptr<mcp::HttpReply>& reply, std::function<void()>& on_hang_up);

}  // namespace glovebox::assembly
