// What waits for a run's journal, and what does not.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include "calls/tools/scripted_tools.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

Sandbox& journaling_sandbox() {
  static Sandbox shared(SandboxOptions{.pool_size = 1});
  return shared;
}

RunRequest journaled(const std::string& code) {
  RunRequest request;
  request.code = code;
  request.config.timeout = std::chrono::minutes(10);
  request.tools = std::make_shared<testing::ScriptedTools>();
  return request;
}

constexpr const char* kTwoCalls = "return [await mcp.demo.echo({ n: 1 }), await mcp.demo.echo({ n: 2 })].length";

TEST(SessionJournal, HearsOfACallBeforeItIsAskedWhetherItMayGoOn) {
  std::vector<std::string> seen;
  RunRequest request = journaled(kTwoCalls);
  request.on_journal = [&](const JournalEntry& entry) {
    seen.push_back(entry.kind == JournalEntry::Kind::kCall ? "call" : "reply");
  };
  request.before_call = [&](bool, const std::function<void()>& go) {
    seen.push_back("may it");
    go();
  };
  EXPECT_EQ(journaling_sandbox().run(std::move(request)).result_json(), "2");
  EXPECT_EQ(seen, (std::vector<std::string>{"call", "may it", "reply", "call", "may it", "reply"}));
}

// The answer may come from any thread, long after the question.
TEST(SessionJournal, HoldsACallUntilSomebodyLetsItGo) {
  const auto tools = std::make_shared<testing::ScriptedTools>();
  RunRequest request = journaled(kTwoCalls);
  request.tools = tools;
  std::vector<std::thread> threads;
  std::vector<std::size_t> called_before;
  request.before_call = [&](bool, std::function<void()> go) {
    called_before.push_back(tools->calls().size());
    threads.emplace_back(std::move(go));
  };
  const Outcome outcome = journaling_sandbox().run(std::move(request));
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(outcome.ok()) << outcome.error()->message;
  EXPECT_EQ(called_before, (std::vector<std::size_t>{0, 1}));
}

TEST(SessionJournal, LetsNothingGoAfterTheRunHasEnded) {
  const auto tools = std::make_shared<testing::ScriptedTools>();
  RunRequest request = journaled(kTwoCalls);
  request.tools = tools;
  std::mutex mutex;
  std::function<void()> kept;
  std::promise<void> asked;
  request.before_call = [&](bool, std::function<void()> go) {
    const std::lock_guard lock(mutex);
    kept = std::move(go);
    asked.set_value();
  };
  std::promise<Outcome> ended;
  const glovebox::Run run =
      journaling_sandbox().submit(std::move(request), [&](Outcome outcome) { ended.set_value(std::move(outcome)); });
  asked.get_future().wait();
  run.cancel();
  EXPECT_EQ(ended.get_future().get().error()->code.text(), "CANCELLED");
  const std::lock_guard lock(mutex);
  kept();
  // Another run goes through the same loop behind it.
  (void)journaling_sandbox().run(journaled("return 1"));
  EXPECT_TRUE(tools->calls().empty());
}

// A call that waits for permission is not known yet, not even to the journal.
TEST(SessionJournal, HoldsTheFirstCallBeforeAnythingIsMadeOfIt) {
  const auto tools = std::make_shared<testing::ScriptedTools>();
  RunRequest request = journaled(kTwoCalls);
  request.tools = tools;
  std::atomic<int> entries = 0;
  request.on_journal = [&](const JournalEntry&) { ++entries; };
  int asked = 0;
  std::thread later;
  request.before_first_call = [&](std::function<void()> go) {
    ++asked;
    later = std::thread([&, go = std::move(go)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_EQ(entries, 0);
      EXPECT_TRUE(tools->calls().empty());
      go();
    });
  };
  const Outcome outcome = journaling_sandbox().run(std::move(request));
  later.join();
  ASSERT_TRUE(outcome.ok()) << outcome.error()->message;
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(entries, 4);
  EXPECT_EQ(tools->calls().size(), 2u);
}

TEST(SessionJournal, LetsTheFirstCallGoAtOnceWhereItMay) {
  RunRequest request = journaled(kTwoCalls);
  request.before_first_call = [](const std::function<void()>& go) { go(); };
  EXPECT_EQ(journaling_sandbox().run(std::move(request)).result_json(), "2");
}

// The clocks are stopped while it waits, but the CPU time of the guest is bounded.
TEST(SessionJournal, BoundsAGuestThatComputesWhileItsFirstCallWaits) {
  RunRequest request = journaled("mcp.demo.echo({ n: 1 }); while (true) {}");
  request.config.cpu = std::chrono::milliseconds(50);
  request.before_first_call = [](const std::function<void()>&) {};
  EXPECT_EQ(journaling_sandbox().run(std::move(request)).error()->code.text(), "CPU_LIMIT");
}

}  // namespace
}  // namespace glovebox
