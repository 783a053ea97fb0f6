#include "assembly/own_things.h"

#include "base/try.h"

namespace glovebox::assembly {

gateway::Asker asker_of(const mcp::ServerCall& call) {
  return {call.facts().principal, call.facts().conversation};
}

Result<std::vector<store::RunRecord>> OwnThings::runs(std::optional<store::RunStatus> status, std::size_t most) {
  if (owns_nothing()) return std::vector<store::RunRecord>();
  return store_.list_runs(status, most, principal_.value_or(""));
}

Result<std::vector<store::WorkflowRecord>> OwnThings::workflows(std::optional<store::WorkflowStatus> status,
                                                                std::size_t most) {
  if (owns_nothing()) return std::vector<store::WorkflowRecord>();
  return store_.list_workflows(status, most, principal_.value_or(""));
}

Result<store::RunRecord> OwnThings::run(const std::string& id) {
  auto found = GLOVEBOX_TRY(store_.find_run(id));
  if (!found || !is_own(found->client)) return Failure{ErrorCode::kNotFound, "there is no run " + id};
  return std::move(*found);
}

Result<store::WorkflowRecord> OwnThings::workflow(const std::string& id) {
  auto found = GLOVEBOX_TRY(store_.find_workflow(id));
  if (!found || !is_own(found->client)) return Failure{ErrorCode::kNotFound, "there is no workflow " + id};
  return std::move(*found);
}

}  // namespace glovebox::assembly
