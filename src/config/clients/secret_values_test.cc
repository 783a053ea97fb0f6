#include "config/clients/secret_values.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

TEST(SecretValues, AreAllButWhatIsPlainlyHarmless) {
  for (const char* plain : {"", "production", "true", "8080", "1.5", "/usr/bin", "./data", "https://api.example/v1",
                            "${TOKEN}", "Bearer ${TOKEN}", "debug"})
    EXPECT_FALSE(may_be_secret("SETTING", plain)) << plain;
  for (const char* other : {"ghp_abc123", "postgres://u:p@h/db", "https://x/mcp?key=1", "Ab3", "sk-live-0123456789"})
    EXPECT_TRUE(may_be_secret("SETTING", other)) << other;
  EXPECT_TRUE(may_be_secret("DB_PASS", "hello"));
  EXPECT_TRUE(may_be_secret("Authorization", "x"));
}

std::string secret_of(std::string_view text, std::string_view before = {}) {
  const SecretSpan span = find_secret(text, before);
  return std::string(text.substr(span.offset, span.size));
}

TEST(SecretValues, StandInArgumentsAndAddresses) {
  EXPECT_EQ(secret_of("abc", "--api-key"), "abc");
  EXPECT_EQ(secret_of("--api-key=abc"), "abc");
  EXPECT_EQ(secret_of("Authorization: Bearer abc"), "Bearer abc");
  EXPECT_EQ(secret_of("https://x.example/mcp?a=1&token=abc&b=2"), "abc");
  EXPECT_EQ(secret_of("postgres://u:p@h/db"), "u:p");
  EXPECT_EQ(secret_of("API_KEY=abc"), "abc");
  for (const char* plain : {"-y", "--verbose", "@scope/package@1.2.3", "https://x.example/mcp", "--port=80",
                            "--api-key=${KEY}", "./keys/file", "https://x.example/key:1"})
    EXPECT_EQ(secret_of(plain), "") << plain;
  EXPECT_EQ(secret_of("--other", "--api-key"), "");
}

}  // namespace
}  // namespace glovebox::config
