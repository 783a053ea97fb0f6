// The runs and workflows that a client may see and control: its own. Requests about those of another client are
// answered as if the id did not exist. It waits for the store, so it is used on the store's thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gateway/principal/asker.h"
#include "mcp/server/server_call.h"
#include "store/store.h"

namespace glovebox::assembly {

gateway::Asker asker_of(const mcp::ServerCall& call);

class OwnThings {
 public:
  // Without a principal, for an operator: every client's are their own.
  OwnThings(store::Store& store, std::optional<std::string> principal)
      : store_(store), principal_(std::move(principal)) {}

  Result<std::vector<store::RunRecord>> runs(std::optional<store::RunStatus> status, std::size_t most);
  Result<std::vector<store::WorkflowRecord>> workflows(std::optional<store::WorkflowStatus> status, std::size_t most);
  // kNotFound where there is none of theirs.
  Result<store::RunRecord> run(const std::string& id);
  Result<store::WorkflowRecord> workflow(const std::string& id);

 private:
  bool is_own(const std::string& client) const { return !principal_ || (client == *principal_ && !client.empty()); }
  // A client without a name owns nothing: the store takes an empty name for all clients.
  bool owns_nothing() const { return principal_ && principal_->empty(); }

  store::Store& store_;
  std::optional<std::string> principal_;  // nothing: all clients
};

}  // namespace glovebox::assembly
