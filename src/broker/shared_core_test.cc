#include "broker/shared_core.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <memory>
#include <optional>
#include <string>

#include "broker/sandbox_fixture.h"
#include "glovebox/tools.h"

namespace glovebox::broker {
namespace {

using Advice = TurnTaking::Advice;

// Calls until the advice is to share; how many that took.
int calls_until_shared(TurnTaking& turns) {
  for (int calls = 1; calls < 1000; ++calls) {
    if (turns.call(true) == Advice::kShare) return calls;
  }
  return 0;
}

TEST(TurnTaking, SharesAfterManyCallsOneAtATime) {
  TurnTaking turns;
  const int calls = calls_until_shared(turns);
  EXPECT_GT(calls, 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(turns.call(true), Advice::kNone) << "once is enough";
}

TEST(TurnTaking, PartsAtTwoCallsAtATimeAndBeginsToCountAgain) {
  TurnTaking turns;
  const int calls = calls_until_shared(turns);
  EXPECT_EQ(turns.call(false), Advice::kPart);
  turns.part();
  EXPECT_EQ(calls_until_shared(turns), calls);
  TurnTaking others;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(others.call(i % 5 != 0), Advice::kNone);
}

TEST(TurnTaking, PartsWhenTheGuestComputes) {
  TurnTaking turns;
  calls_until_shared(turns);
  EXPECT_EQ(turns.poll(), Advice::kNone);
  for (int i = 0; i < 10; ++i) turns.call(true);
  EXPECT_EQ(turns.poll(), Advice::kNone);
  EXPECT_EQ(turns.poll(), Advice::kPart) << "no calls since the last time";
}

TEST(TurnTaking, DoesNotShareWithOneThatSeldomCalls) {
  TurnTaking turns;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(turns.call(true), Advice::kNone);
    EXPECT_EQ(turns.poll(), Advice::kNone);
  }
}

TEST(TurnTaking, PartsNowAndThenSoThatAnotherCoreCanBeChosen) {
  TurnTaking turns;
  calls_until_shared(turns);
  int polls = 0;
  for (Advice advice = Advice::kNone; advice == Advice::kNone && polls < 10'000; ++polls) {
    for (int i = 0; i < 10; ++i) turns.call(true);
    advice = turns.poll();
  }
  EXPECT_GT(polls, 10);
  EXPECT_LT(polls, 1000);
}

int cores_of_the_thread() {
  cpu_set_t cores;
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : -1;
}

// Tools that see on which cores the loop may run, since they are called there. "cores" answers with their number; the
// answer to "first" waits for the call of "second", which has that number.
class CoreTools : public ToolHost {
 public:
  std::vector<ToolNamespace> tools() const override { return {{"loop", {"cores", "first", "second"}}}; }
  void call(ToolCall call, ToolAnswer answer) override {
    if (call.tool == "first") {
      first_ = std::move(answer);
      return;
    }
    if (call.tool == "second") first_->value(nullptr, "0");
    const auto json = std::make_shared<const std::string>(std::to_string(cores_of_the_thread()));
    answer.value(json, *json);
  }

 private:
  std::optional<ToolAnswer> first_;
};

class SharedCoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cores_of_the_thread() < 2) GTEST_SKIP() << "there is only one core";
  }
  Outcome run(const std::string& code, SandboxConfig config = {}) {
    RunRequest request{.code = code, .config = std::move(config)};
    request.config.max_tool_calls = 10'000'000;
    // A guest that has computed for a while has a low priority: a second of it takes a busy machine most of a minute.
    request.config.timeout = std::chrono::minutes(10);
    request.tools = std::make_shared<CoreTools>();
    return sandbox.run(std::move(request));
  }
  const std::string all = std::to_string(cores_of_the_thread());
  Sandbox sandbox;
};

// On a busy machine it may take more than one attempt until calls come in quick succession.
constexpr const char* kUntilShared = "while (await mcp.loop.cores({}) !== 1);";

TEST_F(SharedCoreTest, TheLoopStaysOnOneCoreWhileTheGuestCallsAndRoamsAfterTheRun) {
  EXPECT_EQ(run(std::string(kUntilShared) + "return 'shared'").result_json(), "\"shared\"");
  EXPECT_EQ(run("return mcp.loop.cores({})").result_json(), all);
}

TEST_F(SharedCoreTest, TheLoopRoamsWhenTwoCallsAreUnderWay) {
  const std::string code =
      std::string(kUntilShared) + "return (await Promise.all([mcp.loop.first({}), mcp.loop.second({})]))[1]";
  EXPECT_EQ(run(code).result_json(), all);
}

TEST_F(SharedCoreTest, TheLoopRoamsWhileTheGuestComputes) {
  // The calls after the loop are too few to share again.
  const std::string code = std::string(kUntilShared) + R"(
    let sum = 0;
    do {
      for (let i = 0; i < 3e7; i++) sum += i % 7;
    } while (await mcp.loop.cores({}) === 1);
    return 'roams')";
  EXPECT_EQ(run(code).result_json(), "\"roams\"");
}

// The thread that polls the guest is on the guest's core when the guest begins to compute.
TEST_F(SharedCoreTest, AGuestThatComputesOnTheSharedCoreIsStoppedAtItsLimits) {
  EXPECT_EQ(code_of(run(std::string(kUntilShared) + "for (;;) {}", {.cpu = std::chrono::seconds(1)})), "CPU_LIMIT");
  EXPECT_EQ(code_of(run(std::string(kUntilShared) + "for (const hoard = [];;) hoard.push(new Array(1000).fill(1))",
                        {.memory_bytes = std::size_t{64} << 20})),
            "MEMORY_LIMIT");
}

TEST_F(SharedCoreTest, TheLoopRoamsWhileThereIsAnotherRun) {
  RunRequest other{.code = "console.log('here'); await new Promise((done) => setTimeout(done, 1e6))"};
  other.config.timeout = std::chrono::minutes(5);
  Pending pending(sandbox, std::move(other));
  pending.wait_until_it_speaks();
  EXPECT_EQ(run("let least = 1e9; for (let i = 0; i < 300; i++) least = Math.min(least, await mcp.loop.cores({}));"
                "return least")
                .result_json(),
            all);
  pending.cancel();
  pending.outcome();
}

}  // namespace
}  // namespace glovebox::broker
