// The library as its users call it, with real guests.
#include "glovebox/sandbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "base/proving.h"
#include "wire/limits.h"

namespace glovebox {
namespace {

using std::chrono::milliseconds;

constexpr const char* kLoopForever = "console.log('started'); for (;;) {}";

std::string code_of(const Outcome& outcome) {
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

// ---- One run

TEST(Sandbox, RunsCode) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = "return context.a + 1", .context_json = R"({"a": 41})"});
  ASSERT_TRUE(outcome.ok()) << to_json(outcome);
  EXPECT_EQ(outcome.result_json(), "42");
  EXPECT_TRUE(outcome.logs.empty());
  EXPECT_TRUE(outcome.degraded.empty());
}

TEST(Sandbox, RunsBothLanguages) {
  Sandbox sandbox;
  EXPECT_EQ(sandbox.run({.code = "const a: number = 1; return a", .language = Language::kTypeScript}).result_json(),
            "1");
  const Outcome types_in_javascript =
      sandbox.run({.code = "const a: number = 1; return a", .language = Language::kJavaScript});
  ASSERT_FALSE(types_in_javascript.ok());
  EXPECT_EQ(types_in_javascript.error()->type, ErrorType::kSyntaxError);
}

TEST(Sandbox, ShowsTheNameInStacks) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = "\nthrow new Error('x')", .name = "rëport.ts"});
  EXPECT_EQ(outcome.error()->stack, "Error: x\n    at rëport.ts:2:7");
  ASSERT_TRUE(outcome.error()->position);
  EXPECT_EQ(outcome.error()->position->line, 2);
  EXPECT_EQ(outcome.error()->position->column, 7);
}

TEST(Sandbox, EndsEachWayWithItsOwnType) {
  Sandbox sandbox;
  EXPECT_TRUE(std::holds_alternative<Finished>(sandbox.run({.code = "1"}).ending));
  EXPECT_TRUE(std::holds_alternative<Failed>(sandbox.run({.code = "throw 1"}).ending));
  EXPECT_TRUE(std::holds_alternative<Failed>(sandbox.run({.code = "?"}).ending));
  EXPECT_TRUE(std::holds_alternative<Denied>(sandbox.run({.code = "Deno.readTextFileSync('/etc/passwd')"}).ending));
  EXPECT_TRUE(std::holds_alternative<LimitHit>(
      sandbox.run({.code = "for (;;) {}", .config = {.timeout = milliseconds(50)}}).ending));
  EXPECT_TRUE(std::holds_alternative<LimitHit>(
      sandbox.run({.code = "for (const a = [];;) a.push(a.slice())", .config = {.memory_bytes = 32 * wire::kMiB}})
          .ending));
  EXPECT_TRUE(std::holds_alternative<Crashed>(sandbox.run({.code = "1", .context_json = "{"}).ending));
}

