#include "types/distinct_names.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(DistinctNames, NumbersWhatWasTaken) {
  DistinctNames names;
  EXPECT_EQ(names.take("a"), "a");
  EXPECT_EQ(names.take("a_2"), "a_2");
  EXPECT_EQ(names.take("a"), "a_3");
  EXPECT_EQ(names.take("a"), "a_4");
  EXPECT_EQ(names.take("a_3"), "a_3_2");
  EXPECT_EQ(names.take(""), "");
  EXPECT_EQ(names.take(""), "_2");
}

}  // namespace
}  // namespace glovebox::types
