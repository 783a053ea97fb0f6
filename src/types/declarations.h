// Tools as TypeScript: what agents read before they write code, and what their code is checked against.
//
// Names, descriptions and schemas are untrusted. Whatever they hold, the text here parses, declares these tools and
// nothing else, and is bounded by the size of the input; what TypeScript cannot express becomes `any`, with a comment.
#pragma once

#include <string>
#include <vector>

#include "types/part.h"

namespace glovebox::types {

struct ToolShape {
  std::string server;
  std::string server_alias;  // camelCase, or empty
  std::string name;          // the server's name for it
  std::string alias;         // camelCase, or empty
  std::string description;
  std::string input_schema;                       // JSON
  std::string output_schema;                      // JSON, or empty
  std::string source{};                           // the server in the config, if `server` is only a name for a part
  std::vector<std::string> other_names{};         // by which code may call it as well; not shown to agents
  std::vector<std::string> other_server_names{};  // likewise
};

// A server whose tools are not all known: any name can be called in it.
struct OpenServer {
  std::string name;
  std::string alias;      // camelCase, or empty
  bool is_global = true;  // false: only `mcp` has it
};

// What code writes before the arguments, with aliases where there are some: mcp.files.readFile, mcp["my files"].read.
std::string call_of(const ToolShape& tool);

// One signature, as code would call the tool: mcp.files.read(args: { path: string }): Promise<any>. The types that it
// refers to follow on lines of their own.
std::string declare_tool(const ToolShape& tool, Form form, const AskForPart& ask);

// The text that checking uses: `mcp`, the servers that are globals, and all types that these need.
std::string declare_all(const std::vector<ToolShape>& tools, Form form, const AskForPart& ask,
                        const std::vector<OpenServer>& open = {});

// Who wrote the schemas of a tool.
const std::string& source_of(const ToolShape& tool);

}  // namespace glovebox::types
