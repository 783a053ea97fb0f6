// What an agent is given of a run that has ended: what it needs, once.
//
// Some clients pass the text of an answer to their model, others its structured content, and a model pays for each word
// of it. So both have the same content, and neither has what only programs need: that is in `rest`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent_tools/answer/artifact_blocks.h"
#include "agent_tools/answer/result_part.h"
#include "base/text/json_builder.h"

namespace glovebox::agent_tools {

struct LeanOutcome {
  base::ObjectText json;  // run_id, and result and logs, or error; nothing else where the outcome says nothing
  std::string text;
  std::optional<std::size_t> result_at{};  // in the JSON, where the result is also all of the text
  std::vector<std::string> blocks;         // pictures and the like that are in the result, and what was emitted
  std::string rest;  // an object: the other members of the ExecutionResult, and all that it says of an error
};

// Of the run with this id. `code` is asked for only where an error has a place in it. What is beyond the budget begins
// here, and is read on with get_run.
LeanOutcome lean_outcome(const std::string& run, const std::string& outcome_json,
                         const std::function<std::string()>& code, const Budget& budget,
                         const ArtifactAccess& artifacts = {});

}  // namespace glovebox::agent_tools