TEST(Sandbox, KeepsTheLogsOfARunThatRanOutOfTime) {
  Sandbox sandbox;
  // Seconds for what takes milliseconds, so that the code gets that far even on a busy machine.
  const Outcome outcome =
      sandbox.run({.code = "console.log('a'); console.error('b'); await new Promise((r) => setTimeout(r, 1e9))",
                   .config = {.timeout = milliseconds(5'000)}});
  EXPECT_EQ(code_of(outcome), "EXECUTION_TIMEOUT");
  ASSERT_EQ(outcome.logs.size(), 2u);
  EXPECT_EQ(outcome.logs[0].text, "a");
  EXPECT_EQ(outcome.logs[0].level, LogLevel::kLog);
  EXPECT_EQ(outcome.logs[1].text, "b");
  EXPECT_EQ(outcome.logs[1].level, LogLevel::kError);
}

TEST(Sandbox, MeasuresHowLateItPolled) {
  Sandbox sandbox;
  constexpr milliseconds kTime{5'000}, kLate{100};
  RunRequest request{.code = "console.log('here'); await new Promise((r) => setTimeout(r, 1e9))",
                     .config = {.timeout = kTime}};
  // This blocks the thread that polls.
  request.on_log = [&](const LogLine&) { std::this_thread::sleep_for(kTime + kLate); };
  const Outcome outcome = sandbox.run(std::move(request));
  EXPECT_EQ(code_of(outcome), "EXECUTION_TIMEOUT");
  EXPECT_GT(outcome.metrics.poll_late_ms, kTime.count());
  EXPECT_LE(outcome.metrics.poll_late_ms, outcome.metrics.execution_ms);
}

TEST(Sandbox, LimitsCpuTimeApartFromTheWallClock) {
  Sandbox sandbox;
  EXPECT_EQ(code_of(sandbox.run({.code = "for (;;) {}", .config = {.cpu = milliseconds(50)}})), "CPU_LIMIT");
  // Sleeping costs no CPU time.
  EXPECT_EQ(code_of(sandbox.run({.code = "await new Promise((r) => setTimeout(r, 2000)); return 1",
                                 .config = {.cpu = milliseconds(1'500)}})),
            "ok");
}

TEST(Sandbox, PassesAMegabyteInAndOut) {
  Sandbox sandbox;
  const std::string large = "\"" + std::string(10 << 20, 'x') + "\"";
  const Outcome outcome = sandbox.run({.code = "return context", .context_json = large});
  ASSERT_TRUE(outcome.ok()) << code_of(outcome);
  EXPECT_EQ(outcome.result_json(), large);
  EXPECT_EQ(outcome.metrics.result_bytes, large.size());
}

// ---- Requests that cannot be run

struct BadRequest {
  const char* name;
  RunRequest request;
  const char* code;
  const char* part_of_message;
};

TEST(Sandbox, RefusesInvalidRequestsAndSaysWhy) {
  const auto with = [](auto change) {
    RunRequest request{.code = "1"};
    change(request);
    return request;
  };
  using R = RunRequest;
  const BadRequest requests[] = {
      {"context", with([](R& r) { r.context_json = "{"; }), "INVALID_REQUEST", "context: not valid JSON"},
      {"two values", with([](R& r) { r.context_json = "1,\"code\":2"; }), "INVALID_REQUEST", "context"},
      {"empty context", with([](R& r) { r.context_json = ""; }), "INVALID_REQUEST", "context"},
      {"long name", with([](R& r) { r.name = std::string(wire::kMaxNameBytes + 1, 'n'); }), "INVALID_REQUEST", "name"},
      {"name bytes", with([](R& r) { r.name = "\xff"; }), "INVALID_REQUEST", "name"},
      {"long seed", with([](R& r) { r.seed = std::string(wire::kMaxSeedBytes + 1, 's'); }), "INVALID_REQUEST", "seed"},
      {"seed bytes", with([](R& r) { r.seed = "\xff"; }), "INVALID_REQUEST", "seed"},
      {"no time", with([](R& r) { r.config.timeout = milliseconds(0); }), "INVALID_REQUEST", "timeout"},
      {"negative time", with([](R& r) { r.config.timeout = milliseconds(-5); }), "INVALID_REQUEST", "timeout"},
      {"no cpu", with([](R& r) { r.config.cpu = milliseconds(0); }), "INVALID_REQUEST", "cpu"},
      {"little memory", with([](R& r) { r.config.memory_bytes = wire::kMinMemoryBytes - 1; }), "INVALID_REQUEST",
       "memory"},
      {"much memory", with([](R& r) { r.config.memory_bytes = ~std::size_t{0}; }), "INVALID_REQUEST", "memory"},
      {"output", with([](R& r) { r.config.max_output_bytes = wire::kMaxFrameBytes; }), "INVALID_REQUEST", "output"},
      {"clock", with([](R& r) { r.now_ms = INT64_MAX; }), "INVALID_REQUEST", "now"},
      {"empty path", with([](R& r) {
         r.config.allow_read = {"/tmp", ""};
       }),
       "INVALID_REQUEST", "path"},
      {"path of bytes", with([](R& r) { r.config.allow_write = {std::string("/a\0b", 4)}; }), "INVALID_REQUEST",
       "path"},
      {"host", with([](R& r) { r.config.allow_net = {"a b"}; }), "INVALID_REQUEST", "a b"},
      {"large source", with([](R& r) { r.code = std::string(wire::kMaxSourceBytes + 1, ' '); }), "SOURCE_TOO_LARGE",
       "limit"},
      {"source bytes", with([](R& r) { r.code = "'\xff'"; }), "SYNTAX_ERROR", "UTF-8"},
      {"large context", with([](R& r) { r.context_json = "\"" + std::string(60 << 20, 'x') + "\""; }),
       "CONTEXT_TOO_LARGE", "limit"},
  };
  Sandbox sandbox;
  for (const BadRequest& bad : requests) {
    const Outcome outcome = sandbox.run(bad.request);
    ASSERT_FALSE(outcome.ok()) << bad.name;
    EXPECT_EQ(outcome.error()->code.text(), bad.code) << bad.name;
    EXPECT_NE(outcome.error()->message.find(bad.part_of_message), std::string::npos)
        << bad.name << ": " << outcome.error()->message;
  }
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok()) << "none of them spoils the next run";
}

// The natural way to say "no limit" must not wrap around.
TEST(Sandbox, TakesTheLongestTimeThereIs) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = "await new Promise((r) => setTimeout(r, 20)); return 1",
                                       .config = {.timeout = milliseconds::max(), .cpu = milliseconds::max()}});
  EXPECT_EQ(code_of(outcome), "ok");
}

// ---- Logs as they come

TEST(Sandbox, StreamsLogsInOrderBeforeTheOutcome) {
  Sandbox sandbox;
  std::vector<std::string> streamed;
  std::vector<std::string> at_the_end;
  std::set<std::thread::id> threads;
  std::promise<Outcome> ended;
  RunRequest request{.code = "for (let i = 0; i < 500; i++) console.log('line ' + i); return 1"};
  request.on_log = [&](const LogLine& line) {
    streamed.push_back(line.text);
    threads.insert(std::this_thread::get_id());
  };
  sandbox.submit(std::move(request), [&](Outcome outcome) {
    at_the_end = streamed;
    threads.insert(std::this_thread::get_id());
    ended.set_value(std::move(outcome));
  });
  const Outcome outcome = ended.get_future().get();
  ASSERT_TRUE(outcome.ok());
  ASSERT_EQ(at_the_end.size(), 500u) << "every line came before the outcome";
  for (int i = 0; i < 500; ++i) EXPECT_EQ(at_the_end[static_cast<std::size_t>(i)], "line " + std::to_string(i));
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
  std::vector<std::string> kept;
  for (const LogLine& line : outcome.logs) kept.push_back(line.text);
  EXPECT_EQ(kept, at_the_end);
}

TEST(Sandbox, StreamsWhileTheCodeStillRuns) {
  Sandbox sandbox;
  Pending pending(sandbox, {.code = kLoopForever});
  pending.wait_until_it_speaks();
  pending.cancel();
  EXPECT_EQ(code_of(pending.outcome()), "CANCELLED");
}

TEST(Sandbox, TruncatesLogsAtTheirLimit) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = "for (let i = 0; i < 1000; i++) console.log('0123456789'); return 'end'",
                                       .config = {.max_log_bytes = 1000}});
  ASSERT_TRUE(outcome.ok()) << code_of(outcome);
  EXPECT_TRUE(outcome.metrics.logs_truncated);
  EXPECT_LE(outcome.metrics.log_bytes, 1000u);
  EXPECT_LE(outcome.logs.size(), 101u);
  EXPECT_NE(outcome.logs.back().text.find("truncated"), std::string::npos);
}

// Even an empty line costs the gateway memory.
TEST(Sandbox, CountsEmptyLinesToo) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run(
      {.code = "for (let i = 0; i < 100000; i++) console.log(''); return 'end'", .config = {.max_log_bytes = 1000}});
  EXPECT_TRUE(outcome.metrics.logs_truncated);
  EXPECT_LE(outcome.logs.size(), 1000 / wire::kMinLogLineCost + 1);
}

TEST(Sandbox, CountsLinesAsWellAsTheirBytes) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = "for (let i = 0; i < 1048000; i++) console.log(''); return 'end'",
                                       .config = {.max_log_bytes = std::size_t{1} << 30}});
  ASSERT_TRUE(outcome.ok()) << code_of(outcome) << ": an honest guest stops by itself";
  EXPECT_EQ(outcome.logs.size(), wire::kMaxLogLines + 1);
  EXPECT_EQ(outcome.logs.back().text, "[logs truncated at 10000 lines]");
}

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

