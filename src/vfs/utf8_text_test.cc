#include "vfs/utf8_text.h"

#include <gtest/gtest.h>

namespace glovebox::vfs {
namespace {

TEST(Utf8Text, KeepsTextAndReplacesTheRest) {
  const std::string whole = "a\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80";
  EXPECT_EQ(utf8_text(whole), whole);
  EXPECT_EQ(utf8_text("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(utf8_text("a\xE6\x97"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(utf8_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD") << "an overlong slash";
  EXPECT_EQ(utf8_text("\xED\xA0\x80").find("\xED\xA0\x80"), std::string::npos) << "a surrogate";
  EXPECT_EQ(utf8_text("\xF4\x90\x80\x80").find('\xF4'), std::string::npos) << "beyond Unicode";
}

}  // namespace
}  // namespace glovebox::vfs
