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
  // The same of a workflow's task: one that is a mere call of a tool may go without a guest.
  virtual std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) {
    return submit(std::move(request), std::move(done));
  }
};

class SandboxRunner final : public Runner {
 public:
  // What a run with these grants may not write to, as it is now; empty: nothing beyond what is known by name.
  using OwnPaths = std::function<std::vector<std::string>(const SandboxConfig&)>;
  // Of runs without a guest at most `most_direct` are under way; further ones wait in line for a guest.
  explicit SandboxRunner(Sandbox& sandbox, OwnPaths own_paths = {}, std::size_t most_direct = DirectRuns::kMostRuns)
      : sandbox_(sandbox), own_paths_(std::move(own_paths)), direct_(most_direct) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    if (own_paths_) request.config.own_paths = own_paths_(request.config);
    return [run = sandbox_.submit(std::move(request), std::move(done))] { run.cancel(); };
  }
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override {
    auto call = DirectCall::in(request);
    auto place = call ? direct_.take_place() : nullptr;
    if (!place) return submit(std::move(request), std::move(done));
    return direct_.begin(std::move(request), std::move(*call), std::move(done), std::move(place));
  }

 private:
  Sandbox& sandbox_;
  OwnPaths own_paths_;
  DirectRuns direct_;
};

}  // namespace glovebox::gateway
