#include "base/characters/ascii.h"

#include <gtest/gtest.h>

#include <cctype>

namespace glovebox::base {
namespace {

TEST(Ascii, KnowsEachCharacterAsTheCLocaleDoes) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(is_digit(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(is_lower(c), std::islower(byte) != 0) << byte;
    EXPECT_EQ(is_upper(c), std::isupper(byte) != 0) << byte;
    EXPECT_EQ(is_letter(c), std::isalpha(byte) != 0) << byte;
    EXPECT_EQ(is_alnum(c), std::isalnum(byte) != 0) << byte;
    EXPECT_EQ(to_lower(c), static_cast<char>(std::tolower(byte))) << byte;
    EXPECT_EQ(to_upper(c), static_cast<char>(std::toupper(byte))) << byte;
    EXPECT_EQ(hex_value(c) >= 0, std::isxdigit(byte) != 0) << byte;
  }
  EXPECT_EQ(hex_value('0'), 0);
  EXPECT_EQ(hex_value('9'), 9);
  EXPECT_EQ(hex_value('a'), 10);
  EXPECT_EQ(hex_value('F'), 15);
}

TEST(Ascii, KnowsWordsNumbersAndNames) {
  EXPECT_TRUE(is_number("0123456789"));
  EXPECT_FALSE(is_number(""));
  EXPECT_FALSE(is_number("1a"));
  EXPECT_TRUE(is_word("-a.B9", "-."));
  EXPECT_FALSE(is_word("", "-"));
  EXPECT_FALSE(is_word("a b", "-."));
  EXPECT_FALSE(is_word("\xc3\xa9", "-")) << "a letter beyond ASCII";
  EXPECT_TRUE(is_identifier("_a9"));
  EXPECT_TRUE(is_identifier("a-9", "-"));
  EXPECT_FALSE(is_identifier("9a"));
  EXPECT_FALSE(is_identifier("-a", "-"));
  EXPECT_FALSE(is_identifier("a-b"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_TRUE(is_http_token("X-Api_Key"));
  EXPECT_FALSE(is_http_token("X Api"));
  EXPECT_FALSE(is_http_token("a:b"));
}

TEST(Ascii, FoldsCase) {
  EXPECT_EQ(lower_case("Ab-Z\xc3\x89"), "ab-z\xc3\x89");
  EXPECT_TRUE(equal_ignoring_case("Content-LENGTH", "content-length"));
  EXPECT_FALSE(equal_ignoring_case("content", "content-length"));
  EXPECT_FALSE(equal_ignoring_case("@", "`")) << "they differ by the bit that letters do";
}

TEST(Ascii, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" a\n", " "), "a\n");
  EXPECT_TRUE(is_blank(" \t\r\n"));
  EXPECT_TRUE(is_blank(""));
  EXPECT_FALSE(is_blank(" . "));
}

}  // namespace
}  // namespace glovebox::base
