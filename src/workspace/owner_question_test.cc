#include "workspace/owner_question.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

using Screens = std::vector<std::vector<std::string>>;

TEST(OwnerQuestion, ShowsNoMoreThanAScreenAtOnce) {
  EXPECT_EQ(screens_of({"a", "b"}, 10, 4), (Screens{{"a", "b"}}));
  EXPECT_EQ(screens_of({"a", "b", "c"}, 10, 2), (Screens{{"a", "b"}, {"c"}}));
  // A long line would push away what is above it, and is not cut in the middle of a character.
  EXPECT_EQ(screens_of({"0123456789", "x"}, 4, 2), (Screens{{"0123", "4567"}, {"89", "x"}}));
  EXPECT_EQ(screens_of({"aaé"}, 3, 5), (Screens{{"aa", "é"}}));
  EXPECT_EQ(screens_of({}, 3, 5), Screens(1));
}

// Text of a repository moves no cursor, and begins no line of its own.
TEST(OwnerQuestion, ShowsWhatIsThere) {
  const auto screens = screens_of({"a\x1b[2Jb\rc"}, 80, 5);
  EXPECT_EQ(screens[0][0].find('\x1b'), std::string::npos);
  EXPECT_EQ(screens[0][0].find('\r'), std::string::npos);
  EXPECT_EQ(screens_of({"a\nb\tc"}, 80, 5), (Screens{{"a\\nb\\tc"}}));
}

}  // namespace
}  // namespace glovebox::cli
