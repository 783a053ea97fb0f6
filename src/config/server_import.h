// MCP servers of another program's config file, as they go into ours.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

struct ImportedServer {
  std::string name;  // the key as it stands there
  std::string json;  // an object of keys that we know
};

struct ServerImport {
  std::vector<ImportedServer> servers;
  std::vector<std::string> notes;  // what was left out, and what is better done otherwise
};

// From Claude Desktop and Cursor (mcpServers), VS Code (servers, and mcp.servers in its settings).
Result<ServerImport, JsonProblem> servers_to_import(std::string_view text);

}  // namespace glovebox::config
