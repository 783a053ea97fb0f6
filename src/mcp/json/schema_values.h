// What a schema check asks about values: types, numbers, equality.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/json/json_tree.h"

namespace glovebox::mcp {

bool is_whole(const json::value& value);
// Exact for every number that JSON trees hold here: 64 bits of mantissa.
long double number(const json::value& value);
bool is_multiple(const json::value& value, const json::value& factor);
bool has_type(const json::value& value, std::string_view type);
// As JSON Schema compares: 1 and 1.0 are equal. Adds what it costs to `work`.
bool equal(const json::value& a, const json::value& b, std::size_t& work);
std::size_t code_points(const json::string& text);

// For messages.
std::string quoted(std::string_view text);
// Only the beginning is written: a value may be as large as the schema.
std::string shortened(const json::value& value);

}  // namespace glovebox::mcp
