#include "gateway/approvals/reply.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace glovebox::gateway {
namespace {

TEST(Reply, ReadsWhatPeopleType) {
  const auto yes = typed_reply(" yes \r", "y", false);
  ASSERT_TRUE(yes);
  EXPECT_TRUE(yes->approved);
  EXPECT_EQ(yes->scope, store::Scope::kOnce);
  EXPECT_FALSE(typed_reply("n", "y", true)->approved);
  EXPECT_EQ(typed_reply("r", "y", true)->scope, store::Scope::kRun);
  EXPECT_EQ(typed_reply("session", "y", true)->scope, store::Scope::kSession);
  EXPECT_EQ(typed_reply("a", "y", true)->scope, store::Scope::kAlways);
}

// An empty line, a key pressed by mistake or a word that is not offered decides nothing.
TEST(Reply, TakesNothingElseForAnAnswer) {
  for (const char* line : {"", " ", "Y", "yess", "ja", "1", "yes no"})
    EXPECT_FALSE(typed_reply(line, "y", true)) << line;
  for (const char* line : {"r", "session", "a", "always"}) EXPECT_FALSE(typed_reply(line, "y", false)) << line;
}

// A person who approves several calls has seen how many there are.
TEST(Reply, SeveralCallsAreAllowedByTheirNumber) {
  EXPECT_TRUE(typed_reply("12", "12", true)->approved);
  EXPECT_EQ(typed_reply("12", "12", true)->scope, store::Scope::kOnce);
  EXPECT_EQ(typed_reply(" 12s ", "12", true)->scope, store::Scope::kSession);
  EXPECT_EQ(typed_reply("12a", "12", true)->scope, store::Scope::kAlways);
  EXPECT_FALSE(typed_reply("no", "12", true)->approved);
  for (const char* line : {"y", "yes", "a", "1", "123", "2", "12y", "12 12"}) {
    EXPECT_FALSE(typed_reply(line, "12", true)) << line;
  }
  EXPECT_FALSE(typed_reply("12a", "12", false));
}

std::optional<FormReply> form(const char* json) {
  return form_reply(boost::json::parse(json).as_object());
}

TEST(Reply, AFormSaysYesInOneWayOnly) {
  const auto yes = form(R"({"action":"accept","content":{"decision":"approve","scope":"run","reason":"fine"}})");
  ASSERT_TRUE(yes);
  EXPECT_TRUE(yes->approved());
  EXPECT_EQ(yes->scope, store::Scope::kRun);
  EXPECT_EQ(yes->reason, "fine");
  for (const char* no :
       {R"({"action":"accept"})", R"({"action":"accept","content":{"decision":"deny","scope":"always"}})",
        R"({"action":"accept","content":{"decision":true}})", R"({"action":"accept","content":[]})",
        R"({"action":"decline","content":{"decision":"approve","scope":"always"}})"}) {
    ASSERT_TRUE(form(no)) << no;
    EXPECT_FALSE(form(no)->approved()) << no;
    EXPECT_EQ(form(no)->scope, store::Scope::kOnce) << no;
  }
}

TEST(Reply, AClosedFormDecidesNothing) {
  for (const char* closed :
       {"{}", R"({"action":"cancel"})", R"({"action":1})", R"({"content":{"decision":"approve"}})"})
    EXPECT_FALSE(form(closed)) << closed;
}

}  // namespace
}  // namespace glovebox::gateway
