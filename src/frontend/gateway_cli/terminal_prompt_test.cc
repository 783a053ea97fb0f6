#include "frontend/gateway_cli/terminal_prompt.h"

#include <gtest/gtest.h>

namespace glovebox::frontend {
namespace {

TEST(TerminalPrompt, ReadsWhatPeopleType) {
  const auto yes = read_reply(" yes \r", false);
  ASSERT_TRUE(yes);
  EXPECT_TRUE(yes->approved);
  EXPECT_EQ(yes->scope, store::Scope::kOnce);
  EXPECT_FALSE(read_reply("n", true)->approved);
  EXPECT_EQ(read_reply("r", true)->scope, store::Scope::kRun);
  EXPECT_EQ(read_reply("session", true)->scope, store::Scope::kSession);
  EXPECT_EQ(read_reply("a", true)->scope, store::Scope::kAlways);
}

// An empty line, a key pressed by mistake or a word that is not offered decides nothing.
TEST(TerminalPrompt, TakesNothingElseForAnAnswer) {
  for (const char* line : {"", " ", "Y", "yess", "ja", "1", "yes no"}) EXPECT_FALSE(read_reply(line, true)) << line;
  for (const char* line : {"r", "session", "a", "always"}) EXPECT_FALSE(read_reply(line, false)) << line;
}

}  // namespace
}  // namespace glovebox::frontend
