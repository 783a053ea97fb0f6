// Pictures, sounds and files in what a program returned, as content blocks. A model cannot read base64: they reach the
// client as blocks of the answer, and a mark such as "[image 1: 800×600 png]" replaces them in the result.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json/json_tree.h"

namespace glovebox::agent_tools {

// What one answer carries at most, as base64; more is named and not shown.
inline constexpr std::size_t kMostBlockBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMostBlocks = 20;

// Whether a JSON text may hold some, by a search of the text alone.
bool may_have_media(std::string_view json);

// The JSON text without them, which are added to `blocks`; the same text where there are none.
std::string without_media(std::string_view json, std::vector<std::string>& blocks);

// Takes them out of the value, and gives them in the order of their marks: JSON objects.
std::vector<std::string> take_media(mcp::json::value& value);

}  // namespace glovebox::agent_tools
