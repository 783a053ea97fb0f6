#include "gateway/privacy/run_privacy.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>
#include <vector>

#include "base/text/json_text.h"

namespace glovebox::gateway {
namespace {

using Random = std::mt19937;

std::shared_ptr<PrivacyGuard> guard_with(std::vector<std::string> restore) {
  config::PrivacySettings settings;
  settings.restore = std::move(restore);
  return std::move(PrivacyGuard::make(settings, {}, privacy::Mode::kTokenize)).value();
}

// What the config means, computed differently from how rules are parsed.
bool is_meant(const std::vector<std::string>& restore, const std::string& server, const std::string& tool) {
  for (const std::string& pattern : restore) {
    const std::size_t colon = pattern.find(':');
    const std::string wanted = colon == std::string::npos ? "*" : pattern.substr(colon + 1);
    if (pattern.substr(0, colon) != server) continue;
    if (wanted == "*" || wanted == tool) return true;
    if (wanted.ends_with('*') && tool.starts_with(wanted.substr(0, wanted.size() - 1))) return true;
  }
  return false;
}

// A document with the text somewhere: as a value, as a key, nested, beside other things, with parts of it escaped.
std::string placed(Random& random, const std::string& text) {
  const std::string string = base::json_string(text);
  switch (random() % 4) {
    case 0: return R"({"to":)" + string + "}";
    case 1: return "{" + string + R"(:[1,true]})";
    case 2: return R"({"a":[{"b":{"c":[null,)" + string + R"(]}}],"d":"plain"})";
    default: return R"({"json":)" + base::json_string(R"({"to":)" + string + "}") + "}";
  }
}

// A client without sessions chooses the names of its conversations.
TEST(PrivacyGuard, ManyNamesOfOneClientCostNoOtherItsTokens) {
  const auto guard = guard_with({});
  const auto vault = guard->vault("http:ann");
  for (int i = 0; i < 3000; ++i) (void)guard->filter("http:eve made-up-name-" + std::to_string(i));
  EXPECT_LE(guard->conversations(), 1000u);
  EXPECT_EQ(guard->vault("http:ann"), vault);
}

// Code can make up as many values as it likes.
TEST(PrivacyGuard, TokensOfAllConversationsAreBounded) {
  constexpr std::size_t kMost = 100'000;
  const auto guard = std::move(PrivacyGuard::make({}, {}, privacy::Mode::kTokenize, kMost)).value();
  ASSERT_EQ(guard->filter("http:ann")->text("bob@example.com").text, "<EMAIL_1>");
  std::size_t together = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "http:eve made-up-name-" + std::to_string(i % 10);
    for (int k = 0; k < 50; ++k) (void)guard->filter(name)->text("m" + std::to_string(i * 50 + k) + "@example.com");
    together = guard->vault("http:ann")->bytes();
    for (int k = 0; k < 10; ++k) together += guard->vault("http:eve made-up-name-" + std::to_string(k))->bytes();
    ASSERT_LE(together, kMost);
  }
  EXPECT_GT(together, kMost / 2);
  EXPECT_EQ(guard->vault("http:ann")->value_of("<EMAIL_1>"), "bob@example.com");
}

// Whatever the rules, the tool and the arguments: a value gets only into a call of a tool that `restore` names; other
// conversations' tokens, and what merely looks like a token, stay.
TEST(RunPrivacy, PutsValuesIntoNoCallThatRestoreDoesNotName) {
  const std::vector<std::string> patterns = {"mail", "mail:send", "mail:send_*", "crm:*", "crm:find", "slack:p*"};
  const std::vector<std::string> servers = {"mail", "crm", "slack", "mailer", "mail2"};
  const std::vector<std::string> tools = {"send", "send_all", "sender", "find", "post", "p", "remove"};
  const std::vector<std::string> values = {"bob@example.com", "4111111111111111", "GB82WEST12345698765432"};
  Random random(5);
  int given = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::string> restore;
    for (const std::string& pattern : patterns)
      if (random() % 4 == 0) restore.push_back(pattern);
    const auto guard = guard_with(restore);
    const std::string stranger = guard->filter("other")->text("eve@example.com").text;
    std::string text;
    for (const std::string& value : values) text += guard->filter("own")->text(value).text + " ";
    text += stranger + " <EMAIL_99> <SECRET:github>";
    const std::string& server = servers[random() % servers.size()];
    const std::string& tool = tools[random() % tools.size()];
    const std::string arguments = placed(random, text);
    const std::string restored = RunPrivacy(guard, "own").restored(server, tool, arguments);
    if (!is_meant(restore, server, tool)) {
      ASSERT_EQ(restored, arguments) << server << ":" << tool;
      continue;
    }
    ++given;
    for (const std::string& value : values) ASSERT_NE(restored.find(value), std::string::npos) << restored;
    ASSERT_EQ(restored.find("eve@"), std::string::npos) << restored;
    ASSERT_NE(restored.find("<EMAIL_99> <SECRET:github>"), std::string::npos) << restored;
    boost::system::error_code error;
    (void)boost::json::parse(restored, error);
    ASSERT_FALSE(error) << restored;
  }
  EXPECT_GT(given, 50);
}

