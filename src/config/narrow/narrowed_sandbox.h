// What an agent asks for in `sandbox_config`, within what the owner grants. The agent is not trusted: asking can only
// reduce. Asking for a grant that the owner has not given is an error; asking for a higher limit leaves the owner's in
// force, and a note says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/sandbox_settings.h"

namespace glovebox::config {

struct NarrowedSandbox {
  SandboxConfig config;
  std::vector<std::string> notes;  // a sentence for each limit that was asked for and is not in force
};

// `sandbox_config` is the JSON object as the agent wrote it, for code in this language.
Result<NarrowedSandbox> narrowed(const SandboxConfig& owners, std::string_view sandbox_config,
                                 Language language = Language::kTypeScript);

// `asked` within `owners`: lower limits, and grants that the owner gave or parts of them.
Result<NarrowedSandbox> narrow(const SandboxConfig& owners, const SandboxSettings& asked,
                               Language language = Language::kTypeScript);

}  // namespace glovebox::config
