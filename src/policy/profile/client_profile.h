// How the owner restricts one client compared to others: tools, rules and limits. It only narrows the workspace's
// config.
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
  std::vector<std::string> ask{};                      // patterns: approval is needed, also where the config allows
  std::vector<std::string> deny{};                     // patterns
  std::optional<std::chrono::milliseconds> timeout{};  // of a run, without the time in tools
  std::optional<std::size_t> memory_bytes{};           // of a run
  std::optional<std::size_t> calls{};                  // of tools, in one run
  std::optional<std::size_t> runs{};                   // at once
  std::string scope{};  // of the access tokens that the config gives this profile; empty: it belongs to a single token

  bool operator==(const ClientProfile&) const = default;
  // Whether it restricts anything.
  bool narrows() const { return *this != ClientProfile(); }

  // Lowers limits of a run that are above its own.
  void tighten(SandboxConfig& config) const;
};

// `ask` and `deny` above a rule that allows all: the stricter of their verdict and the config's counts. Relative paths
// in conditions start at `folder`.
Result<ToolRules> rules_of(const ClientProfile& profile, std::string_view folder);

boost::json::value to_json(const ClientProfile& profile);
// Fails for what to_json has not made: a profile that is only partly understood would narrow too little. A JSON list is
// a list of tools.
Result<ClientProfile> client_profile_of(const boost::json::value& json);

}  // namespace glovebox::policy
