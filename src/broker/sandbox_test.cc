// The library as its users call it, with real guests.
#include "glovebox/sandbox.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <set>
#include <thread>

#include "base/proving.h"
#include "broker/sandbox_fixture.h"
#include "wire/limits.h"

namespace glovebox {
namespace {

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
