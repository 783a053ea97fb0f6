#include "base/characters/code_point.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace glovebox::base {
namespace {

TEST(CodePoint, ReadsWhatItWrites) {
  for (char32_t point = 0; point <= 0x10ffff; ++point) {
    if (point == 0xd800) point = 0xe000;
    std::string text;
    append_code_point(text, point);
    ASSERT_EQ(first_character(text).point, point);
    ASSERT_EQ(first_character(text + "x").bytes, text.size()) << static_cast<unsigned>(point);
    if (text.size() > 1) ASSERT_EQ(first_character(text.substr(0, text.size() - 1)).bytes, 0U) << "cut off";
  }
}

// simdjson has another way to tell.
TEST(CodePoint, AgreesAboutWhatIsUtf8) {
  for (unsigned bytes = 0; bytes < 0x1000000; bytes += bytes < 0x800000 ? 0x1fff : 1 + bytes % 7 * 31) {
    const std::string text = {static_cast<char>(bytes >> 16), static_cast<char>(bytes >> 8), static_cast<char>(bytes)};
    const std::size_t length = first_character(text).bytes;
    const bool one_of_three = length == 3 && is_utf8(text);
    const bool has_one = is_utf8(text.substr(0, 1)) || is_utf8(text.substr(0, 2)) || is_utf8(text);
    ASSERT_EQ(length > 0, has_one) << bytes;
    ASSERT_EQ(length == 3, one_of_three) << bytes;
  }
  EXPECT_EQ(first_character("\xf4\x90\x80\x80").bytes, 0U) << "beyond Unicode";
  EXPECT_EQ(first_character("\xf0\x8f\xbf\xbf").bytes, 0U) << "longer than needed";
  EXPECT_EQ(first_character("\xf8\x88\x80\x80\x80").bytes, 0U);
}

TEST(CodePoint, GoesOnAfterABadByte) {
  std::size_t at = 0;
  const std::string_view text = "\xe6\x97z";
  EXPECT_EQ(next_code_point(text, at), kReplacement);
  EXPECT_EQ(next_code_point(text, at), kReplacement);
  EXPECT_EQ(next_code_point(text, at), U'z');
  EXPECT_EQ(at, text.size());
}

TEST(CodePoint, HasOneUnitOrTwo) {
  std::u16string units;
  for (const char32_t point : {U'a', U'漢', U'\U0001f600'})
    each_utf16_unit(point, [&](char16_t unit) { units += unit; });
  EXPECT_EQ(units, u"a漢\U0001f600");
}

}  // namespace
}  // namespace glovebox::base
