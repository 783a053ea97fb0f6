#include "gateway/approvals/remembered_rule.h"

#include <gtest/gtest.h>

#include "policy/tool_rules.h"

namespace glovebox::gateway {
namespace {

std::string rule_for(const std::vector<std::string>& arguments, const std::string& tool = "t") {
  std::vector<store::ApprovalCall> calls;
  for (const std::string& one : arguments) calls.push_back({1, "s", tool, one, "h", std::nullopt, ""});
  std::vector<const store::ApprovalCall*> all;
  for (const store::ApprovalCall& call : calls) all.push_back(&call);
  return remembered_rule(all, "/home/ada/w").value_or("");
}

TEST(RememberedRule, FixesEveryArgument) {
  EXPECT_EQ(rule_for({R"({"to":"bob","amount":1})"}, "pay"), "s:pay(only to=bob, amount=1)");
  EXPECT_EQ(rule_for({R"({"to":"bob","amount":1})", R"({"amount":1,"to":"bob"})"}), "s:t(only to=bob, amount=1)");
  EXPECT_EQ(rule_for({R"j({"a":true,"b":null,"c":"","d":"x, y)"})j"}),
            R"j(s:t(only a=true, b=null, c="", d="x, y)"))j");
  EXPECT_EQ(rule_for({"{}"}), "s:t(only)");
  EXPECT_EQ(rule_for({R"({"url":"https://example.com/x"})"}), "s:t(only url=https://example.com/x)");
  EXPECT_EQ(rule_for({R"({"cwd":"out","command":"ls"})"}), "s:t(only cwd=out, command=ls)");
}

TEST(RememberedRule, AFileStandsForItsFolderInsideTheWorkspace) {
  EXPECT_EQ(rule_for({R"({"path":"./out/a.txt"})"}), "s:t(only path=./out/**)");
  EXPECT_EQ(rule_for({R"({"filePath":"/home/ada/w/out/b/a"})"}), "s:t(only filePath=./out/b/**)");
  EXPECT_EQ(rule_for({R"({"path":"out/a"})", R"({"path":"./out/b/c"})"}), "s:t(only path=./out/**)");
  EXPECT_EQ(rule_for({R"({"path":"./my notes/a"})"}), R"(s:t(only path="./my notes/**"))");
  EXPECT_EQ(rule_for({R"({"path":"./out/a","content":"x"})"}), "s:t(only path=./out/**, content=x)");
}

// The whole workspace, paths outside it and hidden folders are not allowed as a whole.
TEST(RememberedRule, OtherFilesAreMeantAlone) {
  EXPECT_EQ(rule_for({R"({"path":"./notes.md"})"}), "s:t(only path=./notes.md)");
  EXPECT_EQ(rule_for({R"({"path":"notes.md"})"}), "s:t(only path=notes.md)");
  EXPECT_EQ(rule_for({R"({"path":"/a"})"}), "s:t(only path=/a)");
  EXPECT_EQ(rule_for({R"({"path":"/etc/passwd"})"}), "s:t(only path=/etc/passwd)");
  EXPECT_EQ(rule_for({R"({"path":"./.git/config"})"}), "s:t(only path=./.git/config)");
  EXPECT_EQ(rule_for({R"({"path":"./a/.x/b"})"}), "s:t(only path=./a/.x/b)");
  EXPECT_EQ(rule_for({R"({"path":"./a/x"})", R"({"path":"/etc/y"})"}), "");
  EXPECT_EQ(rule_for({R"({"path":"./a/x"})", R"({"path":"./b/x"})"}), "");
}

TEST(RememberedRule, NeverSpeaksOfOurOwnFiles) {
  for (const char* path : {"./glovebox.json", "glovebox.json", "./GLOVEBOX.json", "./.glovebox/glovebox.db", ".pml/x",
                           "/home/ada/w", ".", "./", "/", "/home", "..", "./out/..", "sub/glovebox.json",
                           "/home/ada/.config/glovebox/config.json", "/home/ada/.local/state/glovebox/x"}) {
    EXPECT_EQ(rule_for({R"({"path":")" + std::string(path) + R"("})"}), "") << path;
  }
  EXPECT_EQ(rule_for({R"({"path":"./sub/.glovebox/a"})"}), "");
  EXPECT_EQ(rule_for({R"({"name":"glovebox.json"})"}), "");
}

// The agent chooses each of these spellings.
TEST(RememberedRule, ThereIsNoneWhereTheSpellingWouldWidenIt) {
  for (const char* arguments : {
           R"({"path":"~/x"})",
           R"({"path":"a\\b"})",
           R"({"file":{"path":"./out/a"}})",
           R"({"paths":["./out/a"]})",
           R"({"path":"./*/a"})",
           R"({"to":"*"})",
           R"({"to":"b?b"})",
           R"({"to":"\"bob\""})",
           R"({"to":"bob\nx"})",
           R"({"n":"1"})",
           R"({"n":"true"})",
           R"({"n":"null"})",
           R"({"command":"cat a/b"})",
           R"({"cwd":"./out/"})",
           R"({"profile":"./out/a"})",
           R"({"xpath":"./out/a"})",
           R"({"to":"b\u200bob"})",
           R"({"to":"b\u202eob"})",
           R"({"a.b":1})",
           R"({"a=b":1})",
           R"({"a b":1})",
           R"({"":1})",
           R"({"a*":1})",
           R"({"a":1,"a":2})",
           R"({"path":"file:///x/a"})",
       }) {
    EXPECT_EQ(rule_for({arguments}), "") << arguments;
  }
  EXPECT_EQ(rule_for({R"({"to":"bob"})", R"({"to":"eve"})"}), "");
  EXPECT_EQ(rule_for({R"({"from":"./a/x"})", R"({"from":"./a/x","to":"./b/y"})"}), "");
  EXPECT_EQ(rule_for({R"({"a":1})", R"({"b":1})"}), "");
  EXPECT_EQ(rule_for({R"({"to":")" + std::string(1000, 'b') + R"("})"}), "");
  EXPECT_EQ(rule_for({"{}"}, "wri*te"), "");
  EXPECT_EQ(rule_for({"{}"}, "t\xe2\x80\x8b"), "");
}

