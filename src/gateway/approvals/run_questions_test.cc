// What a run makes of answers and of requests of an earlier attempt. How calls are gathered takes guests:
// gateway_test.cc.
#include "gateway/approvals/run_questions.h"

#include "gateway/approvals/approval_answer.h"
#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

using SaidKind = Said::Kind;

class RunQuestionsTest : public ServicesTest {
 protected:
  RunQuestionsTest() { ask("a", {call_of(1, "./out/x"), call_of(2, "./out/y")}); }
  // Gives an answer, and returns it as the gateway finds it in the store.
  store::AnswerRecord answer(std::vector<std::uint64_t> calls, bool approved, const std::string& request = "a") {
    const ApprovalAnswer given{.approval = request,
                               .calls = std::move(calls),
                               .approved = approved,
                               .reason = approved ? "" : "not that one",
                               .rules = {},
                               .who = "ada",
                               .channel = "cli"};
    EXPECT_TRUE(give_answer(*store_, given, "/ws", 5).ok());
    return store_->answers_to(request).value().back();
  }
  static catalog::Tool tool(const std::string& hash = "h") {
    catalog::Tool tool;
    tool.server = "fs";
    tool.name = "write";
    tool.hash = hash;
    return tool;
  }

  RunSpans spans_{record_, {}, {}};
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  AskingRun run_{[this] { return alive_; }, [] { return Result<void>(); }, [](const ApprovalRequest&) {}};
};

TEST_F(RunQuestionsTest, AnAnswerCountsOnceAndForItsCallsOnly) {
  RunQuestions questions(services_, record_, spans_, run_);
  EXPECT_FALSE(questions.waits());
  questions.load(RunQuestions::read(*store_, "r").value());
  EXPECT_TRUE(questions.waits());

  const auto first = answer({1}, true);
  EXPECT_EQ(questions.apply(first), std::vector<std::uint64_t>{1});
  EXPECT_FALSE(questions.waits(1));
  EXPECT_TRUE(questions.waits(2));
  EXPECT_TRUE(questions.apply(first).empty());
  EXPECT_EQ(questions.apply(answer({2}, false)), std::vector<std::uint64_t>{2});
  EXPECT_FALSE(questions.waits());

  const auto yes = questions.said_about(1, tool(), path("./out/x"));
  EXPECT_EQ(yes.kind, SaidKind::kApproved);
  EXPECT_EQ(yes.who, "ada");
  EXPECT_EQ(yes.channel, "cli");
  const auto no = questions.said_about(2, tool(), path("./out/y"));
  EXPECT_EQ(no.kind, SaidKind::kDenied);
  EXPECT_EQ(no.reason, "not that one");
  EXPECT_EQ(questions.said_about(3, tool(), path("./out/x")).kind, SaidKind::kNothing);
}

TEST_F(RunQuestionsTest, AnAnswerToAnotherRequestIsNoAnswer) {
  RunQuestions questions(services_, record_, spans_, run_);
  questions.load(RunQuestions::read(*store_, "r").value());
  auto other = answer({1}, true);
  other.approval = "b";
  EXPECT_TRUE(questions.apply(other).empty());
  EXPECT_TRUE(questions.waits(1));
}

TEST_F(RunQuestionsTest, AYesIsForTheVeryCallThatThePersonSaw) {
  ask("b", {call_of(11, "./out/x"), call_of(12, "./out/x"), call_of(13, "./out/x"), call_of(14, "./out/x")});
  (void)answer({11, 12, 13, 14}, true, "b");
  catalog::Tool renamed = tool();
  renamed.name = "remove";
  catalog::Tool elsewhere = tool();
  elsewhere.server = "other";
  const std::map<std::uint64_t, std::pair<catalog::Tool, std::string>> others = {{11, {tool("h2"), path("./out/x")}},
                                                                                 {12, {renamed, path("./out/x")}},
                                                                                 {13, {elsewhere, path("./out/x")}},
                                                                                 {14, {tool(), path("./out/z")}}};
  RunQuestions questions(services_, record_, spans_, run_);
  questions.load(RunQuestions::read(*store_, "r").value());
  for (const auto& [call, made] : others) {
    EXPECT_EQ(questions.said_about(call, tool(), path("./out/x")).kind, SaidKind::kApproved);
    EXPECT_EQ(questions.said_about(call, made.first, made.second).kind, SaidKind::kNothing) << call;
    // Nor does it come back.
    EXPECT_EQ(questions.said_about(call, tool(), path("./out/x")).kind, SaidKind::kNothing) << call;
  }
  EXPECT_TRUE(questions.waits(1));
}

TEST_F(RunQuestionsTest, WhatRulesDecideIsWithdrawn) {
  RunQuestions questions(services_, record_, spans_, run_);
  questions.load(RunQuestions::read(*store_, "r").value());
  std::vector<std::uint64_t> judged;
  const auto withdrawn = questions.withdraw_unless([&](const store::ApprovalCall& call) {
    judged.push_back(call.call);
    return call.call == 2;
  });
  EXPECT_EQ(judged, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(withdrawn, std::vector<std::uint64_t>{1});
  EXPECT_FALSE(questions.asked().contains(1));
  EXPECT_TRUE(questions.waits(2));

  // Answered calls are not withdrawn.
  (void)questions.apply(answer({2}, true));
  EXPECT_TRUE(questions.withdraw_unless([](const auto&) { return false; }).empty());
  EXPECT_EQ(questions.said_about(2, tool(), path("./out/y")).kind, SaidKind::kApproved);
}

// By whose token the run is: what all of them ask about is in memory until they end.
TEST_F(RunQuestionsTest, WhatIsAskedCountsForItsHolder) {
  services_->asked_bytes = std::make_shared<base::ByteShares>(base::ByteShares::Limits{100, 1000});
  record_.holder = "ann";
  {
    RunQuestions questions(services_, record_, spans_, run_);
    questions.load(RunQuestions::read(*store_, "r").value());
    EXPECT_EQ(services_->asked_bytes->hold("ann", 101 - 2 * path("./out/x").size()), nullptr);
    EXPECT_NE(services_->asked_bytes->hold("ann", 100 - 2 * path("./out/x").size()), nullptr);
    EXPECT_NE(services_->asked_bytes->hold("bob", 100), nullptr);
  }
  EXPECT_NE(services_->asked_bytes->hold("ann", 100), nullptr);
}

TEST_F(RunQuestionsTest, ALaterAttemptKnowsWhoAnswered) {
  (void)answer({2}, false);
  RunQuestions later(services_, record_, spans_, run_);
  later.load(RunQuestions::read(*store_, "r").value());
  EXPECT_TRUE(later.waits(1));
  EXPECT_FALSE(later.waits(2));
  ASSERT_TRUE(later.asked().contains(2));
  EXPECT_EQ(later.asked().at(2).who, "ada");
  EXPECT_EQ(later.said_about(1, tool(), path("./out/x")).kind, SaidKind::kPending);
}

}  // namespace
}  // namespace glovebox::gateway
