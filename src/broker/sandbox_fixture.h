// A run whose outcome and first log line can be waited for.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "glovebox/sandbox.h"

namespace glovebox {

using std::chrono::milliseconds;

inline constexpr const char* kLoopForever = "console.log('started'); for (;;) {}";

inline std::string code_of(const Outcome& outcome) {
  return outcome.error() ? outcome.error()->code.text() : "ok";
}

// A submitted run; its Outcome and its first log line can be waited for.
class Pending {
 public:
  Pending(Sandbox& sandbox, RunRequest request) {
    request.on_log = [state = state_](const LogLine&) {
      if (!state->has_spoken.exchange(true)) state->spoke.set_value();
    };
    run_ = sandbox.submit(std::move(request), [state = state_](Outcome outcome) {
      ++state->times_done;
      state->outcome.set_value(std::move(outcome));
    });
  }
  void wait_until_it_speaks() { state_->spoke.get_future().wait(); }
  Outcome outcome() { return state_->outcome.get_future().get(); }
  void cancel() const { run_.cancel(); }
  const Run& run() const { return run_; }
  int times_done() const { return state_->times_done; }

 private:
  struct State {
    std::promise<void> spoke;
    std::atomic<bool> has_spoken{false};
    std::promise<Outcome> outcome;
    std::atomic<int> times_done{0};
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  Run run_;
};

}  // namespace glovebox
