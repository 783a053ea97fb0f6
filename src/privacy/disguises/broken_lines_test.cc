#include "privacy/disguises/broken_lines.h"

#include <gtest/gtest.h>

#include "privacy/filter.h"

namespace glovebox::privacy {
namespace {

struct BrokenLineFixture {
  std::shared_ptr<TokenVault> vault = std::make_shared<TokenVault>();
  std::shared_ptr<Filter> filter = std::make_shared<Filter>(std::make_shared<Detector>(), vault, Mode::kTokenize);
};

TEST(BrokenLines, AreBetweenLinesAndStringsOfAList) {
  EXPECT_EQ(line_break_at("a\nb", 1)->end, 2u);
  EXPECT_EQ(line_break_at("a\r\nb", 2)->begin, 1u);
  EXPECT_EQ(line_break_at(R"(["a", "b"])", 3)->end, 7u);
  EXPECT_FALSE(line_break_at(R"({"x":"a","b":1})", 7));
  EXPECT_FALSE(line_break_at(R"({"x":"a","b" : 1})", 7));
  EXPECT_FALSE(line_break_at(R"(["a"])", 3));
  EXPECT_EQ(without_breaks("4111 1111 \r\n1111 1111"), "4111 11111111 1111");
  EXPECT_EQ(without_breaks(R"(bob@exam","ple.com)"), "bob@example.com");
}

TEST(BrokenLines, HideNothing) {
  BrokenLineFixture with;
  EXPECT_EQ(with.filter->text("to bob@exam\nple.com, to").text, "to <EMAIL_1>, to");
  EXPECT_EQ(with.vault->value_of("<EMAIL_1>"), "bob@example.com");
  EXPECT_EQ(with.filter->text("pay 4111 1111\n1111 1111 now").text, "pay <CARD_1> now");
  EXPECT_EQ(with.filter->text("pay 411111\r\n1111111111 now, 4111111111111111").text, "pay <CARD_1> now, <CARD_1>");
  EXPECT_EQ(with.filter->json(R"({"logs":["is GB82WEST","12345698765432!","x"]})").text,
            R"({"logs":["is <IBAN_1>","!","x"]})");
  EXPECT_EQ(with.filter->json(R"({"text":"logs:\nghp_0123456\n789abcdefghijABCDEFGHIJ012345\n"})").text,
            R"({"text":"logs:\n<SECRET:github>\n"})");
}

TEST(BrokenLines, MayHaveAMargin) {
  BrokenLineFixture with;
  EXPECT_EQ(with.filter->text("pay 4111 1111\n    1111 1111 now").text, "pay <CARD_1> now");
  EXPECT_EQ(with.filter->text("> pay 4111 1111\n> 1111 1111 now").text, "> pay <CARD_1> now");
  EXPECT_EQ(with.filter->text("# pay 41111111\r\n# 11111111 now").text, "# pay <CARD_1> now");
  EXPECT_EQ(with.vault->value_of("<CARD_1>"), "4111 11111111 1111");
  for (const char* text : {"  41111111\n  11111111\n", "x1\n    @abc.method", "a1\n#define X",
                           "is 41111111\n\n11111111 x", "trace 4111\n2026-11-19T10:11:12 1111"})
    EXPECT_EQ(with.filter->text(text).text, text);
}

TEST(BrokenLines, DoNotJoinAUuidWithTheNextLine) {
  BrokenLineFixture with;
  // DE89 3704 0044 0532 0130 00 is an account, where it is one.
  EXPECT_EQ(with.filter->text("x-de8937040044\n0532013000 y").text, "x-<IBAN_1> y");
  for (const char* text :
       {"6f1b2c3d-0011-4aa2-9c3e-de8937040044\n0532013000 y", "ids 6f1b2c3d-0011-4aa2-9c3e-de8937040044\n0532013000"})
    EXPECT_EQ(with.filter->text(text).text, text);
}

TEST(BrokenLines, AreNoReasonToReadListsAsOneNumber) {
  BrokenLineFixture with;
  for (const char* text : {"41111111\n11111111\n", "a,41111111\n11111111,b\n", "user a\nb@x and c",
                           "total 4\n111 items", "see 12.03.1990\nand 4"})
    EXPECT_EQ(with.filter->text(text).text, text);
  // Keys have no fixed length: text on the next line is separate.
  EXPECT_EQ(with.filter->json(R"(["ghp_0123456789abcdefghijABCDEFGHIJ012345","ab12cd34ef56"])").text,
            R"(["<SECRET:github>","ab12cd34ef56"])");
  for (const char* json : {R"(["41111111","11111111"])", R"({"a":"41111111","11111111":"b"})"})
    EXPECT_EQ(with.filter->json(json).text, json);
}

TEST(BrokenLines, KeepTheRestOfAValueWhoseBeginningHasGoneOut) {
  BrokenLineFixture with;
  LineFilter lines(with.filter);
  EXPECT_EQ(lines.text("pay with 4111 1111"), "pay with 4111 1111");
  EXPECT_EQ(lines.text("1111 1111 today"), "<CARD_1> today");
  EXPECT_EQ(lines.text("4111111111111111"), "<CARD_1>");
  EXPECT_EQ(lines.json(R"("mail bob@")"), R"("mail bob@")");
  EXPECT_EQ(lines.json(R"("example.com \u00e9")"), R"("<EMAIL_1> é")");
}

}  // namespace
}  // namespace glovebox::privacy
