#include "policy/env_grants.h"

#include <algorithm>

namespace glovebox::policy {
namespace {

Failure unclear_env_grant(const std::string& grant, const char* reason) {
  return {ErrorCode::kInvalidArgument,
          "allow env: \"" + grant + "\" " + reason + "; write NAME, PREFIX_* or * for the whole environment"};
}

}  // namespace

Result<EnvGrants> EnvGrants::parse(const std::vector<std::string>& grants) {
  EnvGrants parsed;
  for (const std::string& grant : grants) {
    if (grant.empty()) return unclear_env_grant(grant, "is empty");
    if (grant.find('=') != std::string::npos || grant.find('\0') != std::string::npos) {
      return unclear_env_grant(grant, "cannot be a variable's name");
    }
    const std::size_t star = grant.find('*');
    if (star == std::string::npos) {
      parsed.names_.insert(grant);
    } else if (star + 1 != grant.size()) {
      return unclear_env_grant(grant, "has a * that is not its last character");
    } else if (star == 0) {
      parsed.all_ = true;
    } else {
      parsed.prefixes_.push_back(grant.substr(0, star));
    }
  }
  return parsed;
}

bool EnvGrants::allows(std::string_view name) const {
  return all_ || names_.contains(name) ||
         std::any_of(prefixes_.begin(), prefixes_.end(), [&](const auto& prefix) { return name.starts_with(prefix); });
}

std::string env_denial(std::string_view name) {
  return "Requires env access to \"" + std::string(name) + "\"";
}

std::string env_denial() {
  return "Requires env access";
}

std::optional<std::string> why_no_env_name(std::string_view name) {
  if (name.empty()) return "Key is an empty string.";
  if (name.find('=') == std::string_view::npos && name.find('\0') == std::string_view::npos) return std::nullopt;
  std::string shown;
  for (const char c : name) {
    if (c == '\0') {
      shown += "\\0";
    } else {
      shown += c;
    }
  }
  return "Key contains invalid characters: \"" + shown + "\"";
}

bool is_loader_variable(std::string_view name) {
  return name.starts_with("LD_") || name.starts_with("DYLD_") || name == "GLIBC_TUNABLES" || name == "GCONV_PATH";
}

}  // namespace glovebox::policy
