// `glovebox serve`: MCP for agents, on standard input and output or over HTTP.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

class Command;
void add_serve_command(Command& app);

struct ServeOptions {
  WorkspaceFlags workspace;
  std::string http;  // ADDRESS:PORT, or PORT; empty: standard input and output
  std::string via;   // another place, whose gateway is used
  std::string role;  // server; empty or local: everything runs here
  bool open = false;
  bool no_pii_protection = false;
  bool no_cache = false;
  std::string degraded;  // names with commas between
  std::string certificate;
  std::string key;
  std::string log_level = "info";
  std::string log_format = "auto";
};

// The exit code.
int run_serve(const ServeOptions& options);

}  // namespace glovebox::cli
