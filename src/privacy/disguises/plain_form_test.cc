#include "privacy/disguises/plain_form.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

std::string plain(std::string_view text) {
  const auto form = PlainForm::of(text);
  return std::string(form ? form->text() : text);
}

TEST(PlainForm, LeavesOrdinaryTextAlone) {
  for (const char* text : {"", "plain", "Größe 漢字", "100 % sure", "50%zz", "C:\\dir", "\xff\xfe"})
    EXPECT_FALSE(PlainForm::of(text)) << text;
}

TEST(PlainForm, ReadsLookAlikesAsWhatTheyLookLike) {
  EXPECT_EQ(plain("４１１１ ٤١١١ ४१११"), "4111 4111 4111");
  EXPECT_EQ(plain("4\xe2\x80\x8b"
                  "1\xef\xbb\xbf\xc2\xad"),
            "41");
  EXPECT_EQ(plain("a＠b．c"), "a@b.c");
  EXPECT_EQ(plain("1\xc2\xa0"
                  "2\xe2\x80\x91"
                  "3"),
            "1 2-3");
  EXPECT_EQ(plain("\xf0\x9d\x9f\x98\xf0\x9d\x9f\xaf"), "03");
}

TEST(PlainForm, ReadsTheMarkOfALongVowelAsADashBetweenDigits) {
  for (const char* number : {"03ー1234ー5678", "０３ー１２３４ー５６７８", R"(03\u30fc1234\u30fc5678)",
                             R"(\uff10\uff13\u30fc\uff11234%E3%83%BC5678)"})
    EXPECT_EQ(plain(number), "03-1234-5678") << number;
  EXPECT_EQ(plain(R"(サ\u30fcバ\u30fc1 1\u30fc)"), "サーバー1 1ー");
  for (const char* text : {"サーバー", "メンバー123456", "1ー", "ー1", "1ーa", "aー1", "1 ー 2"})
    EXPECT_FALSE(PlainForm::of(text)) << text;
}

TEST(PlainForm, UndoesEscapesWithinEscapes) {
  EXPECT_EQ(plain(R"(a\u0040b)"), "a@b");
  EXPECT_EQ(plain(R"(a\\\\u0040b)"), "a@b");
  EXPECT_EQ(plain(R"(a\nb\"c)"), "a\nb\"c");
  EXPECT_EQ(plain(R"(\ud835\udfd8)"), "0");
  EXPECT_EQ(plain("a%40b%2540c%252540d"), "a@b@c@d");
  EXPECT_EQ(plain(R"(\u00e9)"), "é");
  EXPECT_EQ(plain("%EF%BC%94%D9%A1%25D9%25A1%E2%80%8B"), "411");
  EXPECT_EQ(plain("%C3%A9%ff%e2%80"), "é%ff%e2%80");
}

TEST(PlainForm, ReadsSignsOfHtml) {
  EXPECT_EQ(plain("bob&#64;example&period;com &#x40; &commat;"), "bob@example.com @ @");
  EXPECT_EQ(plain("030&nbsp;90&ndash;18&shy;20"), "030 90-1820");
  EXPECT_EQ(plain("&quot;a&quot;:&lt;b&gt; &amp; c"), "\"a\":<b> & c");
  EXPECT_EQ(plain("bob&amp;#64;example.com"), "bob@example.com");
  EXPECT_EQ(plain("030&amp;nbsp;90&amp;ndash;18 bob&amp;commat;example&amp;period;com"), "030 90-18 bob@example.com");
  EXPECT_EQ(plain("&amp;#; &bogus; &"), "&#; &bogus; &");
  EXPECT_EQ(plain("&amp;amp;nbsp; &amp;"), "&nbsp; &");  // one level
  EXPECT_EQ(plain("&amp;#x20"), "&#x20");
}

TEST(PlainForm, ReadsWhatOtherToolsEscape) {
  EXPECT_EQ(plain(R"(bob\u0026#64;example.com)"), "bob@example.com");  // HTML in JSON by Go
  EXPECT_EQ(plain("bob&#64example.com &#0052;&#0049"), "bob@example.com 41");
  EXPECT_EQ(plain(R"({\x22mail\x22:\x22bob\x40x.de\x22})"), R"({"mail":"bob@x.de"})");    // a log of nginx
  EXPECT_EQ(plain(R"(bob\_miller@x\.de 536\-90\-4399)"), "bob_miller@x.de 536-90-4399");  // Markdown
  EXPECT_EQ(plain(R"(41\u000011\b1)"), "41111");
  EXPECT_EQ(plain("41\u2028"
                  "11"),
            "41\n11");
  EXPECT_FALSE(PlainForm::of(R"(C:\xyz \x4 &#1a; &#)"));
}

