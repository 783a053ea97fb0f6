#include "assembly/own_things.h"

#include "base/try.h"

namespace glovebox::assembly {

gateway::Asker asker_of(const mcp::ServerCall& call) {
  return {call.facts().principal, call.facts().conversation};
}

Result<std::vector<store::RunRecord>> OwnThings::runs(std::optional<store::RunStatus> status, std::size_t most) {
  if (owns_nothing()) return std::vector<store::RunRecord>();
  return process_.store().list_runs(status, most, principal_.value_or(""));
}

Result<std::vector<store::WorkflowRecord>> OwnThings::workflows(std::optional<store::WorkflowStatus> status,
                                                                std::size_t most) {
  if (owns_nothing()) return std::vector<store::WorkflowRecord>();
  return process_.workflows().list(status, most, principal_.value_or(""));
}

Result<store::RunRecord> OwnThings::run(const std::string& id) {
  auto found = GLOVEBOX_TRY(process_.gateway().get_run(id));
  if (!found || !is_own(found->client)) return Failure{ErrorCode::kNotFound, "there is no run " + id};
  return std::move(*found);
}

Result<store::WorkflowRecord> OwnThings::workflow(const std::string& id) {
  auto found = GLOVEBOX_TRY(process_.workflows().find(id));
  if (!found || !is_own(found->client)) return Failure{ErrorCode::kNotFound, "there is no workflow " + id};
  return std::move(*found);
}

}  // namespace glovebox::assembly
