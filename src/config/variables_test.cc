#include "config/variables.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

std::optional<std::string> variable(std::string_view name) {
  if (name == "TOKEN") return "t0k";
  if (name == "EMPTY") return "";
  if (name == "NESTED") return "${TOKEN}";
  return std::nullopt;
}

TEST(Variables, AreReplacedOnce) {
  const struct {
    const char* text;
    const char* becomes;
  } cases[] = {
      {"", ""},
      {"plain $5 $$ {TOKEN}", "plain $5 $$ {TOKEN}"},
      {"${TOKEN}", "t0k"},
      {"Bearer ${TOKEN}!${TOKEN}", "Bearer t0k!t0k"},
      {"${env:TOKEN}", "t0k"},
      {"${NESTED}", "${TOKEN}"},
      {"${MISSING:-else}", "else"},
      {"${MISSING:-}", ""},
      {"${EMPTY}", ""},
      {"${EMPTY:-else}", "else"},
      {"${TOKEN:-else}", "t0k"},
      {"${env:MISSING:-x:-y}", "x:-y"},
  };
  for (const auto& item : cases) {
    const auto expanded = expand_variables(item.text, variable);
    ASSERT_TRUE(expanded.ok()) << item.text;
    EXPECT_EQ(*expanded, item.becomes);
  }
}

TEST(Variables, ThatCannotBeKnownAreNamed) {
  EXPECT_EQ(expand_variables("${MISSING}", variable).failure().message, "the variable MISSING is not set");
  EXPECT_EQ(expand_variables("a${TOKEN", variable).failure().message, "\"${TOKEN\" has no closing brace");
  EXPECT_EQ(expand_variables("${a b}", variable).failure().message, "${a b} is not the name of a variable");
  EXPECT_EQ(expand_variables("${input:github_token}", variable).failure().message,
            "${input:github_token} asks a person, which is not possible here; use a variable: ${github_token}");
}

TEST(Variables, OfAFile) {
  const auto found = parse_env_file("# a\n\nA=1\nexport B = two words # remark\r\nC=\"x # y\"\nD='z'\nE=a=b\nF=");
  ASSERT_TRUE(found.ok());
  const std::map<std::string, std::string> expected = {{"A", "1"}, {"B", "two words"}, {"C", "x # y"},
                                                       {"D", "z"}, {"E", "a=b"},       {"F", ""}};
  EXPECT_EQ(*found, expected);
  EXPECT_EQ(parse_env_file("A=1\nnonsense").failure().message, "line 2 is not NAME=value");
  EXPECT_EQ(parse_env_file("A B=1").failure().message, "line 1 is not NAME=value");
}

}  // namespace
}  // namespace glovebox::config
