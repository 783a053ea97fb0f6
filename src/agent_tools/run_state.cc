#include "agent_tools/run_state.h"

#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/try.h"
#include "mcp/json/json_tree.h"
#include "workflow/workflow_state.h"

namespace glovebox::agent_tools {
namespace {

// The `state` of an object, as it is there; empty when there is none. A result may be large, so no tree is made of
// it.
std::string_view state_in(std::string_view object) {
  const auto members = base::JsonSlices::of(object, {.max_depth = 1000, .half_characters = true});
  return members ? members->raw("state") : std::string_view();
}

Result<std::string> merged(std::string_view before, std::string_view update) {
  workflow::WorkflowState state;
  if (!before.empty()) GLOVEBOX_TRY_VOID(workflow::reduce(state, GLOVEBOX_TRY(mcp::parse_tree(std::string(before)))));
  GLOVEBOX_TRY_VOID(workflow::reduce(state, GLOVEBOX_TRY(mcp::parse_tree(std::string(update)))));
  return mcp::json::serialize(state.to_json());
}

}  // namespace

std::string state_member(const std::string& outcome_json, const std::function<std::string()>& context) {
  if (outcome_json.find("\"state\"") == outcome_json.npos) return "";
  const auto outcome = base::JsonSlices::of(outcome_json, {.max_depth = 1000, .half_characters = true});
  const std::string_view update = outcome && !outcome->has("error") ? state_in(outcome->raw("result")) : "";
  if (update.empty()) return "";
  const std::string given = context();
  const auto state = merged(state_in(given), update);
  if (state) return base::ObjectText().json("state", *state).done();
  return base::ObjectText().text("stateError", state.failure().message).done();
}

}  // namespace glovebox::agent_tools
