// What a client of the gateway may see and touch: its own runs and workflows. Those of another client do not exist for
// it: whatever it asks about them is answered as for an id that was never given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/serve/gateway_process.h"
#include "gateway/principal/asker.h"
#include "mcp/server_call.h"

namespace glovebox::frontend {

gateway::Asker asker_of(const mcp::ServerCall& call);

class OwnThings {
 public:
  OwnThings(GatewayProcess& process, std::string principal) : process_(process), principal_(std::move(principal)) {}
  OwnThings(GatewayProcess& process, const mcp::ServerCall& call) : OwnThings(process, call.facts().principal) {}
  // For an operator: everybody's are their own.
  static OwnThings of_everybody(GatewayProcess& process) { return OwnThings(process, std::string()); }

  Result<std::vector<store::RunRecord>> runs(std::optional<store::RunStatus> status, std::size_t most);
  Result<std::vector<store::WorkflowRecord>> workflows(std::optional<store::WorkflowStatus> status, std::size_t most);
  // kNotFound where there is none of theirs.
  Result<store::RunRecord> run(const std::string& id);
  Result<store::WorkflowRecord> workflow(const std::string& id);

 private:
  bool is_own(const std::string& client) const { return principal_.empty() || client == principal_; }

  GatewayProcess& process_;
  std::string principal_;  // empty: everybody
};

}  // namespace glovebox::frontend
