#include "base/text/framed_text.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(FramedText, EveryLineHasTheMargin) {
  EXPECT_EQ(framed("a\nb\n\nc", {}), "  | a\n  | b\n  | \n  | c\n");
  EXPECT_EQ(framed("a\r\nb\x1b[2J\tc", {}), "  | a\\u{d}\n  | b\\u{1b}[2J    c\n");
  EXPECT_EQ(framed("a\xe2\x80\xa8"
                   "b\xe2\x80\x8b"
                   "c",
                   {}),
            "  | a\\u{2028}b\\u{200b}c\n");
  EXPECT_EQ(framed("", {}), "");
}

// A terminal would put the rest of a long line where our own lines begin.
TEST(FramedText, NoLineIsLongerThanTheScreen) {
  EXPECT_EQ(framed("0123456789abcdefghij", {.columns = 14}), "  | 0123456789\n  > abcdefghij\n");
  EXPECT_EQ(framed("漢漢漢漢漢漢", {.columns = 14}), "  | 漢漢漢漢漢\n  > 漢\n");
  EXPECT_EQ(framed("0123456789", {.columns = 1}), "  | 01234567\n  > 89\n");
}

TEST(FramedText, IsCutToAScreenful) {
  EXPECT_EQ(framed("a\nb\nc\nd", {.columns = 80, .most_lines = 2}), "  | a\n  | b\n  … 2 more lines\n");
  EXPECT_EQ(framed("0123456789abcdefghij0", {.columns = 14, .most_lines = 1}), "  | 0123456789\n  … 2 more lines\n");
}

TEST(FramedText, OneLineIsOne) {
  EXPECT_EQ(one_line("a\nb\tc", 80), "a\\nb    c");
  EXPECT_EQ(one_line("0123456789", 10), "0123456789");
  EXPECT_EQ(one_line("0123456789a", 10), "01234567…");
}

}  // namespace
}  // namespace glovebox::base
