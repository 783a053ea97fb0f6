// A call without a guest must do what a guest would have done: the same outcome, and the same journal.
#include "gateway/direct/direct_call.h"

#include <gtest/gtest.h>

#include <future>

#include "calls/tools/scripted_tools.h"
#include "gateway/direct/direct_runs.h"
#include "gateway/direct/one_call.h"
#include "gateway/direct/sandbox_runner.h"
#include "wire/limits.h"

namespace glovebox::gateway {
namespace {

struct Ended {
  Outcome outcome;
  std::vector<JournalEntry> journal;
};

// A server that always returns this text.
class OneAnswer final : public testing::ScriptedTools {
 public:
  explicit OneAnswer(std::string json) : json_(std::move(json)) {}

 protected:
  void perform(const ToolCall&, const ToolAnswer& answer) override { say(answer, json_); }

 private:
  const std::string json_;
};

std::string nested(int levels) {
  const auto count = static_cast<std::size_t>(levels);
  return std::string(count, '[') + std::string(count, ']');
}

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
  DirectRuns runs_{128};
};

TEST_F(DirectCallTest, EndsAndIsWrittenDownAsAGuestsCallIs) {
  const std::pair<const char*, const char*> calls[] = {
      {"echo", R"({"b":-0,"a":["\u00e4\n",null,true,12345,10000000000,-3000000001,9007199254740992],"":{"x1":[]}})"},
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
      EXPECT_EQ(direct.outcome.error()->code.text(), guest.outcome.error()->code.text());
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
    // Each resumes where the other stopped: nothing is called again.
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
    EXPECT_FALSE(acts);  // whether a tool call may be made is up to its host
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
  EXPECT_EQ(run(std::move(slow), true).outcome.error()->code.text(), "RPC_TIMEOUT");
  RunRequest large = request("big", R"({"bytes":1000})");
  large.config.max_output_bytes = 100;
  EXPECT_EQ(run(std::move(large), true).outcome.error()->code.text(), "RESULT_TOO_LARGE");
  RunRequest long_run = request("never", "{}");
  long_run.config.total_timeout = std::chrono::milliseconds(20);
  const Ended ended = run(std::move(long_run), true);
  EXPECT_TRUE(std::holds_alternative<LimitHit>(ended.outcome.ending));
}

TEST_F(DirectCallTest, WhatIsTooLargeIsNotKeptButIsInTheJournal) {
  RunRequest large = request("big", R"({"bytes":3000000})");
  large.config.max_output_bytes = 1 << 20;
  const Ended ended = run(std::move(large), true);
  EXPECT_TRUE(std::holds_alternative<LimitHit>(ended.outcome.ending));
  EXPECT_EQ(ended.outcome.error()->code.text(), "RESULT_TOO_LARGE");
  ASSERT_EQ(ended.journal.size(), 2U);
  EXPECT_GT(ended.journal[1].frames.size(), 3'000'000U);

  RunRequest failing = request("fail", "{}");
  failing.config.max_output_bytes = 1;
  EXPECT_EQ(run(std::move(failing), true).outcome.error()->code.text(), "TOOL_ERROR");
  // The limit applies to the written form, as it does for a guest.
  RunRequest spaced = request("echo", "{}");
  spaced.tools = std::make_shared<OneAnswer>("[1," + std::string(9000, ' ') + "\"" + std::string(9000, 'x') + "\"]");
  spaced.config.max_output_bytes = 10'000;
  EXPECT_TRUE(run(std::move(spaced), true).outcome.ok());
}

TEST_F(DirectCallTest, AServersResultIsWrittenAsAGuestWritesIt) {
  const std::string results[] = {
      R"({"v":18446744073709551616,"w":[1e400,-1e400,1e-400,100000.0,1e5,1E2,-0.0,-0,0.1,2.5e-7,1e18,1e17]})",
      R"([9007199254740993,18446744073709551615,-9223372036854775808,1.7976931348623157e308,5e-324])",
      R"([3.0000000000000004,0.30000000000000004,123456789012345678901234567890,2147483648,-2147483649,2147483647.0])",
      R"( { "a" : [ 1 , "\u00e4\/\ud83d\ude00\u0001" ] , "k\n" : { "" : [ ] } , "b" : [ { } , true , null ] } )",
      R"("text")",
      "5",
      nested(128),
      nested(129),
  };
  for (const std::string& result : results) {
    SCOPED_TRACE(result);
    Ended ended[2];
    for (const bool direct : {false, true}) {
      RunRequest made = request("echo", "{}");
      made.tools = std::make_shared<OneAnswer>(result);
      ended[direct] = run(std::move(made), direct);
    }
    ASSERT_EQ(ended[true].outcome.ending.index(), ended[false].outcome.ending.index());
    if (ended[false].outcome.ok()) {
      EXPECT_EQ(ended[true].outcome.result_json(), ended[false].outcome.result_json());
    } else {
      EXPECT_EQ(ended[true].outcome.error()->code.text(), ended[false].outcome.error()->code.text());
    }
  }
}

TEST_F(DirectCallTest, AResultThatNobodyCouldReadEndsWithAProtocolError) {
  for (const char* result : {R"({"v":1e99999999999})", R"(["\ud800"])", "[1,]", "[01]", "[1 2]"}) {
    SCOPED_TRACE(result);
    RunRequest made = request("echo", "{}");
    made.tools = std::make_shared<OneAnswer>(result);
    const Ended ended = run(std::move(made), true);
    ASSERT_TRUE(std::holds_alternative<Failed>(ended.outcome.ending));
    EXPECT_EQ(ended.outcome.error()->code.text(), "PROTOCOL_ERROR");
    EXPECT_EQ(ended.outcome.error()->tool_name, "demo.echo");
    EXPECT_EQ(ended.journal.size(), 2U);
  }
}

TEST_F(DirectCallTest, ManyAtOnceWaitForGuests) {
  DirectRuns two(2);
  auto first = two.take_place();
  const auto second = two.take_place();
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(two.take_place());
  first.reset();
  EXPECT_TRUE(two.take_place());

  SandboxRunner runner(sandbox_, {}, 1);
  const auto begin = [&](const std::string& tool, std::promise<Outcome>& done) {
    return runner.submit_task(request(tool, "{}"), [&done](Outcome outcome) { done.set_value(std::move(outcome)); });
  };
  const auto takes_guest = [&] {
    std::promise<Outcome> done;
    (void)begin("echo", done);
    const Outcome outcome = done.get_future().get();
    EXPECT_TRUE(outcome.ok());
    return outcome.metrics.startup_ms > 0;
  };
  EXPECT_FALSE(takes_guest());
  EXPECT_FALSE(takes_guest()) << "its place is free again";
  std::promise<Outcome> held;
  const auto cancel = begin("never", held);
  EXPECT_TRUE(takes_guest());
  cancel();
  EXPECT_EQ(held.get_future().get().error()->code.text(), "CANCELLED");
  EXPECT_FALSE(takes_guest());
}

TEST_F(DirectCallTest, IsCancelledByItsOwnerAndByTheEndOfAll) {
  std::promise<Outcome> first, second;
  DirectRuns runs(128);
  for (auto* promise : {&first, &second}) {
    RunRequest never = request("never", "{}");
    auto call = DirectCall::in(never);
    const auto cancel = runs.begin(std::move(never), std::move(*call),
                                   [promise](Outcome outcome) { promise->set_value(std::move(outcome)); });
    if (promise == &first) cancel();
  }
  EXPECT_EQ(first.get_future().get().error()->code.text(), "CANCELLED");
  std::optional<DirectRuns> others(std::in_place, 128);
  std::promise<Outcome> third;
  RunRequest never = request("never", "{}");
  auto call = DirectCall::in(never);
  others->begin(std::move(never), std::move(*call), [&](Outcome outcome) { third.set_value(std::move(outcome)); });
  others.reset();
  EXPECT_EQ(third.get_future().get().error()->code.text(), "CANCELLED");
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

TEST_F(DirectCallTest, WhatAGuestWouldRefuseOrCutIsLeftToIt) {
  const auto with_text = [&](std::size_t bytes) {
    return request("echo", R"({"a":")" + std::string(bytes, 'x') + "\"}");
  };
  EXPECT_TRUE(DirectCall::in(with_text(wire::kMaxCallArgumentBytes - 1000)));
  EXPECT_FALSE(DirectCall::in(with_text(wire::kMaxCallArgumentBytes - 25))) << "with the names it is too much";
  EXPECT_FALSE(DirectCall::in(with_text(wire::kMaxCallArgumentBytes)));
  EXPECT_FALSE(DirectCall::in(with_text(wire::kMaxFrameBytes)));
  EXPECT_FALSE(run(with_text(wire::kMaxCallArgumentBytes), false).outcome.ok());
  RunRequest odd = request("echo", "{}");
  odd.config.timeout = std::chrono::milliseconds::max();
  EXPECT_FALSE(DirectCall::in(odd));
  odd = request("echo", "{}");
  odd.config.rpc_timeout = std::chrono::milliseconds(0);
  EXPECT_FALSE(DirectCall::in(odd));
  odd = request("echo", "{}");
  odd.config.max_output_bytes = wire::kMaxFrameBytes;
  EXPECT_FALSE(DirectCall::in(odd));
  odd = request("echo", "{}");
  odd.before_first_call = [](const std::function<void()>& go) { go(); };
  EXPECT_FALSE(DirectCall::in(odd));
}

TEST_F(DirectCallTest, ArgumentsThatAGuestWritesInItsOwnWayTakeOne) {
  const char* others[] = {R"({"limit":1e5})",
                          R"({"limit":1.5})",
                          R"({"limit":-0.0})",
                          R"({"10":1,"9":2})",
                          R"({"a":[{"0":1}]})",
                          R"({"a":9007199254740993})",
                          R"({"a":-9007199254740993})",
                          R"({"a":[18446744073709551615]})",
                          R"({"a":18446744073709551616})"};
  for (const char* arguments : others) EXPECT_FALSE(DirectCall::in(request("echo", arguments))) << arguments;
  for (const char* arguments : {R"({"a1":1,"-1":2,"1.5":3})", R"({"a":-9007199254740992})"})
    EXPECT_TRUE(DirectCall::in(request("echo", arguments))) << arguments;
}

}  // namespace
}  // namespace glovebox::gateway
