// For tests: counts runs that were given a guest. Guests can be made to fail.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "gateway/direct/sandbox_runner.h"

namespace glovebox::gateway {

class CountingRunner final : public Runner {
 public:
  explicit CountingRunner(Sandbox& sandbox) : runner_(sandbox) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    ++runs;
    return runner_.submit(std::move(request), [this, done = std::move(done), breaks = breaks](Outcome outcome) {
      if (breaks) outcome.ending = Crashed{*breaks};
      done(std::move(outcome));
      ++ended;
    });
  }
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override {
    return runner_.submit_task(std::move(request), std::move(done));
  }
  int runs = 0;
  std::atomic<int> ended = 0;      // their ends are posted by then
  std::optional<RunError> breaks;  // how guests end, whatever they did

 private:
  SandboxRunner runner_;
};

}  // namespace glovebox::gateway
