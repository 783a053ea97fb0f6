#include "calls/command/command_environment.h"

#include <string_view>

namespace glovebox::calls {

Environment copy_environment(const char* const* block) {
  Environment copy;
  for (; *block; ++block) {
    const std::string_view entry(*block);
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    copy.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return copy;
}

CommandResult<std::vector<std::string>> command_environment(const Environment& ours, const policy::EnvGrants& grants,
                                                            const CommandRequest& request) {
  using Kind = CommandError::Kind;
  Environment all;
  if (!request.clear_environment) {
    for (const auto& [name, value] : ours) {
      if (policy::is_loader_variable(name) ? grants.names(name) : grants.allows(name)) all.emplace(name, value);
    }
  }
  for (const auto& [name, value] : request.environment) {
    if (!grants.names(name)) {
      std::string message = policy::env_denial(name);
      if (grants.allows(name)) message += " by its full name, to set it for a command";
      return CommandError{Kind::kDenied, std::move(message)};
    }
    if (value.find('\0') != std::string::npos) {
      return CommandError{Kind::kInvalid, "Failed to spawn '" + request.program + "': nul byte found in provided data"};
    }
    all.insert_or_assign(name, value);
  }
  std::vector<std::string> block;
  block.reserve(all.size());
  for (const auto& [name, value] : all) block.emplace_back(name).append("=").append(value);
  return block;
}

}  // namespace glovebox::calls
