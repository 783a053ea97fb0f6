#include "wire/log_budget.h"

#include <gtest/gtest.h>

namespace glovebox::wire {
namespace {

std::size_t lines_that_fit(LogBudget& budget, std::size_t text_bytes) {
  std::size_t lines = 0;
  while (budget.take(text_bytes)) ++lines;
  return lines;
}

TEST(LogBudget, AnEmptyLineCostsWhatItCostsUs) {
  LogBudget budget(1000);
  EXPECT_EQ(lines_that_fit(budget, 0), 1000 / kMinLogLineCost);
  EXPECT_EQ(budget.limit(), "1000 bytes");
}

TEST(LogBudget, ALongLineCostsItsBytes) {
  LogBudget budget(1000);
  EXPECT_EQ(lines_that_fit(budget, 499), 2u);
}

TEST(LogBudget, LinesAreCountedHoweverManyBytesThereAre) {
  LogBudget budget(std::size_t{1} << 40);
  EXPECT_EQ(lines_that_fit(budget, 0), kMaxLogLines);
  EXPECT_EQ(budget.limit(), "10000 lines");
}

TEST(LogBudget, WhatIsFullStaysFull) {
  LogBudget budget(1000);
  EXPECT_FALSE(budget.take(2000));
  EXPECT_FALSE(budget.take(0));
  EXPECT_TRUE(budget.is_full());
  EXPECT_EQ(budget.refused_bytes(), 2001 + kMinLogLineCost);
}

TEST(LogBudget, NothingFitsIntoNothing) {
  LogBudget budget(0);
  EXPECT_FALSE(budget.is_full());
  EXPECT_FALSE(budget.take(0));
}

}  // namespace
}  // namespace glovebox::wire
