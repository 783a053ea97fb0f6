// Child: another program that works for us, from its start until nothing of it is left.
//
// Between us and the program stands a keeper (base/keeper.h). Whatever ends first, the program, our wish for it or
// this whole process, the keeper kills the program, its process group and every descendant. It watches our process and
// not a thread of it, so a Child may be started on any thread and that thread may end.
//
// The program gets: its arguments as they are (no shell), the environment that is given and nothing else, a session of
// its own, no descriptor but the standard streams, all signals at their defaults, no core files and no new privileges
// (a set-user-id program runs without its owner's rights).
//
// What remains: a program with the rights to start work elsewhere (a service manager, a container daemon, cron) can
// leave that behind, and one that kills its own keeper leaves those behind that have left its process group. On a
// kernel without /proc/PID/task/TID/children only the process group is killed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::base {

struct ChildSpec {
  std::string program;                   // a path
  std::vector<std::string> arguments;    // the program's own name first
  std::vector<std::string> environment;  // NAME=value
  UniqueFd folder;                       // where it starts; none: where we are. O_PATH is enough
  std::string input;                     // what it reads; nothing: /dev/null
  bool feed = false;                     // it reads what we write, instead of `input`
  bool keep_out = true;                  // a pipe to us, or /dev/null
  bool keep_err = true;
};

// How it ended: exactly one of the three is meant.
struct ChildEnd {
  int code = 0;            // exit code, when neither of the others is set
  int signal = 0;          // what killed it
  int start_error = 0;     // errno: it never ran
  bool in_folder = false;  // start_error is about the folder
};

class Child {
 public:
  // Fails when the machine has no room for another process. That the program cannot be executed shows in its end.
  static Result<Child> start(ChildSpec spec);

  Child(Child&& other) noexcept = default;
  Child& operator=(Child&& other) = delete;
  // Kills, waits and reaps.
  ~Child();

  // Pipe ends that do not block, to be read until end of file. Not valid if the stream was not kept.
  UniqueFd take_out() { return std::move(out_); }
  UniqueFd take_err() { return std::move(err_); }
  // The end that we write to, if that was wanted. It does not block, and the program sees its end when it is closed.
  UniqueFd take_in() { return std::move(in_); }

  // A pidfd that becomes readable when the program has ended and all it has started is gone.
  int end_fd() const { return pidfd_.get(); }

  // Asks for the end, and returns at once.
  void kill();
  // For when that has no effect, because the program stopped or killed its keeper: does the keeper's work as far as
  // that is possible from outside.
  void kill_hard();
  // Waits for the end if it has not come yet.
  ChildEnd reap();

 private:
  Child(UniqueFd control, UniqueFd pidfd, UniqueFd in, UniqueFd out, UniqueFd err);
  void read_reports();
  bool ended_within(int milliseconds) const;

  UniqueFd control_;
  UniqueFd pidfd_;
  UniqueFd in_;
  UniqueFd out_;
  UniqueFd err_;
  pid_t command_ = 0;  // as long as it is known to be there
  std::optional<ChildEnd> end_;
};

}  // namespace glovebox::base
