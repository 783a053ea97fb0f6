// For tests: how many runs have been given a guest.
#pragma once

#include <functional>
#include <utility>

#include "gateway/runs/runner.h"

namespace glovebox::gateway {

class CountingRunner final : public Runner {
 public:
  explicit CountingRunner(Sandbox& sandbox) : runner_(sandbox) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    ++runs;
    return runner_.submit(std::move(request), std::move(done));
  }
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override {
    return runner_.submit_task(std::move(request), std::move(done));
  }
  int runs = 0;

 private:
  SandboxRunner runner_;
};

}  // namespace glovebox::gateway
