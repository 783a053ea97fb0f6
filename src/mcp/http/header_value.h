// Header fields that mirror parts of a message (2026-07-28): how values are encoded, and which arguments are mirrored.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::mcp {

// The text of a header field for `value`: itself, or =?base64?…?= where it cannot be sent as it is.
std::string header_value(std::string_view value);

// The value that a header field's text stands for; nothing when the text is malformed.
std::optional<std::string> from_header_value(std::string_view text);

// An argument of a tool that is mirrored as Mcp-Param-<name>.
struct MirroredArgument {
  std::string header;             // the part after Mcp-Param-
  std::vector<std::string> path;  // the properties that lead to it
  std::string type;               // string, integer or boolean
};

// The mirrored arguments that an input schema declares with x-mcp-header. Fails when a declaration breaks the rules:
// such a tool must not be used over HTTP.
Result<std::vector<MirroredArgument>> mirrored_arguments(const boost::json::object& input_schema);

// The value that the header field must have for these arguments; nothing when the argument is missing or null.
std::optional<std::string> mirrored_value(const MirroredArgument& argument, const boost::json::object& arguments);

// Whether a field's decoded text equals the argument: whole numbers are compared as numbers.
bool mirrors(const MirroredArgument& argument, std::string_view decoded, std::string_view expected);

}  // namespace glovebox::mcp