TEST(PlainForm, LeavesOutEveryInvisibleCharacter) {
  for (const char* invisible :
       {"\u00ad", "\u0301", "\u034f", "\u061c",     "\u064b",     "\u115f",     "\u17b4",     "\u180e",    "\u200d",
        "\u202e", "\u2062", "\u2066", "\u206a",     "\u20dd",     "\u2800",     "\u3164",     "\ufe0f",    "\ufeff",
        "\uffa0", "\ufff9", "\ufffc", "\U0001bca0", "\U0001d173", "\U000e0041", "\U000e0100", "\U000e0fff"})
    EXPECT_EQ(plain(std::string("41") + invisible + "11"), "4111");
}

TEST(PlainForm, LeavesOutMarksOfTerminalsAndLineBreaks) {
  EXPECT_EQ(plain("\x1b[1;31mbob\x1b[0m"), "bob");
  EXPECT_EQ(plain(R"(\u001b[31mbob\u001b[0m)"), "bob");
  EXPECT_EQ(plain("\x1b[38;2;255;128;0mbob"), "bob");
  EXPECT_EQ(plain("\x1b[4111111111111111x"), " [4111111111111111x");
  EXPECT_EQ(plain(R"(\u001b[1;4111111111111111m)"), " [1;4111111111111111m");
  EXPECT_EQ(plain("example<wbr>.com"), "example.com");
  EXPECT_EQ(plain("4\xef\xb8\x8f\xe2\x83\xa3"), "4");
  const std::string line(74, 'x');
  EXPECT_EQ(plain(line + "=\r\ny"), line + "y");
  EXPECT_FALSE(PlainForm::of("x=\ny <w> <wbrx> a=b"));
}

TEST(PlainForm, CountsTheCharactersOfALineThatIsEscaped) {
  const std::string line(75, 'x');
  const std::string quoted = R"(say \"hi\" \u00e9\t)" + std::string(64, 'x');  // 75 characters
  for (const std::string& one : {line, quoted}) {
    EXPECT_EQ(plain("{\"k\":\"" + one + "=\\r\\ny\"}"), "{\"k\":\"" + plain(one) + "y\"}") << one;
    EXPECT_EQ(plain("a\\n" + one + "=\\ny"), "a\n" + plain(one) + "y") << one;
  }
  // JSON within JSON
  EXPECT_EQ(plain("{\\\"k\\\":\\\"" + line + "=\\\\r\\\\ny"), "{\"k\":\"" + line + "y");
  EXPECT_EQ(plain("x=\\r\\ny"), "x=\r\ny");
  EXPECT_EQ(plain("\"" + line + "xx=\\ny"), "\"" + line + "xx=\ny");
}

TEST(PlainForm, OfAValueLeavesOutEachSoftLineBreak) {
  for (const char* value : {"bob.mil=\r\nler@example.com", "bob.mil=\nler@example.com",
                            R"(bob.mil=\r\nler@example.com)", R"(bob.mil=\\nler@example.com)"})
    EXPECT_EQ(PlainForm::of_value(value).value().text(), "bob.miller@example.com") << value;
  EXPECT_FALSE(PlainForm::of_value("a=b"));
}

TEST(PlainForm, ReadsWhatIsBracketedAgainstLinks) {
  EXPECT_EQ(plain("bob[@]example[.]com"), "bob@example.com");
  EXPECT_EQ(plain("203[.]0[.]113[.]7 b[.]m@x[.]org at 203[.]0"), "203.0.113.7 b.m@x.org at 203.0");
  EXPECT_FALSE(PlainForm::of("a[:] b[1] [.x] [@"));
  EXPECT_FALSE(PlainForm::of("bob at example[.]com, bob (at) example [.]com"));
}

TEST(PlainForm, KnowsWhereEachCharacterCameFrom) {
  const std::string_view text =
      "x\xe2\x80\x8b a%40b \\u0034\xe2\x80\x8b"
      "2é!";
  const auto form = PlainForm::of(text);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->text(), "x a@b 42é!");
  const auto original = [&](std::string_view part) {
    const std::size_t begin = form->text().find(part);
    OriginalPlaces places(text);
    const std::size_t from = places.begin_of(begin);
    return text.substr(from, places.end_of(begin + part.size()) - from);
  };
  EXPECT_EQ(original("a@b"), "a%40b");
  EXPECT_EQ(original("@"), "%40");
  EXPECT_EQ(original("42"),
            "\\u0034\xe2\x80\x8b"
            "2");
  EXPECT_EQ(original("4"), "\\u0034");
  EXPECT_EQ(original("x"), "x");
  EXPECT_EQ(original("é!"), "é!");
  // In order, as a scan does.
  OriginalPlaces places(text);
  EXPECT_EQ(places.begin_of(0), 0u);
  EXPECT_EQ(places.end_of(1), 1u);
  EXPECT_EQ(places.begin_of(2), 5u);
  EXPECT_EQ(places.end_of(5), 10u);
  EXPECT_EQ(places.end_of(form->text().size()), text.size());
}

}  // namespace
}  // namespace glovebox::privacy
