#include "base/try.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

#include "base/system_error.h"

namespace glovebox::base {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Failure{ErrorCode::kInvalidArgument, std::to_string(number) + " is odd"};
  return number / 2;
}

Result<int> quarter(int number) {
  return GLOVEBOX_TRY(half(GLOVEBOX_TRY(half(number))));
}

TEST(Result, HoldsAValueOrAFailure) {
  const Result<int> good = half(4);
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(good.value(), 2);
  const Result<int> bad = half(3);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.failure().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(bad.failure().message, "3 is odd");
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

// A string that is the value is not taken for an error text.
TEST(Result, TellsAStringValueFromAFailure) {
  const Result<std::string> value = std::string("not an error");
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(value.value(), "not an error");
}

TEST(Try, GivesTheValue) {
  EXPECT_EQ(quarter(12).value(), 3);
}

TEST(Try, ReturnsTheFirstFailure) {
  EXPECT_EQ(quarter(5).failure().message, "5 is odd");
  EXPECT_EQ(quarter(6).failure().message, "3 is odd");
}

Result<void> check_even(int number, bool& went_on) {
  GLOVEBOX_TRY_VOID(half(number));
  went_on = true;
  return {};
}

TEST(Try, WorksWithoutAValue) {
  bool went_on = false;
  EXPECT_TRUE(check_even(2, went_on).ok());
  EXPECT_TRUE(went_on);
  went_on = false;
  EXPECT_EQ(check_even(1, went_on).failure().message, "1 is odd");
  EXPECT_FALSE(went_on);
}

TEST(Try, EvaluatesItsExpressionOnce) {
  int calls = 0;
  const auto count = [&]() -> Result<int> { return ++calls; };
  const auto caller = [&]() -> Result<int> { return GLOVEBOX_TRY(count()); };
  EXPECT_EQ(caller().value(), 1);
  EXPECT_EQ(calls, 1);
}

TEST(CheckDeathTest, EndsTheProcessAndSaysWhere) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(GLOVEBOX_CHECK(1 + 1 == 3), "broken invariant at .*try_test.cc:[0-9]+: 1 \\+ 1 == 3");
  GLOVEBOX_CHECK(1 + 1 == 2);
}

TEST(SystemFailure, SaysWhatAndWhy) {
  const Failure failure = system_failure(ENOENT, "opening x");
  EXPECT_EQ(failure.code, ErrorCode::kSystem);
  EXPECT_EQ(failure.message, "opening x: No such file or directory");
}

}  // namespace
}  // namespace glovebox::base