TEST(RunPrivacy, KnowsOfAResumedRunOnlyWhatWasKept) {
  const auto guard = guard_with({"mail"});
  ASSERT_EQ(guard->filter()->text("eve@example.com and joe@example.com").text, "<EMAIL_1> and <EMAIL_2>");
  const auto privacy = RunPrivacy::resumed(guard, {{"<EMAIL_1>", "bob@example.com"}});
  EXPECT_EQ(privacy->restored("mail", "send", R"({"to":"<EMAIL_1>, <EMAIL_2>"})"),
            R"({"to":"bob@example.com, <EMAIL_2>"})");
}

TEST(RunPrivacy, OutlivesItsConversation) {
  const auto guard = guard_with({"mail"});
  (void)guard->filter("a")->text("bob@example.com");
  const RunPrivacy running(guard, "a");
  guard->end("a");
  EXPECT_EQ(guard->conversations(), 0u);
  EXPECT_EQ(running.restored("mail", "send", R"(["<EMAIL_1>"])"), R"(["bob@example.com"])");
  EXPECT_EQ(RunPrivacy(guard, "a").restored("mail", "send", R"(["<EMAIL_1>"])"), R"(["<EMAIL_1>"])");
  // A later value gets a new number.
  EXPECT_EQ(guard->filter("a")->text("eve@example.com").text, "<EMAIL_2>");
}

TEST(RunPrivacy, ForgetsConversationsThatNobodyUses) {
  const auto guard = guard_with({"mail"});
  (void)guard->filter("a")->text("bob@example.com");
  (void)guard->filter("b")->text("eve@example.com");
  for (int i = 0; i < 2000; ++i) {
    (void)guard->filter("client-" + std::to_string(i));
    (void)guard->filter("a");
  }
  EXPECT_LE(guard->conversations(), 1000u);
  EXPECT_EQ(RunPrivacy(guard, "a").restored("mail", "send", R"(["<EMAIL_1>"])"), R"(["bob@example.com"])");
  EXPECT_EQ(RunPrivacy(guard, "b").restored("mail", "send", R"(["<EMAIL_2>"])"), R"(["<EMAIL_2>"])");
}

std::shared_ptr<PrivacyGuard> boundary_with(std::vector<std::string> restore, const char* mode = "tokenize") {
  config::PrivacySettings settings;
  settings.mode = mode;
  settings.enforce = "boundary";
  settings.restore = std::move(restore);
  settings.allow = {"*@our.example"};
  return std::move(PrivacyGuard::make(settings, {}, privacy::Mode::kTokenize)).value();
}

constexpr const char* kCustomer =
    R"({"name":"Ann","mail":"ann.miller7@example.com","card":4111111111111111,"phone":"+49 30 9018200",)"
    R"("iban":"GB82 WEST 1234 5698 7654 32","ours":"help@our.example","city":"Lisbon"})";

