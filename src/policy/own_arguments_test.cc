#include "policy/own_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace glovebox::policy {
namespace {

class OwnArgumentsTest : public ::testing::Test {
 protected:
  bool are_named_in(const std::string& text) { return own_.are_named_in({{"text", text}}); }
  bool was_checked(const std::string& path) {
    return std::find(checked_.begin(), checked_.end(), path) != checked_.end();
  }

  std::vector<std::string> checked_;
  OwnFiles own_{"/w", {"/w/skills"}, [this](const std::vector<std::string>& paths) {
                  checked_ = paths;
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
  EXPECT_TRUE(was_checked("/w/x.py"));
  EXPECT_TRUE(was_checked("/w/./d/../x.py"));
  EXPECT_FALSE(are_named_in("/e/../y.py"));
  EXPECT_TRUE(was_checked("/y.py"));
  EXPECT_TRUE(was_checked("/e/../y.py"));
  EXPECT_FALSE(are_named_in("a..b/c"));
  EXPECT_EQ(checked_.size(), 2U);  // the text and the key
  EXPECT_TRUE(are_named_in("./d/../skills/x.py"));
}

TEST_F(OwnArgumentsTest, MoreThanCanBeLookedUpIsAskedAbout) {
  EXPECT_FALSE(are_named_in(words(2000, "word", "")));  // prose is in one folder
  EXPECT_GT(checked_.size(), 2000U);
  checked_.clear();
  EXPECT_TRUE(are_named_in(words(5000, "a", "")));
  EXPECT_TRUE(are_named_in(words(3000, "a", "/b")));
  EXPECT_TRUE(checked_.empty());
}

}  // namespace
}  // namespace glovebox::policy
