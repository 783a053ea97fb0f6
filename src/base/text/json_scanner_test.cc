#include "base/text/json_scanner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace glovebox::base {
namespace {

using namespace std::string_literals;

const char* wrong_with(std::string_view text, SliceOptions options = {}) {
  JsonScanner scanner(text, options);
  scanner.skip_space();
  const char* wrong = scanner.value(1);
  return wrong ? wrong : scanner.finish();
}

TEST(JsonScanner, PassesEveryKindOfValue) {
  for (const char* text : {"null", " true ", "-0.5e+10", "\"\"", "[]", "{ }", R"([1,[2,{"a":"b\u00e9"}],"]"])"})
    EXPECT_EQ(wrong_with(text), nullptr) << text;
}

TEST(JsonScanner, SaysWhatIsWrong) {
  EXPECT_STREQ(wrong_with(""), "a value was expected");
  EXPECT_STREQ(wrong_with("nul"), "an unknown word");
  EXPECT_STREQ(wrong_with("-"), "a number without digits");
  EXPECT_STREQ(wrong_with("01"), "text after the value");
  EXPECT_STREQ(wrong_with("[1"), "an unfinished array");
  EXPECT_STREQ(wrong_with("{\"a\":1"), "an unfinished object");
  EXPECT_STREQ(wrong_with("{\"a\",1}"), "a colon was expected");
  EXPECT_STREQ(wrong_with("\"a\x01\""), "a control character in a string");
  EXPECT_STREQ(wrong_with("\"\\ud83d\\u0041\""), "half a surrogate pair");
}

// The words of eight bytes in which plain text is passed must neither hide a byte nor read one too many.
TEST(JsonScanner, EndsAStringWhereverItsQuoteIs) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (const char special : {'"', '\\', '\x1f'}) {
      std::string text = "\"" + std::string(length, '\xc3') + special;
      const auto exact = std::make_unique<char[]>(text.size());  // so that a sanitizer sees one byte too many
      text.copy(exact.get(), text.size());
      const char* wrong = wrong_with({exact.get(), text.size()});
      if (special == '"') {
        EXPECT_EQ(wrong, nullptr) << length;
      } else {
        EXPECT_NE(wrong, nullptr) << length;
      }
    }
  }
}

TEST(JsonScanner, StopsAtEveryCutOfAText) {
  const std::string whole = R"({"a":"b\\\ud83d\ude00","c":[1.5e3,{"d":"e"}],"f":true})";
  ASSERT_EQ(wrong_with(whole), nullptr);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto exact = std::make_unique<char[]>(length);
    whole.copy(exact.get(), length);
    EXPECT_NE(wrong_with({exact.get(), length}), nullptr) << whole.substr(0, length);
  }
}

TEST(JsonScanner, FindsRepeatedKeysInAnyDisguise) {
  const char* text = R"([{"a":{"path":1,"pat\u0068":2}}])";
  EXPECT_EQ(wrong_with(text), nullptr);
  EXPECT_STREQ(wrong_with(text, {.unique_keys = true}), "a repeated key");
}

TEST(JsonScanner, ComparesKeysOfOneObjectOnly) {
  std::string many;
  for (int i = 0; i < 20; ++i) many += "\"k" + std::to_string(i) + "\":{\"k1\":[{\"k1\":0}]},";
  EXPECT_FALSE(wrong_with("{" + many + "\"k\":0}", {.unique_keys = true}));
  EXPECT_TRUE(wrong_with("{" + many + "\"k\":{},\"k19\":0}", {.unique_keys = true}));
  EXPECT_FALSE(wrong_with(R"({"a":{"a":1,"b":{"a":1}},"b":[{"a":1},{"a":1}]})", {.unique_keys = true}));
  EXPECT_TRUE(wrong_with(R"({"a":{"b":{"c":1},"b":2}})", {.unique_keys = true}));
}

TEST(JsonScanner, RefusesNumbersBeyondADoubleWhenAsked) {
  const std::string digits(400, '9');
  for (const std::string& number :
       {"1e309"s, "-1E+400"s, "17976931348623159e292"s, digits, "-" + digits + ".5", digits + "e-5"}) {
    EXPECT_FALSE(wrong_with(number)) << number;
    EXPECT_TRUE(wrong_with(number, {.finite_numbers = true})) << number;
    EXPECT_TRUE(wrong_with("[1," + number + "]", {.finite_numbers = true})) << number;
  }
  for (const std::string& number :
       {"1e308"s, "1e-400"s, "0." + std::string(400, '0') + "1", "0e999"s, digits + "e-200"}) {
    EXPECT_FALSE(wrong_with(number, {.finite_numbers = true})) << number;
  }
}

TEST(JsonScanner, HandsOverMembersAndItems) {
  JsonScanner scanner(R"({"a": [1, 2] , "b\n":3})", {});
  std::vector<std::string> seen;
  const char* wrong = scanner.object([&](std::string_view key, bool escaped) {
    seen.push_back(std::string(key) + (escaped ? " escaped" : ""));
    if (scanner.peek() != '[') return scanner.value(2);
    return scanner.array([&] {
      const char* const begin = scanner.at();
      const char* bad = scanner.value(3);
      seen.emplace_back(scanner.since(begin));
      return bad;
    });
  });
  EXPECT_EQ(wrong, nullptr);
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "1", "2", "b\\n escaped"}));
}

TEST(Unescaped, TakesEveryEscape) {
  EXPECT_EQ(unescaped(R"(a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00)"), "a\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80");
}

// Half a character swallows nothing of what follows, and what comes out is UTF-8.
TEST(Unescaped, ReplacesHalfACharacter) {
  EXPECT_EQ(unescaped(R"(\ud800abcdefgh)"),
            "\xef\xbf\xbd"
            "abcdefgh");
  EXPECT_EQ(unescaped(R"(\udc00\ud800)"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(unescaped(R"(\ud800\u0041)"),
            "\xef\xbf\xbd"
            "A");
}

TEST(Unescaped, ReadsNothingBehindAnEscapeThatIsCut) {
  for (const std::string_view text : {"a\\", "a\\u", "a\\u12", "\\ud83d\\u", "\\ud83d\\ude"}) {
    const auto exact = std::make_unique<char[]>(text.size());
    text.copy(exact.get(), text.size());
    EXPECT_LE(unescaped({exact.get(), text.size()}).size(), 8u) << text;
  }
}

TEST(ClosingQuote, PassesEscapedOnes) {
  EXPECT_EQ(closing_quote(R"(["a\"b"])", 1), 6u);
  EXPECT_EQ(closing_quote("\"a", 0), 2u);
  EXPECT_EQ(closing_quote("\"a\\", 0), 3u);
}

}  // namespace
}  // namespace glovebox::base
