#include "privacy/filter.h"

#include <gtest/gtest.h>

#include "base/text/json_text.h"

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

// A tool that may see the value gets what was meant.
TEST(Filter, KeepsTheValueAsItIsMeant) {
  FilterFixture with;
  EXPECT_EQ(with.filter.text("bob@サーバー.jp").text, "<EMAIL_1>");
  EXPECT_EQ(with.vault->value_of("<EMAIL_1>"), "bob@サーバー.jp");
  const std::string begin(66, 'x');
  for (const char* line_end : {"=\r\n", "=\n"})
    EXPECT_EQ(with.filter.text(begin + " bob.mil" + line_end + "ler@example.com, bob.miller@example.com").text,
              begin + " <EMAIL_2>, <EMAIL_2>");
  EXPECT_EQ(with.vault->value_of("<EMAIL_2>"), "bob.miller@example.com");
  EXPECT_EQ(with.filter.text("bob_at_work_at_example.com").text, "<EMAIL_3>");
  EXPECT_EQ(with.vault->value_of("<EMAIL_3>"), "bob_at_work@example.com");
}

// The body of a mail in quoted-printable form, as an answer gives it.
TEST(Filter, FindsValuesInSoftLineBreaksOfJson) {
  const std::string card = std::string(62, 'x') + " 4111 1111 11=\r\n11 1111 and so on";
  const std::string mail = std::string(66, 'x') + " bob.mil=\nler@example.com and so on";
  for (const std::string& before : {std::string(), std::string("Hello \"Bob\"\r\n"), std::string("a\tb\n")}) {
    FilterFixture with;
    const auto expect = [&](const std::string& body, const std::string& left) {
      const std::string answer = "{\"body\":" + base::json_string(body) + "}";
      const std::string wanted = "{\"body\":" + base::json_string(left) + "}";
      EXPECT_EQ(with.filter.json(answer).text, wanted);
      EXPECT_EQ(with.filter.json("[" + base::json_string(answer) + "]").text, "[" + base::json_string(wanted) + "]");
    };
    expect(before + card, before + std::string(62, 'x') + " <CARD_1> and so on");
    expect(before + mail, before + std::string(66, 'x') + " <EMAIL_1> and so on");
    EXPECT_EQ(with.vault->value_of("<CARD_1>"), "4111 1111 1111 1111");
    EXPECT_EQ(with.vault->value_of("<EMAIL_1>"), "bob.miller@example.com");
  }
}

// All of an encoded text is replaced, whatever its size, and code can return as much of it as it likes.
TEST(Filter, KeepsNothingOfALongText) {
  FilterFixture with;
  const std::string mail = "IGJvYkBleGFtcGxlLmNvbSwg";  // " bob@example.com, "
  std::string encoded;
  for (int i = 0; i < 30; ++i) encoded += "YWFh";
  EXPECT_EQ(with.filter.text(encoded + mail).text, "<EMAIL_1>");
  while (encoded.size() < TokenVault::kLongestValue) encoded += "YWFh";
  EXPECT_EQ(with.filter.text(encoded + mail).text, "<EMAIL>");
  EXPECT_EQ(with.filter.json("[\"" + encoded + mail + "\"]").text, R"(["<EMAIL>"])");
  EXPECT_EQ(with.vault->size(), 1u);
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

// A result as an answer gives it: as text, and as JSON.
std::string answer_with(const std::string& result, const std::string& text) {
  return R"({"_meta":{},"content":[{"type":"text","text":)" + base::json_string(text) +
         R"(}],"structuredContent":{"run_id":"r","result":)" + result + "}}";
}

TEST(Filter, MakesTheTextOfAnAnswerFromItsJson) {
  const std::string much = std::string(600, '.');
  for (const std::string& mail : {"bob@example.com", "bob\\u0040example.com", "x\\nbob@example.com\\t"}) {
    FilterFixture with;
    const std::string result = R"([{"mail":")" + mail + R"(","card":4111111111111111,"more":")" + much + R"("}])";
    const Filtered both = with.filter.json(answer_with(result, result));
    const std::string left = with.filter.json(result).text;
    EXPECT_EQ(both.text, answer_with(left, left));
    EXPECT_EQ(both.counts(), R"({"EMAIL_ADDRESS":2,"CREDIT_CARD":2})");
  }
  // Where they differ, each is examined.
  FilterFixture with;
  const std::string result = R"([{"mail":"bob@example.com","more":")" + much + R"("}])";
  const std::string other = R"([{"mail":"eve@example.com","more":")" + much + R"("}])";
  EXPECT_EQ(with.filter.json(answer_with(result, other)).text.find("@"), std::string::npos);
  EXPECT_EQ(with.filter.json(answer_with(result, result + "\neve@example.com")).text.find("@"), std::string::npos);
  EXPECT_EQ(with.filter.json(answer_with(result, other + R"("}],"structuredContent":{"result":)")).text.find("@"),
            std::string::npos);
  const std::string harmless = answer_with("[\"" + much + "\"]", "[\"" + much + "\"]");
  EXPECT_FALSE(with.filter.json(harmless).any());
  EXPECT_EQ(with.filter.json(harmless).text, harmless);
}

// The text is made after the filter: from the JSON that is left.
TEST(Filter, MakesATextThatIsStillMissing) {
  const std::string head = R"({"_meta":{"to":"eve@example.com"},"content":[{"type":"text","text":")";
  const std::string middle = R"("}],"structuredContent":{"run_id":"r","result":)";
  const auto said = [&](const Filter& filter, const std::string& value, const std::string& tail) {
    const std::size_t begin = head.size() + middle.size();
    return filter.json_said_twice(head + middle + value + tail, {head.size(), begin, begin + value.size()});
  };
  for (const std::string& value :
       {std::string(R"({"mail":"bob@example.com","n":[4111111111111111,-4111111111111111]})"),
        std::string(R"("bob@example.com")"), std::string("4111111111111111")}) {
    FilterFixture with;
    const Filtered filtered = said(with.filter, value, R"(,"more":"bob@example.com"}})");
    const std::string left = with.filter.json(R"({"result":)" + value + "}").text.substr(10);
    const std::string text = base::json_string(std::string_view(left).substr(0, left.size() - 1));
    EXPECT_NE(filtered.text.find(R"("text":)" + text + "}]"), std::string::npos) << filtered.text;
    EXPECT_EQ(filtered.text.find("@"), std::string::npos);
    EXPECT_EQ(filtered.text.find("4111"), std::string::npos);
  }
  FilterFixture with;
  EXPECT_EQ(said(with.filter, R"(["bob@example.com"])", "}}").counts(), R"({"EMAIL_ADDRESS":3})");
  // A value that reaches beyond what is said twice: each is examined.
  EXPECT_EQ(said(with.filter, "4111111111111", "111}}").text.find("4111111111111111"), std::string::npos);
  const Filter off(std::make_shared<Detector>(), nullptr, Mode::kOff);
  EXPECT_EQ(said(off, R"(["bob@example.com"])", "}}").text,
            head + R"([\"bob@example.com\"])" + middle + R"(["bob@example.com"]}})");
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
