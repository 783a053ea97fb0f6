#include "config/http/oauth_settings.h"

#include <gtest/gtest.h>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

constexpr const char* kWhere = R"("issuer": "https://id.example", "audience": "https://gateway.example/mcp")";

auto config_with(const std::string& more) {
  return parse_config(std::string(R"({"http": {"oauth": {)") + kWhere + more + "}}}", "/w/glovebox.json");
}

TEST(OauthSettings, HaveAProfileForEachScope) {
  const auto config = config_with(R"(, "scope": "glovebox", "profiles": [
      {"scope": "all"},
      {"scope": "read", "tools": ["github:get_*"], "ask": ["github"], "deny": ["files"], "timeoutMs": 10000,
       "memoryMB": 128, "calls": 5, "runs": 2}])");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const OauthSettings& oauth = config->gateway.http.oauth;
  EXPECT_EQ(oauth.scope, "glovebox");
  ASSERT_EQ(oauth.profiles.size(), 2u);
  EXPECT_EQ(oauth.profiles[0], policy::ClientProfile{.scope = "all"});
  policy::ClientProfile read{.tools = {{"github:get_*"}}, .ask = {"github"}, .deny = {"files"}};
  read.timeout = std::chrono::seconds(10);
  read.memory_bytes = std::size_t{128} << 20;
  read.calls = 5;
  read.runs = 2;
  read.scope = "read";
  EXPECT_EQ(oauth.profile_of("read"), read);
  EXPECT_EQ(oauth.profile_of("gone").tools, std::vector<std::string>());
}

TEST(OauthSettings, SayWhatIsWrongWithThem) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"(, "profile": [])", "http.oauth has no profile"},
      {R"(, "profiles": {})", "http.oauth.profiles must be a list"},
      {R"(, "profiles": [])", "http.oauth.profiles must be a list"},
      {R"(, "profiles": ["read"])", "http.oauth.profiles must be an object"},
      {R"(, "profiles": [{"tools": ["a"]}])", "needs \"scope\""},
      {R"(, "profiles": [{"scope": "a b"}])", "http.oauth.profiles.scope must be one word"},
      {R"(, "profiles": [{"scope": "a", "tool": ["a"]}])", "http.oauth.profiles has no tool"},
      {R"(, "profiles": [{"scope": "a", "deny": ["a:b("]}])", "http.oauth.profiles.deny is not understood"},
      {R"(, "profiles": [{"scope": "a", "runs": 0}])", "http.oauth.profiles.runs must be a whole number"},
      {R"(, "profiles": [{"scope": "a"}, {"scope": "a", "tools": []}])", "has the scope a twice"},
  };
  for (const auto& [more, expected] : wrong) {
    const auto config = config_with(more);
    ASSERT_FALSE(config.ok()) << more;
    EXPECT_NE(config.failure().text().find(expected), std::string::npos) << config.failure().text();
  }
}

}  // namespace
}  // namespace glovebox::config
