#include "types/shown_text.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(ShownText, CutsLongTextsWhereItReadsWell) {
  EXPECT_EQ(shown_line("Reads a file. Gives its whole text", 20), "Reads a file.");
  EXPECT_EQ(shown_line("Reads something from somewhere", 20), "Reads something…");
  EXPECT_EQ(shown_line("ééééééé", 5), "éé…");
}

TEST(ShownText, LeavesOutWhatCannotBeSeen) {
  EXPECT_EQ(shown_line("a\xe2\x80\xae\xe2\x80\x8b"
                       "b\x01\xf3\xa0\x81\x81",
                       100),
            "ab");
  EXPECT_EQ(shown_line("  a\r\n\tb\xe2\x80\xa8"
                       "c ",
                       100),
            "a b c");
  EXPECT_EQ(shown_text("\n a\r\n b\xe2\x80\xa9"
                       "c\n",
                       100),
            "a\n b\nc");
  EXPECT_EQ(shown_line("\xff\xc0\xaf\xed\xa0\x80", 100).find('\xff'), std::string::npos);
}

}  // namespace
}  // namespace glovebox::types
