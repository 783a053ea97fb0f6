// A test's own Sandbox, and its processes as seen from outside.
#pragma once

#include <sys/types.h>

#include <future>
#include <set>
#include <vector>

#include "glovebox/sandbox.h"
#include "oracle/program_file.h"

namespace glovebox::attack {

// A run that is under way.
struct Underway {
  Run run;
  std::future<Outcome> outcome;
};

// Starts a run and waits for its first log line: from then on it executes code. A run that times out before, on a busy
// machine, is started again with more time.
Underway start_run(Sandbox& sandbox, RunRequest request);

class OwnSandbox {
 public:
  // Started and warm. Throws std::runtime_error if that fails.
  explicit OwnSandbox(GuestKind kind, std::size_t pool_size, Reuse reuse = Reuse::kFresh);

  Sandbox& sandbox() { return *sandbox_; }
  // The current zygote, 0 if there is none.
  pid_t zygote() const;
  std::vector<pid_t> guests() const;
  // The only guest. Waits until there is exactly one.
  pid_t only_guest() const;

 private:
  std::set<pid_t> others_;  // children of this process that are not ours
  std::optional<Sandbox> sandbox_;
};

}  // namespace glovebox::attack
