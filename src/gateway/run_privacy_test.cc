#include "gateway/run_privacy.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>
#include <vector>

#include "base/json_text.h"

namespace glovebox::gateway {
namespace {

using Random = std::mt19937;

std::shared_ptr<PrivacyGuard> guard_with(std::vector<std::string> restore) {
  config::PrivacySettings settings;
  settings.restore = std::move(restore);
  return std::move(PrivacyGuard::make(settings, {}, privacy::Mode::kTokenize)).value();
}

// What the config means, told in another way than the rules are read.
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

// A document with the text somewhere: as a value, as a key, deep, beside other things, with parts of it escaped.
std::string placed(Random& random, const std::string& text) {
  const std::string string = base::json_string(text);
  switch (random() % 4) {
    case 0: return R"({"to":)" + string + "}";
    case 1: return "{" + string + R"(:[1,true]})";
    case 2: return R"({"a":[{"b":{"c":[null,)" + string + R"(]}}],"d":"plain"})";
    default: return R"({"json":)" + base::json_string(R"({"to":)" + string + "}") + "}";
  }
}

// Whatever the rules, the tool and the arguments: a value gets into a call of a tool that `restore` names, and into no
// other; the tokens of others, and what merely looks like one, stay.
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

TEST(RunPrivacy, KnowsOfWhatWasTakenUpOnlyWhatWasKept) {
  const auto guard = guard_with({"mail"});
  ASSERT_EQ(guard->filter()->text("eve@example.com and joe@example.com").text, "<EMAIL_1> and <EMAIL_2>");
  const auto privacy = RunPrivacy::taken_up(guard, {{"<EMAIL_1>", "bob@example.com"}});
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
  // What comes later is somebody else.
  EXPECT_EQ(guard->filter("a")->text("eve@example.com").text, "<EMAIL_2>");
}

TEST(RunPrivacy, ForgetsConversationsThatNobodyUses) {
  const auto guard = guard_with({"mail"});
  (void)guard->filter("a")->text("bob@example.com");
  (void)guard->filter("b")->text("eve@example.com");
  for (int i = 0; i < 5000; ++i) {
    (void)guard->filter("client " + std::to_string(i));
    (void)guard->filter("a");
  }
  EXPECT_LE(guard->conversations(), 1000u);
  EXPECT_EQ(RunPrivacy(guard, "a").restored("mail", "send", R"(["<EMAIL_1>"])"), R"(["bob@example.com"])");
  EXPECT_EQ(RunPrivacy(guard, "b").restored("mail", "send", R"(["<EMAIL_2>"])"), R"(["<EMAIL_2>"])");
}

}  // namespace
}  // namespace glovebox::gateway
