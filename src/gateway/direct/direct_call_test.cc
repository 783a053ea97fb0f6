// A call without a guest is held to what a guest would have made of it: the same outcome, and the same journal.
#include "gateway/direct/direct_call.h"

#include <gtest/gtest.h>

#include <future>

#include "calls/tools/scripted_tools.h"
#include "gateway/approvals/one_call.h"
#include "gateway/direct/direct_runs.h"

namespace glovebox::gateway {
namespace {

struct Ended {
  Outcome outcome;
  std::vector<JournalEntry> journal;
};

class DirectCallTest : public ::testing::Test {
 protected:
  RunRequest request(const std::string& tool, const std::string& arguments, std::vector<JournalEntry> history = {}) {
    RunRequest made;
    made.code = one_call_program("demo", tool, "context.arguments");
    made.language = Language::kJavaScript;
    made.context_json = R"({"arguments":)" + arguments + "}";
    made.seed = "seed";
    made.now_ms = 1000;
    made.tools = tools_;
    made.history = std::move(history);
    return made;
  }
  Ended run(RunRequest made, bool direct) {
    Ended ended;
    std::promise<void> over;
    made.on_journal = [&](JournalEntry entry) { ended.journal.push_back(std::move(entry)); };
    const auto done = [&](Outcome outcome) {
      ended.outcome = std::move(outcome);
      over.set_value();
    };
    if (direct) {
      auto call = DirectCall::in(made);
      EXPECT_TRUE(call);
      if (!call) return ended;
      runs_.begin(std::move(made), std::move(*call), done);
    } else {
      (void)sandbox_.submit(std::move(made), done);
    }
    over.get_future().wait();
    return ended;
  }

