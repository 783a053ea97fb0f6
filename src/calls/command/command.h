// A command as a guest asks for it, and what comes of it.
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
  // What `folder` was found to be when it was checked that the run may read it; none: it may not. The descriptor and
  // not the path is used from there on, so that nobody swaps the folder after the check.
  std::shared_ptr<base::UniqueFd> opened_folder;
  std::vector<std::pair<std::string, std::string>> environment;  // set for the command, on top of what is granted
  bool clear_environment = false;                                // nothing but `environment`
  std::string input;                                             // standard input; empty: /dev/null
  bool keep_out = true;                                          // "piped", or "null"
  bool keep_err = true;
};

struct CommandOutput {
  int code = 0;        // as a shell has it: 128 + the signal when one killed the program
  std::string signal;  // SIGKILL, …; empty when it exited by itself
  std::string out;     // bytes, not text
  std::string err;
};

struct CommandError {
  enum class Kind {
    kDenied,       // no grant for it; `message` in Deno's words
    kNotFound,     // granted, but there is no such program or folder
    kInvalid,      // no program can be started like that
    kOutputLimit,  // it wrote more than it may, and was killed
    kTimedOut,     // it took longer than it may, and was killed
    kCancelled,    // the run is over, and it was killed
    kSystem,       // what the kernel said; see error_number
  };
  Kind kind = Kind::kSystem;
  std::string message;
  int error_number = 0;
};

template <typename T>
using CommandResult = Result<T, CommandError>;

}  // namespace glovebox::calls
