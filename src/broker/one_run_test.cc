// A Sandbox whose zygote becomes the guest.
#include <gtest/gtest.h>

#include <future>

#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

using std::chrono::milliseconds;

std::string code_of_one_run(const Outcome& outcome) {
  return outcome.error() ? outcome.error()->code.text() : "ok";
}

SandboxOptions one_run() {
  SandboxOptions options;
  options.one_run = true;
  options.warm_typescript = false;
  return options;
}

TEST(OneRun, EndsEachWayWithItsOwnType) {
  // Time enough to print first, on a busy machine too.
  RunRequest endless{.code = "console.log('before'); for (;;) {}"};
  endless.config.timeout = std::chrono::seconds(2);
  endless.config.cpu = std::chrono::minutes(10);
  RunRequest greedy{.code = "const all = []; for (;;) all.push(new Array(1e5).fill(1.5))"};
  greedy.config.memory_bytes = std::size_t{128} << 20;
  greedy.config.timeout = std::chrono::minutes(10);
  RunRequest busy{.code = "for (;;) {}"};
  busy.config.cpu = milliseconds(100);
  busy.config.timeout = std::chrono::minutes(10);
  Sandbox sandbox(one_run());
  EXPECT_EQ(
      sandbox.run({.code = "enum A { B = 41 } return A.B + context.a", .context_json = R"({"a": 1})"}).result_json(),
      "42");
  EXPECT_EQ(code_of_one_run(sandbox.run({.code = "throw new Error('no')"})), "RUNTIME_ERROR");
  const Outcome late = sandbox.run(endless);
  EXPECT_EQ(code_of_one_run(late), "EXECUTION_TIMEOUT");
  EXPECT_EQ(late.logs.size(), 1u) << "what it printed is kept";
  EXPECT_EQ(code_of_one_run(sandbox.run(greedy)), "MEMORY_LIMIT");
  EXPECT_EQ(code_of_one_run(sandbox.run(busy)), "CPU_LIMIT");
  // Earlier runs leave nothing behind.
  EXPECT_EQ(sandbox.run({.code = "globalThis.left ?? 'nothing'"}).result_json(), R"("nothing")");
}

TEST(OneRun, RunsThatAreSubmittedTogetherFollowEachOther) {
  Sandbox sandbox(one_run());
  std::vector<std::promise<Outcome>> outcomes(4);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    sandbox.submit({.code = "globalThis.left = (globalThis.left ?? 0) + 1; return [left, " + std::to_string(i) + "]"},
                   [&outcomes, i](Outcome outcome) { outcomes[i].set_value(std::move(outcome)); });
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome outcome = outcomes[i].get_future().get();
    ASSERT_TRUE(outcome.ok()) << outcome.error()->message;
    EXPECT_EQ(outcome.result_json(), "[1," + std::to_string(i) + "]");
    EXPECT_FALSE(outcome.metrics.pooled);
  }
}

TEST(OneRun, IsCancelledAndClosedWhileItRuns) {
  std::promise<void> spoke;
  std::promise<Outcome> ended, closed;
  {
    Sandbox sandbox(one_run());
    RunRequest endless{.code = "console.log('here'); for (;;) {}"};
    endless.on_log = [&](const LogLine&) { spoke.set_value(); };
    const auto run = sandbox.submit(endless, [&](Outcome outcome) { ended.set_value(std::move(outcome)); });
    spoke.get_future().wait();
    run.cancel();
    const Outcome cancelled = ended.get_future().get();
    EXPECT_EQ(code_of_one_run(cancelled), "CANCELLED");
    EXPECT_EQ(cancelled.logs.size(), 1u) << "what it said is kept";
    endless.on_log = nullptr;
    sandbox.submit(endless, [&](Outcome outcome) { closed.set_value(std::move(outcome)); });
  }
  EXPECT_FALSE(closed.get_future().get().ok());
}

TEST(OneRun, SpeaksPythonToo) {
  Sandbox sandbox(one_run());
  const Outcome outcome = sandbox.run({.code = "sum(range(10))", .language = Language::kPython});
  ASSERT_TRUE(outcome.ok()) << outcome.error()->message;
  EXPECT_EQ(outcome.result_json(), "45");
}

TEST(OneRun, CountsNothingOfTheZygotesOwnWork) {
  Sandbox sandbox(one_run());
  const Outcome outcome = sandbox.run({.code = "1"});
  ASSERT_TRUE(outcome.ok());
  EXPECT_LT(outcome.metrics.memory_used_mb, 16);
}

}  // namespace
}  // namespace glovebox
