#include "agent_tools/open_questions.h"

#include <gtest/gtest.h>

namespace glovebox::agent_tools {
namespace {

TEST(OpenQuestions, AreAnsweredOnceAndOnlyInTheirRun) {
  OpenQuestions questions;
  std::vector<std::string> answers;
  const auto keep = [&](Result<std::string> answer) {
    answers.push_back(answer ? answer.value() : answer.failure().message);
  };
  const std::string first = questions.add("run_a", "elicitation/create", "{}", keep).key;
  const std::string second = questions.add("run_a", "sampling/createMessage", R"({"x":1})", keep).key;
  questions.add("run_b", "elicitation/create", "{}", keep);
  ASSERT_EQ(questions.of("run_a").size(), 2u);
  EXPECT_EQ(questions.of("run_b").size(), 1u);
  EXPECT_TRUE(questions.of("run_c").empty());
  EXPECT_NE(first, second);

  questions.answer("run_b", first, std::string("wrong run"));
  questions.answer("run_a", first, std::string("yes"));
  questions.answer("run_a", first, std::string("again"));
  questions.answer("run_a", second, Failure{ErrorCode::kInvalidArgument, "no"});
  EXPECT_EQ(answers, (std::vector<std::string>{"yes", "no"}));
  EXPECT_TRUE(questions.of("run_a").empty());
}

TEST(OpenQuestions, EndWithTheirRun) {
  OpenQuestions questions;
  bool answered = false;
  const std::string key = questions.add("run", "elicitation/create", "{}", [&](auto) { answered = true; }).key;
  questions.forget("run");
  questions.answer("run", key, std::string("late"));
  EXPECT_FALSE(answered);
}

// An answer may bring the next question.
TEST(OpenQuestions, MayGrowWhileOneIsAnswered) {
  OpenQuestions questions;
  const std::string key =
      questions.add("run", "a", "{}", [&](auto) { questions.add("run", "b", "{}", [](auto) {}); }).key;
  questions.answer("run", key, std::string("x"));
  ASSERT_EQ(questions.of("run").size(), 1u);
  EXPECT_EQ(questions.of("run")[0].method, "b");
}

}  // namespace
}  // namespace glovebox::agent_tools
