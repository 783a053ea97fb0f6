#include "glovebox/error_word.h"

#include <gtest/gtest.h>

#include "glovebox/failure_code.h"

namespace glovebox {
namespace {

TEST(ErrorWord, IsFoundInTheTable) {
  constexpr ErrorWord word = "RPC_TIMEOUT";
  EXPECT_EQ(word.name(), "RPC_TIMEOUT");
  EXPECT_EQ(word.area(), ErrorWord::Area::kCall);
  EXPECT_EQ(word.exit_code(), 8);
  EXPECT_TRUE(word == ErrorWord("RPC_TIMEOUT"));
  EXPECT_FALSE(word == ErrorWord("TOOL_ERROR"));
}

TEST(ErrorWord, IsReadFromText) {
  ASSERT_TRUE(ErrorWord::read("USAGE"));
  EXPECT_EQ(ErrorWord::read("USAGE")->text(), "USAGE");
  EXPECT_FALSE(ErrorWord::read("usage"));
  EXPECT_FALSE(ErrorWord::read("OF_A_GUEST"));
  EXPECT_FALSE(ErrorWord::read(""));
}

TEST(FailureCode, IsAWordOfTheTable) {
  constexpr FailureCode code = "RPC_TIMEOUT";
  EXPECT_EQ(code.name(), "RPC_TIMEOUT");
  EXPECT_TRUE(code == "RPC_TIMEOUT");
  EXPECT_FALSE(code == "TOOL_ERROR");
  EXPECT_TRUE(code.word() == ErrorWord("RPC_TIMEOUT"));
  EXPECT_TRUE(FailureCode().empty());
}

TEST(FailureCode, MayBeSomebodyElses) {
  const auto code = FailureCode::read("ENOENT");
  ASSERT_TRUE(code);
  EXPECT_EQ(code->text(), "ENOENT");
  EXPECT_FALSE(code->word());
  EXPECT_TRUE(FailureCode::read("TOOL_ERROR") == FailureCode("TOOL_ERROR"));
}

TEST(FailureCode, IsNotAnyText) {
  EXPECT_TRUE(FailureCode::read(std::string(64, 'X')));
  for (const std::string& text : {std::string(), std::string(65, 'X'), std::string("no such file"), std::string("a"),
                                  std::string("A\n"), std::string("A\0", 2), std::string("\xc3\x84")})
    EXPECT_FALSE(FailureCode::read(text)) << text;
}

}  // namespace
}  // namespace glovebox
