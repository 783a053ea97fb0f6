#include "frontend/gateway_cli/terminal_prompt.h"

#include <gtest/gtest.h>

namespace glovebox::frontend {
namespace {

TEST(TerminalPrompt, ReadsWhatPeopleType) {
  const auto yes = read_reply(" yes \r", "y", false);
  ASSERT_TRUE(yes);
  EXPECT_TRUE(yes->approved);
  EXPECT_EQ(yes->scope, store::Scope::kOnce);
  EXPECT_FALSE(read_reply("n", "y", true)->approved);
  EXPECT_EQ(read_reply("r", "y", true)->scope, store::Scope::kRun);
  EXPECT_EQ(read_reply("session", "y", true)->scope, store::Scope::kSession);
  EXPECT_EQ(read_reply("a", "y", true)->scope, store::Scope::kAlways);
}

// An empty line, a key pressed by mistake or a word that is not offered decides nothing.
TEST(TerminalPrompt, TakesNothingElseForAnAnswer) {
  for (const char* line : {"", " ", "Y", "yess", "ja", "1", "yes no"})
    EXPECT_FALSE(read_reply(line, "y", true)) << line;
  for (const char* line : {"r", "session", "a", "always"}) EXPECT_FALSE(read_reply(line, "y", false)) << line;
}

// Whoever allows several calls has seen how many they are.
TEST(TerminalPrompt, SeveralCallsAreAllowedByTheirNumber) {
  EXPECT_TRUE(read_reply("12", "12", true)->approved);
  EXPECT_EQ(read_reply("12", "12", true)->scope, store::Scope::kOnce);
  EXPECT_EQ(read_reply(" 12s ", "12", true)->scope, store::Scope::kSession);
  EXPECT_EQ(read_reply("12a", "12", true)->scope, store::Scope::kAlways);
  EXPECT_FALSE(read_reply("no", "12", true)->approved);
  for (const char* line : {"y", "yes", "a", "1", "123", "2", "12y", "12 12"}) {
    EXPECT_FALSE(read_reply(line, "12", true)) << line;
  }
  EXPECT_FALSE(read_reply("12a", "12", false));
}

}  // namespace
}  // namespace glovebox::frontend
