#include "base/text/line_diff.h"

#include <gtest/gtest.h>

#include <random>

namespace glovebox::base {
namespace {

using Lines = std::vector<std::string>;

TEST(LineDiff, SaysNothingOfEqualTexts) {
  EXPECT_EQ(diff_lines({"a", "b"}, {"a", "b"}), Lines{});
  EXPECT_EQ(diff_lines({}, {}), Lines{});
}

TEST(LineDiff, ShowsWhatWentAndCame) {
  EXPECT_EQ(diff_lines({"a", "b", "c"}, {"a", "x", "c"}), (Lines{"  a", "- b", "+ x", "  c"}));
  EXPECT_EQ(diff_lines({"a"}, {"a", "b"}), (Lines{"  a", "+ b"}));
  EXPECT_EQ(diff_lines({"a"}, {}), Lines{"- a"});
  EXPECT_EQ(diff_lines({"1", "2", "3", "4", "5", "6", "7", "8", "9"}, {"1", "2", "3", "4", "5", "6", "7", "8", "x"}),
            (Lines{"  …", "  6", "  7", "  8", "- 9", "+ x"}));
}

// What is left without the additions is the first text, and without the removals the second.
TEST(LineDiff, LeadsFromOneToTheOther) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Lines before(random() % 7), after(random() % 7);
    for (std::string& line : before) line = std::string(1, static_cast<char>('a' + random() % 3));
    for (std::string& line : after) line = std::string(1, static_cast<char>('a' + random() % 3));
    Lines first, second;
    for (const std::string& line : diff_lines(before, after)) {
      if (line == "  …") GTEST_FAIL() << "nothing is far away here";
      if (line[0] != '+') first.push_back(line.substr(2));
      if (line[0] != '-') second.push_back(line.substr(2));
    }
    if (before == after) continue;
    EXPECT_EQ(first, before);
    EXPECT_EQ(second, after);
  }
}

}  // namespace
}  // namespace glovebox::base
