#include "discovery/query_vectors.h"

#include <gtest/gtest.h>

namespace glovebox::discovery {
namespace {

TEST(QueryVectors, KeepsWhatWasAskedLast) {
  QueryVectors vectors(2);
  vectors.keep("a", {1});
  vectors.keep("b", {2});
  ASSERT_NE(vectors.find("a"), nullptr);
  vectors.keep("c", {3});
  EXPECT_EQ(vectors.find("b"), nullptr);
  EXPECT_EQ(*vectors.find("a"), std::vector<float>{1});
  EXPECT_EQ(*vectors.find("c"), std::vector<float>{3});
  vectors.clear();
  EXPECT_EQ(vectors.find("a"), nullptr);
}

}  // namespace
}  // namespace glovebox::discovery
