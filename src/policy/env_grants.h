// Which environment variables a run may see: NAME, PREFIX_* or * for all of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::policy {

class EnvGrants {
 public:
  EnvGrants() = default;  // nothing
  static Result<EnvGrants> parse(const std::vector<std::string>& grants);

  // Whether the run may see the variable of that name, set or not.
  bool allows(std::string_view name) const;
  // Whether a grant names it in full. A wildcard means "these may be read", not "these may be set": a variable such as
  // LD_PRELOAD or GIT_SSH_COMMAND turns a harmless program into any program, and no list of those is complete.
  bool names(std::string_view name) const { return names_.contains(name); }
  // Whether all of them may be listed at once. As in Deno, grants of single names do not add up to that.
  bool allows_all() const { return all_; }

 private:
  std::set<std::string, std::less<>> names_;
  std::vector<std::string> prefixes_;
  bool all_ = false;
};

// Deno's wording. Without a name: for the whole environment.
std::string env_denial(std::string_view name);
std::string env_denial();

// Why no variable can have that name, as the message of Deno's TypeError; checked after the grant, as in Deno.
std::optional<std::string> why_no_env_name(std::string_view name);

// Variables that affect the dynamic loader, before a program's own code runs.
bool is_loader_variable(std::string_view name);

}  // namespace glovebox::policy
