// Definitions of tools as servers list them: untrusted text, read with bounds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"

namespace glovebox::catalog {

// sha256-… in base64.
std::string sha256_text(std::string_view bytes);

// The pinned part of a tool: name, description, input and output schema, as JSON with sorted keys. Annotations are not
// in it: they are hints, and servers change them from one connection to the next.
std::string pinned_definition(const Tool& tool);

// One tool from its JSON text; its state and reason say what is wrong with it.
Tool read_tool(const std::string& server, std::string_view text);

// All tools of a server, in its order, with hashes and aliases. A name that occurs twice belongs to the first.
std::vector<Tool> read_tools(const std::string& server, const std::vector<std::string>& texts, std::size_t most);

}  // namespace glovebox::catalog