// Ways to pass the crm's result to a tool that must not have it.
TEST(PrivacyBoundary, PrivateValuesReachNoToolThatRestoreDoesNotName) {
  const auto guard = boundary_with({"mail:send_*"});
  RunPrivacy run(guard, "");
  run.read("crm", "find", kCustomer);
  const std::vector<std::string> carried = {
      R"({"text":"ann.miller7@example.com"})",
      R"({"text":"write to ANN.MILLER7@EXAMPLE.COM today"})",
      R"({"ann.miller7@example.com":1})",
      R"({"a":{"b":[["ann.miller7@example.com"]]}})",
      R"({"text":"{\"mail\":\"ann.miller7\\u0040example.com\"}"})",
      R"({"text":"ann.miller7%40example.com"})",
      R"({"text":"YW5uLm1pbGxlcjdAZXhhbXBsZS5jb20="})",
      R"({"text":"annmiller7examplecom"})",
      R"({"user":"ann.miller7","host":"example.com"})",
      R"({"text":"a-n-n-m-i-l-l-e-r-7-e-x-a-m-p-l-e-c-o-m"})",
      R"({"n":4111111111111111})",
      R"({"text":"4111-1111-1111-1111"})",
      R"({"a":"41111111","b":"11111111"})",
      R"({"parts":["4111","1111","1111","1111"]})",
      R"({"text":"030 901 82 00"})",
      R"({"text":"09018200"})",
      R"({"text":"gb82west12345698765432"})",
      R"({"text":"GB82WEST and 1234569876 then 5432","x":"GB82 WEST12345698765432"})",
      // Not read by any tool, but it looks private.
      R"({"text":"eve@example.com"})",
      R"({"password":"hunter2hunter"})",
  };
  for (const std::string& arguments : carried) {
    const auto reached = run.reaches("paste", "put", arguments);
    ASSERT_TRUE(reached && reached->denied) << arguments;
    EXPECT_EQ(reached->rule, "privacy.enforce");
    EXPECT_FALSE(run.reaches("mail", "send_one", arguments)) << arguments;
    EXPECT_TRUE(run.reaches("mail", "list", arguments)) << arguments;
  }
  // The sentence contains no value.
  EXPECT_EQ(
      run.reaches("paste", "put", carried[0])->why,
      "it would carry a value of EMAIL_ADDRESS to paste:put, which privacy.restore does not name; pass a token, or "
      "leave it out");
  for (const char* arguments :
       {R"({"text":"Lisbon, for <EMAIL_1>"})", R"({"to":"help@our.example"})", R"({})",
        R"({"count":3,"name":"example"})", R"({"text":"the customer in Lisbon is called Ann"})"})
    EXPECT_FALSE(run.reaches("paste", "put", arguments)) << arguments;
}

TEST(PrivacyBoundary, IsOffUnlessItIsAskedForAndInModeOff) {
  RunPrivacy usual(guard_with({}), "");
  usual.read("crm", "find", kCustomer);
  EXPECT_FALSE(usual.reaches("paste", "put", R"({"text":"ann.miller7@example.com"})"));
  RunPrivacy off(boundary_with({}, "off"), "");
  off.read("crm", "find", kCustomer);
  EXPECT_FALSE(off.reaches("paste", "put", R"({"text":"ann.miller7@example.com"})"));
  RunPrivacy detect(boundary_with({}, "detect"), "");
  EXPECT_TRUE(detect.reaches("paste", "put", R"({"text":"ann.miller7@example.com"})"));
}

// It is unknown what it read before: a person decides, for tools that may not have private values.
TEST(PrivacyBoundary, ARunThatWentOnIsAskedAbout) {
  const auto taken = RunPrivacy::resumed(boundary_with({"mail"}), {});
  const auto reached = taken->reaches("paste", "put", R"({"text":"anything"})");
  ASSERT_TRUE(reached);
  EXPECT_FALSE(reached->denied);
  EXPECT_FALSE(taken->reaches("mail", "send", R"({"text":"anything"})"));
  EXPECT_TRUE(taken->reaches("paste", "put", R"({"text":"eve@example.com"})")->denied);
}

}  // namespace
}  // namespace glovebox::gateway
