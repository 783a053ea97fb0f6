#include "policy/own_arguments.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "policy/path_grants.h"
#include "policy/protected_names.h"

namespace glovebox::policy {
namespace {

namespace json = boost::json;

// Longer texts are content: no path and no command is as long. Looking for words in it takes time in proportion.
constexpr std::size_t kLongestNaming = 64 * 1024;
// What stands around a path in a command, a list or an option.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`=,;:()<>|&[]{}";

}  // namespace

bool OwnFiles::is_one(std::string_view text) const {
  const std::string path = normal_path(folder, text);
  return is_own(path) ||
         std::any_of(paths.begin(), paths.end(), [&](const std::string& own) { return is_at_or_beneath(path, own); });
}

bool OwnFiles::are_named_in(std::string_view text) const {
  if (text.size() > kLongestNaming) return false;
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  if (is_one(plain)) return true;
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find_first_of(kBetweenWords, at), plain.size());
    if (end > at && is_one(std::string_view(plain).substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool OwnFiles::are_named_in(const json::value& value) const {
  if (const json::string* text = value.if_string()) return are_named_in(std::string_view(text->data(), text->size()));
  if (const json::object* object = value.if_object()) return are_named_in(*object);
  const json::array* list = value.if_array();
  return list && std::any_of(list->begin(), list->end(), [&](const json::value& item) { return are_named_in(item); });
}

bool OwnFiles::are_named_in(const json::object& arguments) const {
  return std::any_of(arguments.begin(), arguments.end(), [&](const json::key_value_pair& member) {
    return are_named_in(std::string_view(member.key().data(), member.key().size())) || are_named_in(member.value());
  });
}

}  // namespace glovebox::policy
