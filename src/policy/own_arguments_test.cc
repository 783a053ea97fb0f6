#include "policy/own_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace glovebox::policy {
namespace {

class OwnArgumentsTest : public ::testing::Test {
 protected:
  bool are_named_in(const std::string& text) { return own_.are_named_in({{"text", text}}); }
  bool looked_at(const std::string& path) { return std::find(looked_.begin(), looked_.end(), path) != looked_.end(); }

  std::vector<std::string> looked_;
  OwnFiles own_{"/w", {"/w/skills"}, [this](const std::vector<std::string>& paths) {
                  looked_ = paths;
                  return false;
                }};
};

// `count` words, each `start`, a distinct number and `end`.
std::string words(int count, const std::string& start, const std::string& end) {
  std::string text;
  for (int i = 0; i < count; ++i) text += start + std::to_string(i) + end + " ";
  return text;
}

TEST_F(OwnArgumentsTest, WhatGoesUpIsLookedAtAsItIsWritten) {
  EXPECT_FALSE(are_named_in("./d/../x.py"));
  EXPECT_TRUE(looked_at("/w/x.py"));
  EXPECT_TRUE(looked_at("/w/./d/../x.py"));
  EXPECT_FALSE(are_named_in("/e/../y.py"));
  EXPECT_TRUE(looked_at("/y.py"));
  EXPECT_TRUE(looked_at("/e/../y.py"));
  EXPECT_FALSE(are_named_in("a..b/c"));
  EXPECT_EQ(looked_.size(), 2U);  // the text and the key
  EXPECT_TRUE(are_named_in("./d/../skills/x.py"));
}

TEST_F(OwnArgumentsTest, MoreThanCanBeLookedUpIsAskedAbout) {
  EXPECT_FALSE(are_named_in(words(2000, "word", "")));  // prose lies in one folder
  EXPECT_GT(looked_.size(), 2000U);
  looked_.clear();
  EXPECT_TRUE(are_named_in(words(5000, "a", "")));
  EXPECT_TRUE(are_named_in(words(3000, "a", "/b")));
  EXPECT_TRUE(looked_.empty());
}

}  // namespace
}  // namespace glovebox::policy
