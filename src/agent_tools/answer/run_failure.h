// The error of a run as an agent reads it: the message, the position with its line of code, and the calls made so far,
// so that the agent does not repeat them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/text/json_slice.h"

namespace glovebox::agent_tools {

struct RunFailure {
  std::string json;     // { type, code, message, where?, toolName?, calls?: { "server.tool": count } }
  std::string text;     // the same in words
  std::string message;  // what is in both
};

// `error` and `trace` are members of an ExecutionResult. Without `code` the agent has written none: there is no place
// in it, and the call that it asked for is all that was made.
RunFailure run_failure(const base::JsonSlices& error, std::string_view trace, const std::function<std::string()>& code);

}  // namespace glovebox::agent_tools