TEST(Sandbox, KeepsRunsApart) {
  Sandbox sandbox;
  EXPECT_EQ(sandbox.run({.code = "globalThis.left = 1; Array.prototype.left = 2; return left"}).result_json(), "1");
  EXPECT_EQ(sandbox.run({.code = "return [typeof left, [].left === undefined]"}).result_json(),
            R"(["undefined",true])");
}

// ---- The pool

TEST(Sandbox, TakesGuestsFromThePool) {
  Sandbox sandbox({.pool_size = 2});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  EXPECT_TRUE(sandbox.run({.code = "1"}).metrics.pooled);
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  EXPECT_TRUE(sandbox.run({.code = "1"}).metrics.pooled);
}

TEST(Sandbox, WorksWithoutAPool) {
  Sandbox sandbox({.pool_size = 0});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = sandbox.run({.code = "return " + std::to_string(i)});
    EXPECT_EQ(outcome.result_json(), std::to_string(i));
    EXPECT_FALSE(outcome.metrics.pooled);
  }
}

TEST(Sandbox, PooledGuestsDoNotShareTheirChance) {
  Sandbox sandbox({.pool_size = 4});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  std::set<std::string> values;
  for (int i = 0; i < 8; ++i) {
    values.insert(sandbox.run({.code = "return [Math.random(), crypto.randomUUID()]"}).result_json());
  }
  EXPECT_EQ(values.size(), 8u);
}

