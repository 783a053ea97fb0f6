// Runner: runs code. Implemented by SandboxRunner, or by a test.
#pragma once

#include <functional>
#include <utility>

#include "glovebox/sandbox.h"

namespace glovebox::gateway {

class Runner {
 public:
  virtual ~Runner() = default;
  // `done` is called once, on any thread. Returns a function that cancels the run.
  virtual std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) = 0;
  // The same for a workflow's task: one that merely calls a tool may go without a guest.
  virtual std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) {
    return submit(std::move(request), std::move(done));
  }
};

}  // namespace glovebox::gateway
