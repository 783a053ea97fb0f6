#include "privacy/rules/numbering_plans.h"

#include <gtest/gtest.h>

#include <vector>

namespace glovebox::privacy {
namespace {

bool is_written(std::vector<std::size_t> sizes, std::string_view first_digits) {
  return is_national(sizes, first_digits);
}

TEST(NumberingPlans, KnowCallingCodesAndLengths) {
  for (const char* digits :
       {"14155550132", "4930901820", "33612345678", "8613812345678", "35312345678", "390612345678"})
    EXPECT_TRUE(is_international(digits)) << digits;
  for (const char* digits : {"1415555013", "999123456789", "3361234567", "0123456789", "49", ""})
    EXPECT_FALSE(is_international(digits)) << digits;
}

TEST(NumberingPlans, KnowHowCountriesGroupTheirNumbers) {
  EXPECT_TRUE(is_written({4, 7}, "01"));           // Germany: 0171 2340895
  EXPECT_TRUE(is_written({3, 2, 2, 2}, "61"));     // Spain: 612 34 56 78
  EXPECT_TRUE(is_written({2, 2, 2, 2, 2}, "06"));  // France
  EXPECT_TRUE(is_written({3, 3, 4}, "41"));        // North America
  EXPECT_FALSE(is_written({2, 2, 2, 2, 2}, "99"));
  EXPECT_FALSE(is_written({1, 1, 1, 1, 1, 1, 1}, "12"));
  EXPECT_FALSE(is_written({10}, "41"));
  EXPECT_FALSE(is_written({3, 3, 4}, "4"));
}

}  // namespace
}  // namespace glovebox::privacy
