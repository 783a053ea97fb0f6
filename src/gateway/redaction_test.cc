#include "gateway/redaction.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

TEST(Redaction, TakesSecretsOut) {
  EXPECT_EQ(redacted(R"({"path":"./a","n":1,"b":[true,null]})"), R"({"path":"./a","n":1,"b":[true,null]})");
  EXPECT_EQ(redacted(R"({"password":"x","API_Key":"y","x":{"access-token":["z"]}})"),
            R"({"password":"[redacted]","API_Key":"[redacted]","x":{"access-token":"[redacted]"}})");
  EXPECT_EQ(redacted(R"({"q":"ghp_0123456789abcdef","r":"Bearer 0123456789"})"),
            R"({"q":"[redacted]","r":"[redacted]"})");
  EXPECT_EQ(redacted(R"({"q":"-----BEGIN RSA PRIVATE KEY-----\nMII"})"), R"({"q":"[redacted]"})");
  for (const char* key : {"Authorization", "client_secret", "passwd", "auth", "session-id", "Set-Cookie"}) {
    EXPECT_TRUE(looks_like_secret_key(key)) << key;
  }
  for (const char* key : {"path", "author", "content", "passage", "id"})
    EXPECT_FALSE(looks_like_secret_key(key)) << key;
}

TEST(Redaction, CutsWhatIsLong) {
  const std::string text = redacted("{\"content\":\"" + std::string(5000, 'a') + "\"}");
  EXPECT_LT(text.size(), 400u);
  EXPECT_NE(text.find("(5000 bytes)"), std::string::npos);
  std::string items = "{\"a\":[0";
  for (int i = 0; i < 100; ++i) items += ",0";
  EXPECT_NE(redacted(items + "]}").find("(101 items)"), std::string::npos);
  // Characters stay whole.
  std::string wide = "{\"a\":\"x";
  for (int i = 0; i < 200; ++i) wide += "é";
  const std::string cut = redacted(wide + "\"}");
  EXPECT_NE(cut.find("é…"), std::string::npos) << cut;
}

TEST(Redaction, OfWhatCannotBeReadNothingIsShown) {
  EXPECT_EQ(redacted("secret"), "null");
  EXPECT_EQ(redacted(R"({"a":1,"a":"secret"})"), "null");
}

}  // namespace
}  // namespace glovebox::gateway
