// Runner: what runs code. The Sandbox, or a test's own.
#pragma once

#include <functional>

#include "glovebox/sandbox.h"

namespace glovebox::gateway {

class Runner {
 public:
  virtual ~Runner() = default;
  // `done` is called once, on any thread. Gives what cancels the run.
  virtual std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) = 0;
};

class SandboxRunner final : public Runner {
 public:
  explicit SandboxRunner(Sandbox& sandbox) : sandbox_(sandbox) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    return [run = sandbox_.submit(std::move(request), std::move(done))] { run.cancel(); };
  }

 private:
  Sandbox& sandbox_;
};

}  // namespace glovebox::gateway
