#include "gateway/privacy/redaction.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

TEST(Redaction, TakesSecretsOut) {
  EXPECT_EQ(redacted(R"({"path":"./a","n":1,"b":[true,null]})"), R"({"path":"./a","n":1,"b":[true,null]})");
  EXPECT_EQ(redacted(R"({"password":"x","API_Key":"y","x":{"access-token":["z"]}})"),
            R"({"password":"[redacted]","API_Key":"[redacted]","x":{"access-token":"[redacted]"}})");
  EXPECT_EQ(redacted(R"({"q":"ghp_0123456789abcdef","r":"Bearer 0123456789"})"),
            R"({"q":"<SECRET:github>","r":"<SECRET:bearer-token>"})");
  EXPECT_EQ(redacted(R"({"q":"-----BEGIN RSA PRIVATE KEY-----\nMII"})"), R"({"q":"<SECRET:private-key>"})");
}

TEST(Redaction, TakesPrivateDataOut) {
  EXPECT_EQ(redacted(R"({"to":"bob@example.com","bob@example.com":{"card":4111111111111111}})"),
            R"({"to":"<EMAIL>","<EMAIL>":{"card":"<CARD>"}})");
  // The key says what the digits are.
  EXPECT_EQ(redacted(R"({"ssn":"460899847","sum":"460899847","n":460899847})"),
            R"({"ssn":"<SSN>","sum":"460899847","n":460899847})");
  // A value that begins in the shown part is recognised.
  EXPECT_EQ(redacted("{\"a\":\"" + std::string(250, 'x') + " bob@example.com\"}").find("bob"), std::string::npos);
  EXPECT_EQ(redacted_text("cannot mail bob@example.com"), "cannot mail <EMAIL>");
}

TEST(Redaction, CutsWhatIsLong) {
  const std::string text = redacted("{\"content\":\"" + std::string(5000, 'a') + "\"}");
  EXPECT_LT(text.size(), 400u);
  EXPECT_NE(text.find("(5000 bytes)"), std::string::npos);
  std::string items = "{\"a\":[0";
  for (int i = 0; i < 100; ++i) items += ",0";
  EXPECT_NE(redacted(items + "]}").find("(101 items)"), std::string::npos);
  // Characters are not split.
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
