// glovebox serve: MCP for agents, on standard input and output or over HTTP.
#pragma once

#include <string>

#include "frontend/gateway_cli/workspace.h"

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_serve_command(CLI::App& app, Commands& commands);

struct ServeOptions {
  WorkspaceFlags workspace;
  std::string http;  // ADDRESS:PORT, or PORT; empty: standard input and output
  bool open = false;
  std::string certificate;
  std::string key;
};

// The exit code.
int run_serve(const ServeOptions& options);

}  // namespace glovebox::frontend
