#include "mcp/http/header_value.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "base/characters/ascii.h"
#include "base/try.h"
#include "mcp/json/base64.h"
#include "mcp/json/json_tree.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr std::string_view kPrefix = "=?base64?";
constexpr std::string_view kSuffix = "?=";
constexpr double kLargestSafeInteger = 9007199254740991.0;
// Headers of one tool, and bytes of the names on the way to one. Each header keeps its whole way, so that thousands
// beneath a long name would repeat it thousands of times.
constexpr std::size_t kMostMirrored = 64;
constexpr std::size_t kMostPathBytes = 4096;

bool is_sentinel(std::string_view text) {
  return text.size() >= kPrefix.size() + kSuffix.size() && text.substr(0, kPrefix.size()) == kPrefix &&
         text.substr(text.size() - kSuffix.size()) == kSuffix;
}

bool is_field_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '\t' || (c >= 0x20 && c <= 0x7E); });
}

Failure broken_mirror(const std::string& what) {
  return {ErrorCode::kInvalidArgument, "x-mcp-header " + what};
}

struct Walk {
  std::vector<MirroredArgument> found;
  std::set<std::string> names;
  std::vector<std::string> path;

  // `reachable`: only `properties` lie between the root and here.
  Result<void> visit(const json::value& node, bool reachable, int depth) {
    if (depth > kMaxMessageDepth) return broken_mirror("is nested too deeply");
    if (const json::array* items = node.if_array()) {
      for (const json::value& item : *items) GLOVEBOX_TRY_VOID(visit(item, false, depth + 1));
      return {};
    }
    const json::object* schema = node.if_object();
    if (!schema) return {};
    if (const json::value* name = member(*schema, "x-mcp-header"))
      GLOVEBOX_TRY_VOID(declare(*schema, *name, reachable));
    for (const auto& [key, value] : *schema) {
      if (key == "properties" && value.is_object()) {
        for (const auto& [property, sub] : value.get_object()) {
          path.emplace_back(property.data(), property.size());
          GLOVEBOX_TRY_VOID(visit(sub, reachable, depth + 1));
          path.pop_back();
        }
        continue;
      }
      // Examples, constants and defaults are values, not schemas.
      if (key == "const" || key == "enum" || key == "default" || key == "examples" || key == "x-mcp-header") continue;
      GLOVEBOX_TRY_VOID(visit(value, false, depth + 1));
    }
    return {};
  }

  Result<void> declare(const json::object& schema, const json::value& name, bool reachable) {
    if (!name.is_string()) return broken_mirror("is not a string");
    const std::string header(name.get_string().data(), name.get_string().size());
    if (!base::is_http_token(header)) return broken_mirror("\"" + header + "\" is not a header name");
    if (!reachable || path.empty()) return broken_mirror("\"" + header + "\" is not on a plain property");
    const auto type = string_member(schema, "type");
    if (!type || (*type != "string" && *type != "integer" && *type != "boolean"))
      return broken_mirror("\"" + header + "\" is not on a string, an integer or a boolean");
    if (!names.insert(base::lower_case(header)).second) return broken_mirror("\"" + header + "\" appears twice");
    std::size_t bytes = 0;
    for (const std::string& step : path) bytes += step.size();
    if (found.size() >= kMostMirrored) return broken_mirror("appears too often");
    if (bytes > kMostPathBytes) return broken_mirror("is on a property whose name is too long");
    found.push_back({header, path, *type});
    return {};
  }
};

}  // namespace

std::string header_value(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!value.empty() && is_field_text(value) && !blank(value.front()) && !blank(value.back()) && !is_sentinel(value))
    return std::string(value);
  return std::string(kPrefix) + base64(value) + std::string(kSuffix);
}

std::optional<std::string> from_header_value(std::string_view text) {
  if (!is_field_text(text)) return std::nullopt;
  if (!is_sentinel(text)) return std::string(text);
  return from_base64(text.substr(kPrefix.size(), text.size() - kPrefix.size() - kSuffix.size()));
}

Result<std::vector<MirroredArgument>> mirrored_arguments(const json::object& input_schema) {
  Walk walk;
  GLOVEBOX_TRY_VOID(walk.visit(json::value(input_schema), true, 1));
  return std::move(walk.found);
}

std::optional<std::string> mirrored_value(const MirroredArgument& argument, const json::object& arguments) {
  const json::object* at = &arguments;
  for (std::size_t i = 0; i + 1 < argument.path.size() && at; ++i) at = object_member(*at, argument.path[i]);
  const json::value* value = at ? member(*at, argument.path.back()) : nullptr;
  if (!value || value->is_null()) return std::nullopt;
  if (value->is_string()) return std::string(value->get_string().data(), value->get_string().size());
  if (value->is_bool()) return value->get_bool() ? "true" : "false";
  if (value->is_int64()) return std::to_string(value->get_int64());
  if (value->is_uint64()) return std::to_string(value->get_uint64());
  if (value->is_double()) {
    const double number = value->get_double();
    if (number == std::floor(number) && std::abs(number) <= kLargestSafeInteger)
      return std::to_string(static_cast<long long>(number));
  }
  return std::nullopt;
}

bool mirrors(const MirroredArgument& argument, std::string_view decoded, std::string_view expected) {
  if (decoded == expected) return true;
  if (argument.type != "integer" || decoded.empty() || decoded.size() > 32) return false;
  const std::string text(decoded);
  if (text.find_first_not_of("-+.0123456789eE") != std::string::npos) return false;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' && std::abs(number) <= kLargestSafeInteger && number == std::floor(number) &&
         std::to_string(static_cast<long long>(number)) == expected;
}

}  // namespace glovebox::mcp
