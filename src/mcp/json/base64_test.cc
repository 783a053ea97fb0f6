#include "mcp/json/base64.h"

#include <gtest/gtest.h>

namespace glovebox::mcp {
namespace {

TEST(Base64, GoesThereAndBack) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + size);
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    EXPECT_EQ(from_base64_url(base64_url(bytes)), bytes);
  }
  EXPECT_EQ(base64("Hello"), "SGVsbG8=");
}

TEST(Base64, HasOneSpelling) {
  for (const char* text : {"SGVsbG8", "SGVs!!!bG8=", "SGVsbG9=", "=", "====", "SGVsbG8=SGVs", "A==="})
    EXPECT_FALSE(from_base64(text).has_value()) << text;
  EXPECT_FALSE(from_base64_url("A").has_value());
  EXPECT_FALSE(from_base64_url("SGVsbG9").has_value());
}

}  // namespace
}  // namespace glovebox::mcp
