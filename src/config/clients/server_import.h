// MCP servers of another program's config file, converted into ours. Values that may be secret are not: they go into a
// file that only its owner can read, and ours refers to them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

struct ImportedServer {
  std::string name;  // the key in that file
  std::string json;  // an object of keys that we know, without secrets
  // For an environment file: what the server gets as variables, or what `json` refers to as ${NAME}.
  std::map<std::string, std::string> secrets;
};

struct ServerImport {
  std::vector<ImportedServer> servers;
  std::vector<std::string> notes;  // what was left out, and what should be done differently
};

// From Claude Desktop, Claude Code, Cursor and Gemini CLI (mcpServers), VS Code (servers, and mcp.servers in its
// settings), Zed (context_servers), OpenCode (mcp), and Codex (mcp_servers) if `path` ends with .toml. Of the servers
// that Claude Code keeps per project, those for the folder `project`.
Result<ServerImport, JsonProblem> servers_to_import(std::string_view text, const std::string& path,
                                                    const std::string& project = {});

}  // namespace glovebox::config
