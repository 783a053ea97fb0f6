// What the owner gives to one client less than to others: which tools, rules and limits. It only narrows what the
// workspace's config says, whatever is in it.
#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"
#include "policy/tool_rules.h"

namespace glovebox::policy {

struct ClientProfile {
  std::optional<std::vector<std::string>> tools{};     // patterns: only these may be called; nothing: no such list
  std::vector<std::string> ask{};                      // patterns: a person is asked, also where the config allows
  std::vector<std::string> deny{};                     // patterns
  std::optional<std::chrono::milliseconds> timeout{};  // of a run, without the time in tools
  std::optional<std::size_t> memory_bytes{};           // of a run
  std::optional<std::size_t> calls{};                  // of tools, in one run
  std::optional<std::size_t> runs{};                   // at once
  std::string scope{};  // of the access tokens whose profile the config says it is; empty: it is one token's own

  bool operator==(const ClientProfile&) const = default;
  // Whether it says anything.
  bool narrows() const { return *this != ClientProfile(); }

  // Lowers limits of a run that are above its own.
  void tighten(SandboxConfig& config) const;
};

// `ask` and `deny` above a rule that allows all: the stricter of what they and the config decide counts. Relative paths
// in conditions begin at `folder`.
Result<ToolRules> rules_of(const ClientProfile& profile, std::string_view folder);

boost::json::value to_json(const ClientProfile& profile);
// Fails for what to_json has not made: a profile of which a part is not understood would narrow too little. A list is
// one of tools.
Result<ClientProfile> client_profile_of(const boost::json::value& json);

}  // namespace glovebox::policy
