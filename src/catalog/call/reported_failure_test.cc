#include "catalog/call/reported_failure.h"

#include <gtest/gtest.h>

#include "catalog/call/known_paths.h"

namespace glovebox::catalog {
namespace {

TEST(ReportedFailure, HostPathsAreRemoved) {
  const struct {
    const char* text;
    const char* without;
  } cases[] = {
      {"[Errno 2] No such file or directory: '/home/ada/my data/a.csv'",
       "[Errno 2] No such file or directory: '<path>'"},
      {R"(File "/srv/x y.py", line 3)", R"(File "<path>", line 3)"},
      {"cannot open /etc/ssl/key.pem.", "cannot open <path>."},
      {"(/opt/a-b_c/d.so: wrong)", "(<path>: wrong)"},
      {"path=/root/.ssh/id", "path=<path>"},
      {"a,/x/y,/z", "a,<path>,<path>"},
      {"/", "/"},
      {"1 / 2 and/or 3/4", "1 / 2 and/or 3/4"},
      {"see https://example.com/a/b?x=/c", "see https://example.com/a/b?x=<path>"},
      {"open file:///home/ada/x failed", "open <path> failed"},
      {"~ada/.config/x and ~/y and ~3", "<path> and <path> and ~3"},
      {"data/rel.csv and ../up", "data/rel.csv and ../up"},
      {"'/home/ada\nnext' line", "'<path>\nnext' line"},
      {"//server/share", "<path>"},
      {"/tmp/\xc3\xbc/x y", "<path> y"},
      {"", ""},
  };
  for (const auto& item : cases) EXPECT_EQ(without_host_paths(item.text), item.without) << item.text;
}

TEST(ReportedFailure, KeepsPathsThatTheAgentKnows) {
  const KnownPaths known{"/home/ann/shop", R"({"path":"/data/in.csv","more":["/srv/a b"]})"};
  const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"ENOENT: open '/data/in.csv'", "ENOENT: open '/data/in.csv'"},
      {"no file '/srv/a b'", "no file '/srv/a b'"},
      {"/home/ann/shop/x.ts:3 and /home/ann/shop", "/home/ann/shop/x.ts:3 and /home/ann/shop"},
      {"/data/in.csv.bak /data /srv/a", "<path> <path> <path>"},
      {"/home/ann/shop2/x /home/ann", "<path> <path>"},
      {"/home/ann/shop/../../etc/x", "<path>"},
  };
  for (const auto& item : cases) EXPECT_EQ(reported_failure({"TOOL_ERROR", item.text}, known).message, item.expected);
  EXPECT_EQ(reported_failure({"TOOL_ERROR", "a /b/c"}, {"/", "{}"}).message, "a <path>");
}

TEST(ReportedFailure, AgentsGetAShortMessageAndTheOwnerAllOfIt) {
  const std::string whole =
      "Skill error: ValueError: no /etc/x\nTraceback (most recent call last):\n  File \"/home/ada/s.py\", line 1\n";
  const CallFailure failure = reported_failure({"TOOL_ERROR", whole, true});
  EXPECT_EQ(failure.message, "Skill error: ValueError: no <path>");
  EXPECT_EQ(failure.detail, whole);
  EXPECT_EQ(failure.code.text(), "TOOL_ERROR");
  EXPECT_TRUE(failure.sent);
}

TEST(ReportedFailure, NoFramesOfAnyLanguageAreTold) {
  for (const char* frames : {"\n    at Object.<anonymous> (x.js:1:2)", "\n\tat a.B.c(B.java:3)",
                             "\ngoroutine 1 [running]:\nmain.main()", "\nstack backtrace:\n   0: std"}) {
    EXPECT_EQ(reported_failure({"TOOL_ERROR", std::string("it broke") + frames}).message, "it broke");
  }
  // The position of an argument is not a path of this machine.
  EXPECT_EQ(reported_failure({"INVALID_ARGUMENTS", "a.b does not take these arguments: /count is a number"}).message,
            "a.b does not take these arguments: /count is a number");
  const CallFailure twice = reported_failure(reported_failure({"TOOL_ERROR", "no /etc/x"}));
  EXPECT_EQ(twice.message, "no <path>");
  EXPECT_EQ(twice.detail, "no /etc/x");
}

TEST(ReportedFailure, FiveHundredCharactersAreEnough) {
  std::string just;
  for (int i = 0; i < 500; ++i) just += "ü";
  EXPECT_EQ(reported_failure({"TOOL_ERROR", just}).message, just);
  const std::string cut = reported_failure({"TOOL_ERROR", just + "x"}).message;
  EXPECT_EQ(cut, just.substr(0, 499 * 2) + "…");
}

}  // namespace
}  // namespace glovebox::catalog
