#include "policy/own_arguments.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <climits>
#include <set>

#include "policy/path_grants.h"
#include "policy/protected_names.h"

namespace glovebox::policy {
namespace {

namespace json = boost::json;

// Longer texts are content: no path or command is as long. Searching it for words takes time in proportion.
constexpr std::size_t kLongestNaming = 64 * 1024;
// Characters that delimit a path in a command, a list or an option.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`=,;:()<>|&[]{}";

// Checking the disk takes time, and the gateway waits for it: one lookup for each name, and one for each folder above
// it that no other name has covered.
constexpr std::size_t kMostDiskChecks = 4096;

// What a text may name: itself, and each of its words.
void add_names(std::string_view text, std::set<std::string, std::less<>>& names) {
  if (text.size() > kLongestNaming) return;
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find_first_of(kBetweenWords, at), plain.size());
    if (end > at) names.emplace(plain, at, end - at);
    at = end + 1;
  }
  names.insert(std::move(plain));
}

void add_names(const json::object& object, std::set<std::string, std::less<>>& names);

void add_names(const json::value& value, std::set<std::string, std::less<>>& names) {
  if (const json::string* text = value.if_string()) add_names(std::string_view(text->data(), text->size()), names);
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) add_names(item, names);
  }
  if (const json::object* object = value.if_object()) add_names(*object, names);
}

void add_names(const json::object& object, std::set<std::string, std::less<>>& names) {
  for (const json::key_value_pair& member : object) {
    add_names(std::string_view(member.key().data(), member.key().size()), names);
    add_names(member.value(), names);
  }
}

bool goes_up(std::string_view name) {
  const std::vector<std::string_view> components = path_components(name);
  return std::find(components.begin(), components.end(), "..") != components.end();
}

std::size_t disk_checks_of(const std::vector<std::string>& paths) {
  std::set<std::string_view> folders;
  std::size_t checks = paths.size();
  for (const std::string& path : paths) {
    const std::string_view folder = parent_path(path);
    if (folders.insert(folder).second)
      checks += static_cast<std::size_t>(std::count(folder.begin(), folder.end(), '/'));
  }
  return checks;
}

}  // namespace

bool OwnFiles::is_one(const std::string& path) const {
  return is_own(path) ||
         std::any_of(paths.begin(), paths.end(), [&](const std::string& own) { return is_at_or_beneath(path, own); });
}

bool OwnFiles::are_named_in(const json::object& arguments) const {
  std::set<std::string, std::less<>> names;
  add_names(arguments, names);
  std::vector<std::string> named;
  for (const std::string& name : names) named.push_back(normal_path(folder, name));
  if (std::any_of(named.begin(), named.end(), [this](const std::string& path) { return is_one(path); })) return true;
  if (!on_disk) return false;
  // After a link the kernel goes up from its target; a server may go up by name, as above.
  for (const std::string& name : names)
    if (goes_up(name)) named.push_back(name.starts_with('/') ? name : join_path(folder, name));
  for (std::string& path : named) path.resize(std::min(path.find('\0'), path.size()));  // where C ends it
  const std::size_t too_long = folder.size() + PATH_MAX;
  std::erase_if(named, [&](const std::string& path) { return path.empty() || path.size() >= too_long; });
  return disk_checks_of(named) > kMostDiskChecks || on_disk(named);
}

}  // namespace glovebox::policy
