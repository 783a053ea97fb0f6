// Prompts and resources of the servers, for our clients. All are listed except those that the policy denies. Getting or
// reading one is a run of one call (`$prompt`, `$read`), so there is no second way to a server.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "agent_tools/open_questions.h"
#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

class PassedOn {
 public:
  // Both outlive it.
  PassedOn(mcp::ServerCore& core, assembly::GatewayProcess& process);

  // What servers offer may have changed: clients are notified if there are other servers with prompts or resources now.
  void refresh();
  // A server has other prompts or resources.
  void changed(std::string_view list);

 private:
  std::set<std::string> servers_with(std::string_view tool) const;

  mcp::ServerCore& core_;
  assembly::GatewayProcess& process_;
  std::set<std::string> with_prompts_;
  std::set<std::string> with_resources_;
};

}  // namespace glovebox::agent_tools
