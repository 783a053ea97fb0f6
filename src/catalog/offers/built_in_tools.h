// What MCP offers beside tools, as tools of every server that offers it: `$read` is resources/read, `$prompt` is
// prompts/get. So they are judged, approved, recorded and limited like every other call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "mcp/client/client.h"

namespace glovebox::catalog {

inline constexpr std::string_view kReadTool = "$read";
inline constexpr std::string_view kPromptTool = "$prompt";

// The method that it calls; empty: it is one of the server's own tools.
std::string_view built_in_method(std::string_view name);

// A word that both languages can write: read_resource, get_prompt. Empty for all others.
std::string_view built_in_alias(std::string_view name);

// The definitions of a server's tools, and of those that its capabilities imply. What is left out is reported in
// `remarks`.
std::vector<std::string> with_built_ins(std::vector<std::string> tools, std::string_view capabilities,
                                        std::vector<std::string>& remarks);

// The value of such a call. For a resource that is one text it is that text, parsed where it is JSON; otherwise content
// blocks. For a prompt it is { description?, messages }.
Result<ToolResult, CallFailure> built_in_result(std::string_view name, mcp::CallReply reply);

}  // namespace glovebox::catalog
