// Runner: runs the code of a gateway. SandboxRunner uses guests of a Sandbox, and none for a task that merely calls a
// tool; tests have others.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::gateway {

class DirectRuns;

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

class SandboxRunner final : public Runner {
 public:
  // What a run with these grants must not write to, as of now; empty: nothing beyond what is known by name.
  using OwnPaths = std::function<std::vector<std::string>(const SandboxConfig&)>;
  // At most `most_direct` runs without a guest at once; further ones queue for a guest.
  explicit SandboxRunner(Sandbox& sandbox, OwnPaths own_paths = {}, std::size_t most_direct = 128);
  ~SandboxRunner() override;

  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override;
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override;

 private:
  Sandbox& sandbox_;
  OwnPaths own_paths_;
  std::unique_ptr<DirectRuns> direct_;
};

}  // namespace glovebox::gateway
