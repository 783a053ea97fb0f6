#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include "base/text/json_text.h"

namespace glovebox::base {
namespace {

TEST(IsUtf8, KnowsTheDifference) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("é漢\xf0\x9f\x98\x80"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_utf8("abc\xe6\xbc"));
}

TEST(Utf8Text, KeepsTextAndReplacesTheRest) {
  const std::string whole = "a\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80";
  EXPECT_EQ(utf8_text(whole), whole);
  EXPECT_EQ(utf8_text("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(utf8_text("a\xE6\x97"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(utf8_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong slash";
  EXPECT_EQ(utf8_text("\xED\xA0\x80").find("\xED\xA0\x80"), std::string::npos) << "a surrogate";
  EXPECT_EQ(utf8_text("\xF4\x90\x80\x80").find('\xF4'), std::string::npos) << "beyond Unicode";
}

TEST(JsonTextOfBytes, EscapesShortAndLongTextsAlike) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const std::size_t before : {0, 7, 63, 64}) {
      const std::string text = std::string(before, 'x') + static_cast<char>(byte);
      EXPECT_EQ(is_utf8(text), byte < 0x80) << byte;
      EXPECT_EQ(json_text(text), json_string(byte < 0x80 ? text : std::string(before, 'x') + '?')) << byte;
    }
  }
}

}  // namespace
}  // namespace glovebox::base