  std::shared_ptr<testing::ScriptedTools> tools_ = std::make_shared<testing::ScriptedTools>();
  Sandbox sandbox_{SandboxOptions{.pool_size = 1}};
  DirectRuns runs_;
};

TEST_F(DirectCallTest, EndsAndIsWrittenDownAsAGuestsCallIs) {
  const std::pair<const char*, const char*> calls[] = {
      {"echo", R"({"b":1.5E0,"a":[1E3,-0.0,1e-7,"\u00e4\n",null,true,12345,10000000000,-3000000001,1e20],"":{}})"},
      {"text", "{}"},
      {"big", R"({"bytes":3000000})"},
      {"fail", "{}"},
      {"deny", "{}"},
      {"refuse", "{}"},
      {"missing", "{}"},
      {"drop", "{}"},
  };
  for (const auto& [tool, arguments] : calls) {
    SCOPED_TRACE(tool);
    const Ended guest = run(request(tool, arguments), false);
    const Ended direct = run(request(tool, arguments), true);
    ASSERT_EQ(direct.outcome.ending.index(), guest.outcome.ending.index());
    if (guest.outcome.ok()) {
      EXPECT_EQ(direct.outcome.result_json(), guest.outcome.result_json());
    } else {
      EXPECT_EQ(direct.outcome.error()->type, guest.outcome.error()->type);
      EXPECT_EQ(direct.outcome.error()->code, guest.outcome.error()->code);
      EXPECT_EQ(direct.outcome.error()->message, guest.outcome.error()->message);
      EXPECT_EQ(direct.outcome.error()->tool_name, guest.outcome.error()->tool_name);
    }
    ASSERT_EQ(direct.outcome.trace.size(), 1U);
    EXPECT_EQ(direct.outcome.trace[0].outcome, guest.outcome.trace[0].outcome);
    EXPECT_EQ(direct.outcome.trace[0].target, guest.outcome.trace[0].target);
    EXPECT_EQ(direct.outcome.logs.size(), guest.outcome.logs.size());
    ASSERT_EQ(direct.journal.size(), guest.journal.size());
    EXPECT_EQ(direct.journal[0].arguments, guest.journal[0].arguments);
    EXPECT_EQ(direct.journal[0].digest, guest.journal[0].digest);
    EXPECT_EQ(direct.journal[0].call_id, guest.journal[0].call_id);
    EXPECT_EQ(direct.outcome.metrics.tool_calls, 1U);
    // Each goes on where the other was: nothing is called again.
    const std::size_t made = tools_->calls().size();
    for (const bool by_guest : {false, true}) {
      const Ended again = run(request(tool, arguments, by_guest ? direct.journal : guest.journal), !by_guest);
      EXPECT_EQ(again.outcome.ending.index(), guest.outcome.ending.index());
      EXPECT_TRUE(again.journal.empty());
    }
    EXPECT_EQ(tools_->calls().size(), made);
  }
}

TEST_F(DirectCallTest, ACallThatWasNotAnsweredComesAgainAsRepeated) {
  const Ended first = run(request("echo", R"({"a":1})"), true);
  const Ended again = run(request("echo", R"({"a":1})", {first.journal[0]}), true);
  EXPECT_EQ(again.outcome.result_json(), R"({"a":1})");
  EXPECT_TRUE(tools_->calls().back().repeated);
  EXPECT_EQ(again.journal.size(), 1U);
}

TEST_F(DirectCallTest, WaitsForTheJournalAndForItsLimits) {
  RunRequest held = request("echo", "{}");
  std::promise<std::function<void()>> asked;
  held.before_call = [&](bool acts, std::function<void()> go) {
    EXPECT_FALSE(acts);  // whether a tool's call may happen is its host's to say
    asked.set_value(std::move(go));
  };
  std::promise<Outcome> done;
  auto call = DirectCall::in(held);
  runs_.begin(std::move(held), std::move(*call), [&](Outcome outcome) { done.set_value(std::move(outcome)); });
  const auto go = asked.get_future().get();
  EXPECT_TRUE(tools_->calls().empty());
  go();
  EXPECT_TRUE(done.get_future().get().ok());

  RunRequest slow = request("never", "{}");
  slow.config.rpc_timeout = std::chrono::milliseconds(20);
  EXPECT_EQ(run(std::move(slow), true).outcome.error()->code, "RPC_TIMEOUT");
  RunRequest large = request("big", R"({"bytes":1000})");
  large.config.max_output_bytes = 100;
  EXPECT_EQ(run(std::move(large), true).outcome.error()->code, "RESULT_TOO_LARGE");
  RunRequest long_run = request("never", "{}");
  long_run.config.total_timeout = std::chrono::milliseconds(20);
  const Ended ended = run(std::move(long_run), true);
  EXPECT_TRUE(std::holds_alternative<LimitHit>(ended.outcome.ending));
}

TEST_F(DirectCallTest, IsCancelledByItsOwnerAndByTheEndOfAll) {
  std::promise<Outcome> first, second;
  DirectRuns runs;
  for (auto* promise : {&first, &second}) {
    RunRequest never = request("never", "{}");
    auto call = DirectCall::in(never);
    const auto cancel = runs.begin(std::move(never), std::move(*call),
                                   [promise](Outcome outcome) { promise->set_value(std::move(outcome)); });
    if (promise == &first) cancel();
  }
  EXPECT_EQ(first.get_future().get().error()->code, "CANCELLED");
  std::optional<DirectRuns> others(std::in_place);
  std::promise<Outcome> third;
  RunRequest never = request("never", "{}");
  auto call = DirectCall::in(never);
  others->begin(std::move(never), std::move(*call), [&](Outcome outcome) { third.set_value(std::move(outcome)); });
  others.reset();
  EXPECT_EQ(third.get_future().get().error()->code, "CANCELLED");
}

TEST_F(DirectCallTest, WhatIsMoreThanACallTakesAGuest) {
  RunRequest other = request("echo", "{}");
  EXPECT_TRUE(DirectCall::in(other));
  other.code += ";";
  EXPECT_FALSE(DirectCall::in(other));
  other = request("echo", "[]");
  EXPECT_FALSE(DirectCall::in(other));
  other = request("echo", "{}");
  other.language = Language::kPython;
  EXPECT_FALSE(DirectCall::in(other));
  other = request("echo", "{}", {{JournalEntry::Kind::kCall, 1, "tool", "another digest", ""}});
  EXPECT_FALSE(DirectCall::in(other));
}

}  // namespace
}  // namespace glovebox::gateway
