#include "types/typescript_text.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(TypeScriptText, QuotesWhatCouldEndAString) {
  EXPECT_EQ(string_literal("a\"b\\c\nd"), R"("a\"b\\c\nd")");
  EXPECT_EQ(string_literal("\xe2\x80\xa8\xe2\x80\xa9"), R"("\u2028\u2029")");
  EXPECT_EQ(string_literal("`${x}` é"), "\"`${x}` é\"");
  EXPECT_EQ(string_literal("*/"), R"("*\/")");
  EXPECT_EQ(string_literal(std::string_view("\0\x7f\xff", 3)), R"("\u0000\u007f\ufffd")");
}

TEST(TypeScriptText, LeavesPlainNamesBare) {
  EXPECT_EQ(property_name("list_commits"), "list_commits");
  EXPECT_EQ(property_name("class"), "class");
  EXPECT_EQ(property_name("new"), "\"new\"");
  EXPECT_EQ(property_name("constructor"), "\"constructor\"");
  EXPECT_EQ(property_name("__proto__"), "\"__proto__\"");
  EXPECT_EQ(property_name(""), "\"\"");
  EXPECT_EQ(property_name("2d"), "\"2d\"");
  EXPECT_EQ(property_name("a b"), "\"a b\"");
  EXPECT_EQ(property_name("é"), "\"é\"");
}

TEST(TypeScriptText, KnowsReservedWords) {
  for (const char* word :
       {"arguments", "await", "class", "function", "implements", "undefined", "with", "yield", "let"})
    EXPECT_TRUE(is_reserved_word(word)) << word;
  for (const char* word : {"", "a", "console", "type", "zebra"}) EXPECT_FALSE(is_reserved_word(word)) << word;
}

TEST(TypeScriptText, EndsNoComment) {
  EXPECT_EQ(comment_line("a */ b", 100), "a *\\/ b");
  EXPECT_EQ(comment_line("a *\n/ b", 100), "a * / b");
  EXPECT_EQ(comment_line("a *\xe2\x80\x8b/ b", 100), "a *\\/ b");
  EXPECT_EQ(comment_line("  a\r\n\tb\xe2\x80\xa8"
                         "c ",
                         100),
            "a b c");
  EXPECT_EQ(comment_text("\n a\r\n b\xe2\x80\xa9"
                         "c\n",
                         100),
            "a\n b\nc");
  EXPECT_EQ(comment_line("@ts-expect-error", 100), "@ ts-expect-error");
  EXPECT_EQ(comment_line("@\xe2\x80\x8bts-ignore me@there.tv", 100), "@ ts-ignore me@there.tv");
}

TEST(TypeScriptText, MakesWordsOfAnything) {
  EXPECT_EQ(plain_word("a_b"), "a_b");
  EXPECT_EQ(plain_word("a-b.c$"), "a_b_c_");
  EXPECT_EQ(plain_word(""), "");
  EXPECT_EQ(plain_word(std::string(1000, 'x')).size(), 48u);
}

}  // namespace
}  // namespace glovebox::types
