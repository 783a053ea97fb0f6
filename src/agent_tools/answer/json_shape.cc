#include "agent_tools/answer/json_shape.h"

#include <algorithm>

#include "base/text/log_text.h"
#include "base/text/utf8.h"

namespace glovebox::agent_tools {
namespace {

using mcp::json::array;
using mcp::json::object;
using mcp::json::value;

constexpr std::size_t kMostKeys = 8;
constexpr std::size_t kMostKeyBytes = 40;

const char* kind_of(const value& item) {
  if (item.is_object()) return "object";
  if (item.is_array()) return "array";
  if (item.is_string()) return "text";
  if (item.is_number()) return "number";
  return item.is_bool() ? "boolean" : "null";
}

std::string in_braces(const object& members, const std::function<std::string(const value&)>& more) {
  std::string keys;
  std::size_t count = 0;
  for (const auto& member : members) {
    if (count++ == kMostKeys) {
      keys += ", …";
      break;
    }
    const std::string_view key(member.key().data(), member.key().size());
    const std::string_view begin = base::beginning_of(key, kMostKeyBytes);
    keys += (keys.empty() ? "" : ", ") + base::neutralise(begin) + (begin.size() < key.size() ? "…" : "");
    keys += more(member.value());
  }
  return " {" + keys + "}";
}

std::string of_array(const array& items) {
  const std::string text = "array of " + with_commas(items.size());
  if (items.empty()) return "empty array";
  const bool alike = std::all_of(items.begin(), items.end(), [&](const value& item) {
    return std::string_view(kind_of(item)) == kind_of(items.front());
  });
  if (!alike) return text + " values";
  const std::string kinds = text + " " + kind_of(items.front()) + (items.size() == 1 ? "" : "s");
  return items.front().is_object() ? kinds + in_braces(items.front().get_object(), [](const value&) { return ""; })
                                   : kinds;
}

std::string small_shape(const value& item) {
  if (const auto* items = item.if_array()) return ": " + of_array(*items);
  if (item.is_object()) return ": object";
  if (const auto* text = item.if_string()) {
    if (text->size() > 100) return ": text of " + with_commas(text->size()) + " bytes";
  }
  return "";
}

}  // namespace

Result<value> parse_kept(std::string_view json) {
  mcp::json::parse_options options;
  options.max_depth = 1000;
  mcp::json::error_code wrong;
  value tree = mcp::json::parse({json.data(), json.size()}, wrong, {}, options);
  if (wrong) return Failure{ErrorCode::kProtocol, "the stored outcome of this run cannot be read: " + wrong.message()};
  return tree;
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, ",");
  return text;
}

std::string shape_of_json(const value& item) {
  if (const auto* items = item.if_array()) return of_array(*items);
  if (const auto* members = item.if_object()) return "object" + in_braces(*members, small_shape);
  if (const auto* text = item.if_string()) return "text of " + with_commas(text->size()) + " bytes";
  return kind_of(item);
}

}  // namespace glovebox::agent_tools
