// A command that a guest requests, and its result.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::calls {

// As `new Deno.Command(program, options)`. Everything in it comes from the guest.
struct CommandRequest {
  std::string program;
  std::vector<std::string> arguments;
  std::string folder;  // cwd; empty: the gateway's own
  // `folder`, opened when the run's read access to it was checked; null: it has none. From then on the descriptor is
  // used instead of the path, so that the folder cannot be swapped after the check.
  std::shared_ptr<base::UniqueFd> opened_folder;
  std::vector<std::pair<std::string, std::string>> environment;  // set for the command, on top of what is granted
  bool clear_environment = false;                                // nothing but `environment`
  std::string input;                                             // standard input; empty: /dev/null
  bool keep_out = true;                                          // "piped", or "null"
  bool keep_err = true;
};

struct CommandOutput {
  int code = 0;        // as in a shell: 128 + the signal if one killed the program
  std::string signal;  // SIGKILL, …; empty when it exited by itself
  std::string out;     // bytes, not text
  std::string err;
};

struct CommandError {
  enum class Kind {
    kDenied,       // no grant for it; `message` is worded as in Deno
    kNotFound,     // granted, but there is no such program or folder
    kInvalid,      // an argument or variable that cannot be passed to a program
    kOutputLimit,  // it wrote more than it may, and was killed
    kTimedOut,     // it took longer than it may, and was killed
    kCancelled,    // the run is over, and it was killed
    kSystem,       // the kernel refused it; see error_number
  };
  Kind kind = Kind::kSystem;
  std::string message;
  int error_number = 0;
};

template <typename T>
using CommandResult = Result<T, CommandError>;

}  // namespace glovebox::calls
