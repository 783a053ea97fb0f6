// Many runs of one sandbox: cancelled, in line, and from many threads.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "base/proving.h"
#include "broker/sandbox_fixture.h"

namespace glovebox {
namespace {

// ---- Cancelling

TEST(Sandbox, CancelsARunInProgress) {
  Sandbox sandbox;
  Pending pending(sandbox, {.code = kLoopForever});
  pending.wait_until_it_speaks();
  pending.cancel();
  const Outcome outcome = pending.outcome();
  EXPECT_TRUE(std::holds_alternative<Crashed>(outcome.ending));
  EXPECT_EQ(code_of(outcome), "CANCELLED");
  ASSERT_EQ(outcome.logs.size(), 1u) << "what it said is kept";
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
}

TEST(Sandbox, CancelsARunThatWaitsInLine) {
  Sandbox sandbox({.pool_size = 0, .max_concurrent_runs = 1});
  Pending first(sandbox, {.code = kLoopForever});
  first.wait_until_it_speaks();
  Pending second(sandbox, {.code = "console.log('ran')"});
  second.cancel();
  const Outcome outcome = second.outcome();
  EXPECT_EQ(code_of(outcome), "CANCELLED");
  EXPECT_TRUE(outcome.logs.empty());
  EXPECT_FALSE(outcome.metrics.seed.empty()) << "even this run could be repeated";
  first.cancel();
  EXPECT_EQ(code_of(first.outcome()), "CANCELLED");
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
}

TEST(Sandbox, CancelsAtOnce) {
  Sandbox sandbox;
  for (int i = 0; i < 20; ++i) {
    Pending pending(sandbox, {.code = "for (;;) {}"});
    pending.cancel();
    EXPECT_EQ(code_of(pending.outcome()), "CANCELLED");
  }
}

TEST(Sandbox, CancelAfterTheEndChangesNothing) {
  Sandbox sandbox;
  Pending pending(sandbox, {.code = "return 5"});
  EXPECT_EQ(pending.outcome().result_json(), "5");
  pending.cancel();
  pending.cancel();
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
  EXPECT_EQ(pending.times_done(), 1);
}

TEST(Sandbox, CancelTwiceEndsOnce) {
  Sandbox sandbox;
  Pending pending(sandbox, {.code = kLoopForever});
  pending.wait_until_it_speaks();
  const glovebox::Run copy = pending.run();
  pending.cancel();
  copy.cancel();
  EXPECT_EQ(code_of(pending.outcome()), "CANCELLED");
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
  EXPECT_EQ(pending.times_done(), 1);
}

TEST(Sandbox, ARunHandleMayOutliveItsSandbox) {
  std::optional<glovebox::Run> run;
  {
    Sandbox sandbox;
    Pending pending(sandbox, {.code = "1"});
    run = pending.run();
    pending.outcome();
  }
  run->cancel();
  glovebox::Run().cancel();
}

// A thread may cancel while another destroys the sandbox.
TEST(Sandbox, CancelMayMeetDestruction) {
  const int rounds = base::is_proving() ? 100 : 10;  // each starts a zygote
  for (int round = 0; round < rounds; ++round) {
    auto sandbox = std::make_unique<Sandbox>(SandboxOptions{.pool_size = 0});
    Pending pending(*sandbox, {.code = "1"});
    pending.outcome();
    std::atomic<bool> go{false};
    std::thread canceller([&] {
      while (!go) {
      }
      for (int i = 0; i < 200; ++i) pending.cancel();
    });
    go = true;
    sandbox.reset();
    canceller.join();
  }
}

// ---- Many at once

TEST(Sandbox, ServesManyThreadsAtOnce) {
  Sandbox sandbox({.pool_size = 2, .max_concurrent_runs = 8});
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const std::string number = std::to_string(t * 1000 + i);
        const Outcome outcome =
            sandbox.run({.code = "console.log(context); return context * 2", .context_json = number});
        right += outcome.ok() && outcome.result_json() == std::to_string(2 * (t * 1000 + i)) &&
                 outcome.logs.size() == 1 && outcome.logs[0].text == number;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 100);
}

// Holds calls until the test answers them.
struct Gate : ToolHost {
  std::vector<ToolNamespace> tools() const override { return {{"gate", {"pass"}}}; }
  void call(ToolCall, ToolAnswer answer) override {
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(answer));
    changed.notify_all();
  }
  void end() override {}

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<ToolAnswer> waiting;
};

// Each run waits until it is let through, so that the number of concurrent runs does not depend on timing.
TEST(Sandbox, RunsNoMoreAtOnceThanAllowedAndKeepsTheOrder) {
  constexpr int kRuns = 8;
  const auto gate = std::make_shared<Gate>();
  std::mutex mutex;
  std::vector<int> started;
  int running = 0;
  int most = 0;
  std::vector<std::future<Outcome>> outcomes;
  Sandbox sandbox({.pool_size = 0, .max_concurrent_runs = 2});
  for (int i = 0; i < kRuns; ++i) {
    auto ended = std::make_shared<std::promise<Outcome>>();
    outcomes.push_back(ended->get_future());
    RunRequest request{.code = "console.log('started'); await mcp.gate.pass({}); return 1"};
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(10);
    request.tools = gate;
    request.on_log = [&, i](const LogLine&) {
      const std::lock_guard lock(mutex);
      started.push_back(i);
      most = std::max(most, ++running);
    };
    sandbox.submit(std::move(request), [&, ended](Outcome outcome) {
      {
        const std::lock_guard lock(mutex);
        --running;
      }
      ended->set_value(std::move(outcome));
    });
  }
  for (int left = kRuns; left > 0; --left) {
    std::unique_lock lock(gate->mutex);
    gate->changed.wait(lock, [&] { return gate->waiting.size() >= std::min<std::size_t>(2, left); });
    const ToolAnswer first = std::move(gate->waiting.front());
    gate->waiting.pop_front();
    lock.unlock();
    const auto value = std::make_shared<const std::string>("1");
    first.value(value, *value);
  }
  for (auto& outcome : outcomes) EXPECT_TRUE(outcome.get().ok());
  EXPECT_EQ(most, 2);
  ASSERT_EQ(started.size(), static_cast<std::size_t>(kRuns));
  // Two run side by side, so neighbours may swap; no run is overtaken by more than one.
  for (int i = 0; i < kRuns; ++i) EXPECT_LE(std::abs(started[static_cast<std::size_t>(i)] - i), 1) << "place " << i;
}

TEST(Sandbox, AlwaysHasRoomForOneRun) {
  Sandbox sandbox({.pool_size = 0, .max_concurrent_runs = 0});
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
}

TEST(Sandbox, MaySubmitFromItsOwnCallbacks) {
  Sandbox sandbox;
  std::promise<Outcome> ended;
  sandbox.submit({.code = "return 1"}, [&](Outcome first) {
    sandbox.submit({.code = "return context + 1", .context_json = first.result_json()},
                   [&](Outcome second) { ended.set_value(std::move(second)); });
  });
  EXPECT_EQ(ended.get_future().get().result_json(), "2");
}

}  // namespace
}  // namespace glovebox