// Approving a call does not approve the same call with more or other arguments.
TEST(RememberedRule, AllowsNothingElse) {
  const struct {
    const char* shown;
    const char* made;
  } cases[] = {
      {R"({"to":"bob","amount":1})", R"({"to":"bob","amount":2})"},
      {R"({"to":"bob","amount":1})", R"({"to":"eve","amount":1})"},
      {R"({"to":"bob","amount":1})", R"({"to":"bob","amount":"1"})"},
      {R"({"to":"bob","amount":1})", R"({"to":"bob","amount":1,"again":true})"},
      {R"({"to":"bob","amount":1})", R"({"to":"bob"})"},
      {R"({"path":"./out/a"})", R"({"path":"./out/a","recursive":true})"},
      {R"({"path":"./out/a"})", R"({"path":"./out/../glovebox.json"})"},
      {R"({"path":"./notes.md"})", R"({"path":"./glovebox.json"})"},
      {"{}", R"({"all":true})"},
  };
  for (const auto& item : cases) {
    const auto rules = policy::ToolRules::parse({{rule_for({item.shown})}, {}, {}}, "/home/ada/w");
    ASSERT_TRUE(rules.ok()) << item.shown;
    EXPECT_EQ(rules->decide("s", "t", item.shown).verdict, policy::Verdict::kAllow) << item.shown;
    EXPECT_EQ(rules->decide("s", "t", item.made).verdict, policy::Verdict::kAsk) << item.made;
  }
}

}  // namespace
}  // namespace glovebox::gateway
