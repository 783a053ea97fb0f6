#include "config/trust/authority.h"

#include <algorithm>
#include <array>

#include "base/text/json_text.h"

namespace glovebox::config {
namespace {

// Keys of ours that do not affect what code may do, and that start, send and grant nothing.
constexpr std::array<std::string_view, 4> kHarmless{"answers", "cache", "inputs", "search"};
// What they list is refused or needs approval.
constexpr std::array<std::string_view, 3> kRestricting{"flows", "permissions.ask", "permissions.deny"};

// What protects the owner's data and files. Another value is another grant, and without it the default applies, which
// protects less: so it counts both as a grant and as a restriction.
constexpr std::array<std::string_view, 7> kProtecting{"audit.sync",       "privacy.custom", "privacy.enforce",
                                                      "privacy.entities", "privacy.mode",   "python.blockedImports",
                                                      "sandbox.vfs"};

bool is_limit(std::string_view path) {
  return path.starts_with("sandbox.") || path.starts_with("limits.") || path.starts_with("python.");
}

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Reader {
 public:
  Reader(std::string_view text, Authority& authority) : text_(text), authority_(authority) {}

  void read(const JsonNode& node, const std::string& path, int depth) {
    if (const auto* items = node.as<JsonArray>()) {
      std::set<std::string>& lines = is_one_of(kRestricting, path) ? authority_.restrictions : authority_.grants;
      for (const JsonNode& item : *items) lines.insert(line(path, item));
    } else if (const auto* members = node.as<JsonObject>(); members && (depth < 2 || is_limit(path))) {
      for (const JsonMember& member : *members) {
        if (!is_disabled_server(member, path)) read(member.value, path + "." + member.key, depth + 1);
      }
    } else if (const auto* number = node.as<std::int64_t>(); number && is_limit(path)) {
      authority_.limits[path] = *number;
    } else {
      (forbids(path, node) ? authority_.restrictions : authority_.grants).insert(line(path, node));
    }
  }

 private:
  static bool is_disabled_server(const JsonMember& member, const std::string& path) {
    const auto* keys = member.value.as<JsonObject>();
    return (path == "mcpServers" || path == "servers") && keys &&
           std::any_of(keys->begin(), keys->end(), [](const JsonMember& key) {
             const bool* value = key.value.as<bool>();
             return key.key == "disabled" && value && *value;
           });
  }

  // approvals.agent false is a restriction: removing it lets the agent relay approvals again.
  static bool forbids(const std::string& path, const JsonNode& node) {
    const bool* value = node.as<bool>();
    return path == "approvals.agent" && value && !*value;
  }

  std::string line(const std::string& path, const JsonNode& node) const { return path + " " + to_json(node, text_); }

  std::string_view text_;
  Authority& authority_;
};

}  // namespace

Authority authority_of(const JsonNode& root, std::string_view text, std::span<const std::string_view> keys) {
  Authority authority;
  const auto* members = root.as<JsonObject>();
  if (!members) return authority;
  Reader reader(text, authority);
  for (const JsonMember& member : *members) {
    if (is_one_of(keys, member.key) && !is_one_of(kHarmless, member.key)) reader.read(member.value, member.key, 1);
  }
  count_protections(authority);
  return authority;
}

void count_protections(Authority& authority) {
  for (const std::string& grant : authority.grants) {
    const std::string_view path = std::string_view(grant).substr(0, grant.find(' '));
    // Adding one of registryDigests admits that capability; removing one admits any of that name.
    if (path.starts_with("registryDigests.") || is_one_of(kProtecting, path)) authority.restrictions.insert(grant);
  }
}

bool Authority::covers(const Authority& other) const {
  return widened_by(other).empty();
}

std::vector<std::string> Authority::widened_by(const Authority& other) const {
  std::vector<std::string> wider;
  for (const std::string& grant : other.grants) {
    if (!grants.contains(grant)) wider.push_back(grant);
  }
  for (const auto& [name, value] : other.limits) {
    const auto ours = limits.find(name);
    if (ours == limits.end() || value > ours->second) wider.push_back(name + " " + std::to_string(value));
  }
  for (const auto& [name, value] : limits) {
    if (!other.limits.contains(name)) wider.push_back("no longer " + name + " " + std::to_string(value));
  }
  for (const std::string& restriction : restrictions) {
    if (!other.restrictions.contains(restriction)) wider.push_back("no longer " + restriction);
  }
  return wider;
}

}  // namespace glovebox::config
