// Findings about tools and servers that do not exist, with those that do: an agent fixes its program in one step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "glovebox/diagnostic.h"

namespace glovebox::code_check {

// A check's word for what is missing, in code that is no TypeScript.
inline constexpr const char* kUnknownTool = "UNKNOWN_TOOL";
inline constexpr const char* kUnknownServer = "UNKNOWN_SERVER";
std::string unknown_tool_message(const std::string& server, const std::string& tool);
std::string unknown_server_message(const std::string& server);

// The best tools of one server for what was meant, the best first; `done` is called once, in bounded time.
using SearchTools =
    std::function<void(std::string server, std::string words, std::function<void(std::vector<catalog::Tool>)> done)>;

// mcp.files.read({ path }), or mcp.files.read(path=...) in Python: what a call must have.
std::string call_form(const catalog::Catalog& catalog, const catalog::Tool& tool, bool python);

// Adds what to write instead to each such finding, then calls `done`.
void advise_on_tools(const std::shared_ptr<catalog::Catalog>& catalog, const SearchTools& search,
                     std::vector<Diagnostic> found, std::function<void(std::vector<Diagnostic>)> done);

}  // namespace glovebox::code_check
