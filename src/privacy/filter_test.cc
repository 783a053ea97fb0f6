#include "privacy/filter.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

struct FilterFixture {
  std::shared_ptr<TokenVault> vault = std::make_shared<TokenVault>();
  Filter filter{std::make_shared<Detector>(), vault, Mode::kTokenize};
};

TEST(Filter, PutsTokensIntoTexts) {
  FilterFixture with;
  EXPECT_EQ(with.filter.text("bob@example.com and eve@example.com, BOB@example.com").text,
            "<EMAIL_1> and <EMAIL_2>, <EMAIL_1>");
  EXPECT_EQ(with.filter.text("key ghp_0123456789abcdefghijABCDEFGHIJ012345").text, "key <SECRET:github>");
  EXPECT_EQ(with.filter.text("?u=bob%40example.com").text, "?u=<EMAIL_1>");
  EXPECT_EQ(with.filter.text("nothing").text, "nothing");
  EXPECT_EQ(with.filter.text("460899847", "ssn: ").text, "<SSN_1>");
  EXPECT_EQ(with.filter.text("460899847", "sum: ").text, "460899847");
  EXPECT_EQ(with.filter.text("bob@example.com 4111111111111111").counts(), R"({"EMAIL_ADDRESS":1,"CREDIT_CARD":1})");
}

TEST(Filter, KeepsJsonWhatItIs) {
  FilterFixture with;
  EXPECT_EQ(with.filter.json(R"({"to":"bob\u0040example.com","bob@example.com":[4111111111111111,-1,"x"]})").text,
            R"({"to":"<EMAIL_1>","<EMAIL_1>":["<CARD_1>",-1,"x"]})");
  EXPECT_EQ(with.filter.json(R"({"n":-4111111111111111,"m":4111111111111111.5e3})").text.find("4111111111111111,"),
            std::string::npos);
  EXPECT_EQ(with.filter.json(R"(["\bbob@example.com","\\bob2@example.com","a\\"])").text.find("example"),
            std::string::npos);
  EXPECT_EQ(with.filter.json(R"({"text":"{\"mail\":\"x\\nbob@example.com\"}"})").text,
            R"({"text":"{\"mail\":\"x\\n<EMAIL_1>\"}"})");
}

TEST(Filter, TakesAKeyOutOfManyLines) {
  FilterFixture with;
  const std::string filtered =
      with.filter
          .json(R"({"logs":["a","-----BEGIN PRIVATE KEY-----","MIIEabc","def","-----END PRIVATE KEY-----","b"]})")
          .text;
  EXPECT_EQ(filtered, R"({"logs":["a","<SECRET:private-key>","","","","b"]})");
  LineFilter lines(std::make_shared<Filter>(with.filter));
  EXPECT_EQ(lines.text("-----BEGIN RSA PRIVATE KEY-----"), "<SECRET:private-key>");
  EXPECT_EQ(lines.text("MIIEabc"), "<SECRET:private-key>");
  EXPECT_EQ(lines.text("-----END RSA PRIVATE KEY-----"), "<SECRET:private-key>");
  EXPECT_EQ(lines.text("MIIEabc"), "MIIEabc");
}

TEST(Filter, ObeysItsMode) {
  const auto detector = std::make_shared<Detector>();
  const std::string text = "bob@example.com ghp_0123456789abcdefghijABCDEFGHIJ012345";
  EXPECT_EQ(Filter(detector, nullptr, Mode::kOff).text(text).text, text);
  const Filtered seen = Filter(detector, nullptr, Mode::kDetect).text(text);
  EXPECT_EQ(seen.text, "bob@example.com <SECRET:github>");
  EXPECT_EQ(seen.counts(), R"({"SECRET":1,"EMAIL_ADDRESS":1})");
  EXPECT_EQ(Filter(detector, nullptr, Mode::kTokenize).text(text).text, "<EMAIL> <SECRET:github>");
}

}  // namespace
}  // namespace glovebox::privacy
