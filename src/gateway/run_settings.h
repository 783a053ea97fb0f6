// What a run was given, as JSON and back: a run that is taken up later must get the very same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::gateway {

struct RunSettings {
  SandboxConfig sandbox;
  std::optional<std::vector<std::string>> tools;  // patterns: only these may be called, whatever the policy says
};

std::string to_json(const RunSettings& settings);
Result<RunSettings> run_settings_of(std::string_view json);

}  // namespace glovebox::gateway
