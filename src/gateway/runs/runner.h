// Runner: what runs code. The Sandbox, or a test's own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gateway/direct/direct_runs.h"
#include "glovebox/sandbox.h"

namespace glovebox::gateway {

class Runner {
 public:
  virtual ~Runner() = default;
  // `done` is called once, on any thread. Gives what cancels the run.
  virtual std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) = 0;
  // The same of a workflow's task, of which a bounded number is under way: one that is a mere call of a tool may go
  // without a guest.
  virtual std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) {
    return submit(std::move(request), std::move(done));
  }
};

class SandboxRunner final : public Runner {
 public:
  // What a run with these grants may not write to, as it is now; empty: nothing beyond what is known by name.
  using OwnPaths = std::function<std::vector<std::string>(const SandboxConfig&)>;
  explicit SandboxRunner(Sandbox& sandbox, OwnPaths own_paths = {})
      : sandbox_(sandbox), own_paths_(std::move(own_paths)) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    if (own_paths_) request.config.own_paths = own_paths_(request.config);
    return [run = sandbox_.submit(std::move(request), std::move(done))] { run.cancel(); };
  }
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override {
    auto call = DirectCall::in(request);
    if (!call) return submit(std::move(request), std::move(done));
    return direct_.begin(std::move(request), std::move(*call), std::move(done));
  }

 private:
  Sandbox& sandbox_;
  OwnPaths own_paths_;
  DirectRuns direct_;
};

}  // namespace glovebox::gateway
