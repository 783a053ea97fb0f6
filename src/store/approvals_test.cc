// Approval requests, answers and the rules that answers add.
#include "store/records_fixture.h"

namespace glovebox::store {
namespace {

TEST_P(StoreTest, TheFirstAnswerToACallCounts) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  ASSERT_TRUE(store->add_approval(approval("p", "a")).ok());
  EXPECT_EQ(store->find_run("a").value()->status, RunStatus::kWaiting);
  EXPECT_EQ(store->approvals("", true).value().size(), 1u);

  ASSERT_TRUE(store->answer(yes("p", {2}), "s1").ok());
  AnswerRecord no = yes("p", {2});
  no.approved = false;
  EXPECT_EQ(store->answer(no, "s1").failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->answer(yes("p", {1, 7}), "s1").failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->answer(yes("q"), "s1").failure().code, ErrorCode::kNotFound);
  EXPECT_EQ(store->find_approval("p").value()->state, ApprovalRecord::State::kPending);
  no.calls = {};
  no.reason = "not today";
  ASSERT_TRUE(store->answer(no, "s1").ok());
  const auto answered = store->find_approval("p").value();
  EXPECT_EQ(answered->state, ApprovalRecord::State::kAnswered);
  EXPECT_EQ(answered->calls[0].approved, false);
  EXPECT_EQ(answered->calls[0].reason, "not today");
  EXPECT_EQ(answered->calls[1].approved, true);
  EXPECT_EQ(store->answer(yes("p"), "s1").failure().code, ErrorCode::kConflict);

  const auto answers = store->answers_after(0).value();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].calls, std::vector<std::uint64_t>{2});
  EXPECT_EQ(answers[1].calls, std::vector<std::uint64_t>{1});
  EXPECT_EQ(answers[1].run, "a");
  EXPECT_EQ(store->answers_after(answers[0].id).value().size(), 1u);
  EXPECT_EQ(store->last_answer().value(), answers[1].id);
}

TEST_P(StoreTest, AYesIsTakenBackUntilItsCallHasBegun) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  for (const char* id : {"p", "q"}) ASSERT_TRUE(store->add_approval(approval(id, "a")).ok());
  AnswerRecord no = yes("p");
  no.reason = "a slip";
  EXPECT_EQ(store->take_back(no).failure().code, ErrorCode::kConflict) << "there is no yes";
  EXPECT_EQ(store->begin_approved("p", 1).failure().code, ErrorCode::kConflict);

  AnswerRecord given = yes("p");
  given.scope = Scope::kSession;
  given.rules = {"fs:write"};
  given.at = 7;
  ASSERT_TRUE(store->answer(given, "s1").ok());
  ASSERT_TRUE(store->begin_approved("p", 1).ok());
  EXPECT_TRUE(store->find_approval("p").value()->calls[0].begun);
  ASSERT_TRUE(store->take_back(no).ok());
  const auto taken = store->find_approval("p").value();
  EXPECT_EQ(taken->calls[0].approved, true) << "it has begun";
  EXPECT_EQ(taken->calls[1].approved, false);
  EXPECT_EQ(taken->calls[1].reason, "a slip");
  EXPECT_EQ(store->begin_approved("p", 2).failure().code, ErrorCode::kConflict);
  EXPECT_TRUE(store->begin_approved("p", 1).ok()) << "in a later life";
  EXPECT_TRUE(store->rules_for("a", "s1").value().empty()) << "what the yes allowed beyond it goes with it";
  const auto answers = store->answers_to("p").value();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1].calls, std::vector<std::uint64_t>{2});
  EXPECT_FALSE(answers[1].approved);
  EXPECT_EQ(answers[1].scope, Scope::kSession) << "how far the yes reached";
  EXPECT_EQ(store->take_back(no).failure().code, ErrorCode::kConflict) << "too late for the rest";

  // Rules already in the config are named: the store does not remove them from there.
  given.approval = no.approval = "q";
  given.scope = Scope::kAlways;
  given.rules = {"fs:read", "fs:list"};
  ASSERT_TRUE(store->answer(given, "s1").ok());
  ASSERT_TRUE(store->set_written(store->rules_to_write().value()[0].id).ok());
  EXPECT_EQ(store->take_back(no).value().rules_in_config, std::vector<std::string>{"fs:read"});
  EXPECT_TRUE(store->rules_to_write().value().empty());
}

TEST_P(StoreTest, NobodyAnswersForARunThatHasEnded) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  ASSERT_TRUE(store->add_approval(approval("p", "a")).ok());
  ASSERT_TRUE(store->end_run("a", RunStatus::kCancelled, "{}", 3).ok());
  EXPECT_EQ(store->answer(yes("p"), "s1").failure().code, ErrorCode::kConflict);
}

TEST_P(StoreTest, AWithdrawnCallIsNotAskedAboutAnyMore) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  EXPECT_EQ(store->pending_approvals().value(), 0);
  ASSERT_TRUE(store->add_approval(approval("p", "a")).ok());
  EXPECT_EQ(store->pending_approvals().value(), 1);
  ASSERT_TRUE(store->withdraw_call("p", 1).ok());
  EXPECT_EQ(store->find_approval("p").value()->calls.size(), 1u);
  EXPECT_FALSE(store->answer(yes("p", {1}), "s1").ok());
  ASSERT_TRUE(store->withdraw_call("p", 2).ok());
  EXPECT_EQ(store->find_approval("p").value()->state, ApprovalRecord::State::kWithdrawn);
  EXPECT_EQ(store->pending_approvals().value(), 0);
}

TEST_P(StoreTest, RulesHoldWhereTheyWereGiven) {
  const auto store = open();
  for (const char* id : {"a", "b"}) ASSERT_TRUE(store->add_run(run(id)).ok());
  for (const char* id : {"p", "q", "r"}) ASSERT_TRUE(store->add_approval(approval(id, "a")).ok());
  AnswerRecord answer = yes("p");
  answer.scope = Scope::kRun;
  answer.rules = {"fs:write"};
  ASSERT_TRUE(store->answer(answer, "s1").ok());
  EXPECT_EQ(store->rules_for("a", "s1").value().size(), 1u);
  EXPECT_TRUE(store->rules_for("b", "s1").value().empty());
  answer.approval = "q";
  answer.scope = Scope::kAlways;
  answer.rules = {"fs:read", "fs:x(path=./out/**)"};
  ASSERT_TRUE(store->answer(answer, "s1").ok());
  EXPECT_EQ(store->rules_for("b", "s1").value().size(), 2u);
  EXPECT_TRUE(store->rules_for("b", "s2").value().empty());
  ASSERT_EQ(store->rules_to_write().value().size(), 2u);
  ASSERT_TRUE(store->set_written(store->rules_to_write().value()[0].id).ok());
  EXPECT_EQ(store->rules_to_write().value()[0].pattern, "fs:x(path=./out/**)");
  // A refusal makes no rule, whatever its scope.
  answer.approval = "r";
  answer.approved = false;
  answer.scope = Scope::kSession;
  ASSERT_TRUE(store->answer(answer, "s1").ok());
  EXPECT_EQ(store->rules_for("b", "s1").value().size(), 2u);
  answer.rules = {"a\nb"};
  EXPECT_FALSE(store->answer(answer, "s1").ok());
}

}  // namespace
}  // namespace glovebox::store
