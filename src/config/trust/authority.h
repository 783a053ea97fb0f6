// What a config file permits, line by line, so that a person can read it and two versions can be compared.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"

namespace glovebox::config {

struct Authority {
  std::set<std::string> grants;                // mcpServers.files {"command":"npx","args":["-y","server"]}
  std::set<std::string> restrictions;          // permissions.deny "github:delete_*"
  std::map<std::string, std::int64_t> limits;  // sandbox.timeoutMs 60000

  // Whether there is nothing that an owner would have to approve.
  bool is_empty() const { return grants.empty() && limits.empty(); }
  // Whether `other` permits no more than this: nothing new, no restriction less, no limit higher.
  bool covers(const Authority& other) const;
  // What `other` permits beyond this, for a person to read.
  std::vector<std::string> widened_by(const Authority& other) const;

  bool operator==(const Authority&) const = default;
};

// For the members of `root` that are in `keys`; others belong to other programs. Every key that is not known to be
// harmless counts as a grant, so keys that are added later need approval. `text` is what `root` was parsed from.
Authority authority_of(const JsonNode& root, std::string_view text, std::span<const std::string_view> keys);

// What protects the owner's data counts both as a grant and as a restriction. For what was read as grants alone, in
// records of an earlier version.
void count_protections(Authority& authority);

}  // namespace glovebox::config
