#include "base/bounds/byte_shares.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(ByteShares, AreBoundedForOneHolderAndForAll) {
  const auto shares = std::make_shared<ByteShares>(ByteShares::Limits{10, 15});
  auto ann = shares->hold("ann", 8);
  EXPECT_NE(ann, nullptr);
  EXPECT_EQ(shares->hold("ann", 3), nullptr);
  const auto nothing = shares->hold("ann", 0);
  EXPECT_NE(nothing, nullptr);
  EXPECT_EQ(shares->hold("bob", 8), nullptr) << "there is no room for both";
  const auto bob = shares->hold("bob", 7);
  EXPECT_NE(bob, nullptr);
  ann.reset();
  EXPECT_EQ(shares->hold("ann", 11), nullptr);
  EXPECT_NE(shares->hold("ann", 8), nullptr);
}

TEST(ByteShares, WhatIsThereAlreadyLeavesNoRoom) {
  const auto shares = std::make_shared<ByteShares>(ByteShares::Limits{10, 15});
  auto much = shares->hold_anyway("ann", 20);
  EXPECT_NE(much, nullptr);
  EXPECT_FALSE(shares->has_room("ann", 0));
  EXPECT_EQ(shares->hold("bob", 1), nullptr);
  much.reset();
  EXPECT_NE(shares->hold("bob", 1), nullptr);
}

TEST(ByteShares, OutliveWhatTheyCount) {
  auto shares = std::make_shared<ByteShares>(ByteShares::Limits{});
  const auto held = shares->hold("ann", 1);
  shares.reset();
  EXPECT_NE(held, nullptr);
}

}  // namespace
}  // namespace glovebox::base
