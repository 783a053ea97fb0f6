#include "calls/net/byte_string.h"

#include <gtest/gtest.h>

namespace glovebox::calls {
namespace {

TEST(ByteString, GoesThereAndBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(bytes_of_text(text_of_bytes(all)), all);
  EXPECT_EQ(text_of_bytes("\xe4"), "\xc3\xa4");
  EXPECT_EQ(bytes_of_text("a\xc3\xa4"), "a\xe4");
}

TEST(ByteString, HoldsNoOtherCharacters) {
  for (const char* text : {"\xc4\x80", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xc2"})
    EXPECT_FALSE(bytes_of_text(text)) << text;
}

}  // namespace
}  // namespace glovebox::calls
