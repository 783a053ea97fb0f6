// The command line: its commands and their options.
#pragma once

#include <functional>

namespace glovebox::cli {

class Command;
struct ExecOptions;

// glovebox: few libraries, a quick start. Other commands are passed on to glovebox-gateway, in the same folder.
int run_light_command_line(int argc, char** argv);

// glovebox-gateway: the same commands and those that `add_more` adds. `exec_with_servers` runs code whose config has
// MCP servers.
int run_command_line(int argc, char** argv, const std::function<void(Command&)>& add_more,
                     const std::function<int(const ExecOptions&)>& exec_with_servers);

}  // namespace glovebox::cli
