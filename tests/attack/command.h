// Runs a program to its end, or starts one to be killed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace glovebox::attack {

struct CommandResult {
  int exit_code = -1;  // 128 + the signal when one ended it
  std::string output;
  std::string errors;
};

// The first word is a path, or a name to be found in PATH. Killed after five minutes.
CommandResult run_command(const std::vector<std::string>& words);

// A child of this process that is killed and reaped when this object is destroyed, at the latest.
class Background {
 public:
  explicit Background(const std::vector<std::string>& words);
  ~Background();
  Background(const Background&) = delete;
  pid_t pid() const { return pid_; }
  void kill_and_reap();

 private:
  pid_t pid_ = -1;
};

std::string glovebox_program();

}  // namespace glovebox::attack
