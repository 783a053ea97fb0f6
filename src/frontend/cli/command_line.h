// The command line as a whole: which command, which options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace glovebox::frontend {

struct ExecOptions;

// What is run when a command was given.
class Commands {
 public:
  void add(const CLI::App* parsed, std::function<int()> run) { all_.emplace_back(parsed, std::move(run)); }
  // The innermost command of the line; kUsage when there is none.
  int run() const;

 private:
  std::vector<std::pair<const CLI::App*, std::function<int()>>> all_;
};

// A command that the program beside this one has: it links what this one is too light for.
struct NeighbourCommand {
  const char* name;
  const char* what;
};
std::span<const NeighbourCommand> neighbour_commands();

// glovebox: few libraries, a quick start. Other commands are passed on to glovebox-gateway, in the same folder.
int run_light_command_line(int argc, char** argv);

// glovebox-gateway: the same commands and those that `add_more` adds. `exec_with_servers` runs code whose config has
// MCP servers.
int run_command_line(int argc, char** argv, const std::function<void(CLI::App&, Commands&)>& add_more,
                     const std::function<int(const ExecOptions&)>& exec_with_servers);

}  // namespace glovebox::frontend