// ---- The same again

TEST(Sandbox, RepeatsARunExactly) {
  Sandbox sandbox;
  const RunRequest request{.code = R"(
      const before = [Math.random(), crypto.randomUUID(), Date.now(), [...crypto.getRandomValues(new Uint8Array(8))]];
      await new Promise((resolve) => setTimeout(resolve, 25));
      console.log(new Date().toISOString(), Math.random());
      return [before, Date.now(), performance.now(), Math.random(), Object.keys({ b: 1, a: 2 })])",
                           .seed = "chance",
                           .now_ms = 1'700'000'000'000};
  const Outcome first = sandbox.run(request);
  const Outcome second = sandbox.run(request);
  ASSERT_TRUE(first.ok()) << to_json(first);
  EXPECT_EQ(first.result_json(), second.result_json());
  EXPECT_EQ(first.logs.at(0).text, second.logs.at(0).text);
  EXPECT_EQ(first.metrics.seed, "chance");
  EXPECT_EQ(first.metrics.now_ms, 1'700'000'000'000);

  RunRequest other = request;
  other.seed = "another";
  EXPECT_NE(sandbox.run(other).result_json(), first.result_json());
}

TEST(Sandbox, RepeatsARunFromItsMetrics) {
  Sandbox sandbox;
  RunRequest request{.code = "return [Math.random(), Date.now(), crypto.randomUUID()]"};
  const Outcome first = sandbox.run(request);
  const Outcome different = sandbox.run(request);
  EXPECT_NE(first.result_json(), different.result_json());
  EXPECT_NE(first.metrics.seed, different.metrics.seed);
  request.seed = first.metrics.seed;
  request.now_ms = first.metrics.now_ms;
  EXPECT_EQ(sandbox.run(request).result_json(), first.result_json());
}

TEST(Sandbox, RepeatsARunInAnotherSandbox) {
  const RunRequest request{.code = "return [Math.random(), crypto.randomUUID()]", .seed = "s", .now_ms = 5};
  Sandbox pooled({.pool_size = 1});
  Sandbox forked({.pool_size = 0, .warm_typescript = false});
  EXPECT_EQ(pooled.run(request).result_json(), forked.run(request).result_json());
}

// ---- Figures

TEST(Sandbox, MeasuresPlausibly) {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run({.code = R"(
      const kept = [];
      for (let i = 0; i < 64; i++) kept.push(new Uint8Array(1 << 20).fill(i));
      console.log('12345');
      const start = Date.now();
      await new Promise((resolve) => setTimeout(resolve, 60));
      let sum = 0;
      for (let i = 0; i < 2e7; i++) sum += i % 7;
      return 'abc')"});
  ASSERT_TRUE(outcome.ok()) << to_json(outcome);
  const Metrics& metrics = outcome.metrics;
  EXPECT_GT(metrics.startup_ms, 0);
  EXPECT_GE(metrics.execution_ms, 60);
  EXPECT_GT(metrics.cpu_ms, 0);
  EXPECT_LT(metrics.cpu_ms, metrics.execution_ms + metrics.startup_ms);
  EXPECT_GT(metrics.memory_used_mb, 60);
  EXPECT_LT(metrics.memory_used_mb, 200);
  EXPECT_EQ(metrics.result_bytes, 5u);
  EXPECT_EQ(metrics.logs_truncated, false);
  EXPECT_GE(metrics.log_bytes, 5u);
  EXPECT_EQ(metrics.seed.size(), 32u);
  EXPECT_GT(metrics.now_ms, 1'700'000'000'000);
}

}  // namespace
}  // namespace glovebox
