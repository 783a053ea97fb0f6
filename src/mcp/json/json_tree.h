// Boost.JSON with our limits: for the small parts of messages whose content is needed.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::mcp {

namespace json = boost::json;

inline std::string_view view_of(json::string_view text) {
  return {text.data(), text.size()};
}

// A tree of `text`. Refuses what check_json refuses with unique keys: a tree keeps one of two equal keys, and another
// parser of the same text may keep the other.
Result<json::value> parse_tree(std::string_view text);
Result<json::object> parse_object(std::string_view text);

// Members by name, or nothing when missing or of another type.
const json::value* member(const json::object& object, std::string_view key);
const json::object* object_member(const json::object& object, std::string_view key);
const json::array* array_member(const json::object& object, std::string_view key);
std::optional<std::string> string_member(const json::object& object, std::string_view key);
std::optional<double> number_member(const json::object& object, std::string_view key);
bool true_member(const json::object& object, std::string_view key);

// The same text for equal trees: keys sorted, no spaces. For digests, which lock files hold: that is why its numbers
// stay as Boost writes them, and not as base::canonical_json does.
std::string sorted_json(const json::value& value);

}  // namespace glovebox::mcp
