// The runs and workflows that a client may see and control: its own. Requests about those of another client are
// answered as if the id did not exist.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assembly/gateway_process.h"
#include "gateway/principal/asker.h"
#include "mcp/server/server_call.h"

namespace glovebox::assembly {

gateway::Asker asker_of(const mcp::ServerCall& call);

class OwnThings {
 public:
  OwnThings(GatewayProcess& process, std::string principal) : OwnThings(process, std::optional(std::move(principal))) {}
  OwnThings(GatewayProcess& process, const mcp::ServerCall& call) : OwnThings(process, call.facts().principal) {}
  // For an operator: every client's are their own.
  static OwnThings of_everybody(GatewayProcess& process) { return OwnThings(process, std::nullopt); }

  Result<std::vector<store::RunRecord>> runs(std::optional<store::RunStatus> status, std::size_t most);
  Result<std::vector<store::WorkflowRecord>> workflows(std::optional<store::WorkflowStatus> status, std::size_t most);
  // kNotFound where there is none of theirs.
  Result<store::RunRecord> run(const std::string& id);
  Result<store::WorkflowRecord> workflow(const std::string& id);

 private:
  OwnThings(GatewayProcess& process, std::optional<std::string> principal)
      : process_(process), principal_(std::move(principal)) {}
  bool is_own(const std::string& client) const { return !principal_ || (client == *principal_ && !client.empty()); }
  // A client without a name owns nothing: the store takes an empty name for all clients.
  bool owns_nothing() const { return principal_ && principal_->empty(); }

  GatewayProcess& process_;
  std::optional<std::string> principal_;  // nothing: all clients
};

}  // namespace glovebox::assembly
