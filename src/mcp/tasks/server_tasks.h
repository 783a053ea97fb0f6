// The tasks of a server's clients: tasks/get, tasks/result, tasks/cancel and tasks/list of MCP 2025-11-25.
//
// A task belongs to the principal that began it, whichever of its connections asks. It is kept in memory until its time
// is over, and ends with the server; what it does may outlive both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/server/server_call.h"
#include "mcp/tasks/server_task.h"

namespace glovebox::mcp {

class ServerPeer;

// Whether a request of this revision may be made as a task.
bool has_tasks(Era era, std::string_view revision);

class ServerTasks {
 public:
  // For a request with the parameter `task`. Its client is notified of changes through `peer`.
  Result<std::shared_ptr<ServerTask>, RpcError> begin(const CallFacts& facts, const std::weak_ptr<ServerPeer>& peer);
  // Whether the request was about one task, and is answered now or later.
  bool serve(const std::shared_ptr<ServerCall>& call);
  // As JSON, the newest first.
  std::vector<std::string> listed(std::string_view principal);

  bool is_at_work() const;
  void end_calls();

 private:
  std::shared_ptr<ServerTask> find(std::string_view principal, std::string_view id);
  void forget_expired();

  std::vector<std::shared_ptr<ServerTask>> tasks_;  // the oldest first
};

}  // namespace glovebox::mcp
