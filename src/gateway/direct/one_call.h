// Programs that are one tool call, generated here and not by an agent: tasks of workflows, `call_tool`, resources and
// prompts. Such a program says no more than the call itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::gateway {

struct OneCall {
  std::string server;
  std::string tool;
};

// `arguments` is the tool's argument, as code: "context", or a member of it. `raw`: returns its content blocks.
std::string one_call_program(std::string_view server, std::string_view tool, std::string_view arguments = "context",
                             bool raw = false);

// The call that such a program makes; nothing for any other text.
std::optional<OneCall> one_call_in(std::string_view program);

}  // namespace glovebox::gateway
