#include "config/privacy_settings.h"

#include <gtest/gtest.h>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

std::string privacy_problems_of(const std::string& text) {
  const auto config = parse_config(text, "/w/glovebox.json");
  return config ? "" : config.failure().text();
}

TEST(PrivacySettings, AreRead) {
  const auto config = parse_config(
      R"({"privacy": {"mode": "block", "enforce": "boundary", "entities": ["EMAIL_ADDRESS"], "allow": ["*@example.com"],
          "restore": ["mail:send_*"], "custom": [{"name": "BADGE", "pattern": "B[0-9]+", "validate": "luhn"}]},
          "flows": [{"from": "crm:*", "to": "slack"}, {"from": "a", "to": "b", "action": "deny"}]})",
      "/w/glovebox.json");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const PrivacySettings& privacy = config->gateway.privacy;
  EXPECT_EQ(privacy.mode, "block");
  EXPECT_EQ(privacy.enforce, "boundary");
  EXPECT_EQ(privacy.entities, std::vector<std::string>{"EMAIL_ADDRESS"});
  EXPECT_EQ(privacy.allow, std::vector<std::string>{"*@example.com"});
  EXPECT_EQ(privacy.restore, std::vector<std::string>{"mail:send_*"});
  EXPECT_EQ(privacy.custom, (std::vector<PrivacySettings::Custom>{{"BADGE", "B[0-9]+", "luhn"}}));
  ASSERT_EQ(config->gateway.flows.size(), 2u);
  EXPECT_EQ(config->gateway.flows[0].action, "ask");
  EXPECT_EQ(config->gateway.flows[1].action, "deny");
}

TEST(PrivacySettings, SayWhatIsWrongWithThem) {
  const auto says = [](const std::string& text, const std::string& what) {
    EXPECT_NE(privacy_problems_of(text).find(what), std::string::npos) << text << "\n" << privacy_problems_of(text);
  };
  says(R"({"privacy": {"mode": "on"}})", "must be \"off\"");
  says(R"({"privacy": {"modes": "off"}})", "mode");
  says(R"({"privacy": {"enforce": "flows"}})", "must be \"answers\" or \"boundary\"");
  says("{\"privacy\": {\"restore\": [\"mail:send(to=x)\"]}}", "conditions");
  says(R"({"privacy": {"custom": [{"name": "X"}]}})", "needs \"name\" and \"pattern\"");
  says(R"({"privacy": {"custom": {}}})", "must be a list");
  says(R"({"flows": [{"from": "a"}]})", "needs \"from\" and \"to\"");
  says(R"({"flows": [{"from": "a", "to": "b", "action": "allow"}]})", "ask");
  says(R"({"flow": []})", "did you mean \"flows\"");
}

}  // namespace
}  // namespace glovebox::config
