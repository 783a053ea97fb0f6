#include "base/characters/percent.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

std::string all_bytes() {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

TEST(Percent, EscapesWhatIsNotPlain) {
  EXPECT_EQ(url_escaped("/a b-\xc3\xa9%", "/-"), "/a%20b-%C3%A9%25");
  EXPECT_EQ(url_escaped("/", ""), "%2F");
  EXPECT_EQ(printable_escaped("/a b\n\xff%~"), "/a%20b%0a%ff%25~");
  EXPECT_EQ(printable_escaped("/a b", " "), "/a b");
}

TEST(Percent, IsReadBackByteForByte) {
  EXPECT_EQ(percent_decoded(url_escaped(all_bytes(), "-._~")), all_bytes());
  EXPECT_EQ(percent_decoded(printable_escaped(all_bytes())), all_bytes());
  EXPECT_EQ(percent_decoded("%e2%E2"), "\xe2\xe2");
}

TEST(Percent, IsNotReadWithoutItsDigits) {
  for (const char* text : {"%", "a%2", "%2g", "%g2", "%%20", "% 2", "%+2"}) EXPECT_FALSE(percent_decoded(text)) << text;
}

TEST(Percent, HasASignForASpaceInForms) {
  EXPECT_EQ(percent_decoded("a+b"), "a+b");
  EXPECT_EQ(form_decoded("a+b%2B"), "a b+");
  EXPECT_FALSE(form_decoded("%+2"));
}

}  // namespace
}  // namespace glovebox::base
