#include "config/skill_settings.h"

#include <gtest/gtest.h>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

std::optional<std::string> skill_variable(std::string_view name) {
  return name == "TOKEN" ? std::optional<std::string>("t0k") : std::nullopt;
}

std::vector<ServerSpec> servers_of(const std::string& text) {
  const auto config = parse_config(text, "/w/glovebox.json");
  EXPECT_TRUE(config.ok()) << config.failure().text();
  return config ? config->prepared_servers(skill_variable) : std::vector<ServerSpec>{};
}

std::string skill_problems_of(const std::string& text) {
  const auto config = parse_config(text, "g.json");
  return config ? "" : config.failure().text();
}

TEST(SkillSettings, AFolderIsOneMoreServer) {
  const auto servers = servers_of(R"({"mcpServers": {"a": {"command": "x"}}, "skills": "./skills"})");
  ASSERT_EQ(servers.size(), 2u);
  EXPECT_FALSE(servers[0].classes);
  EXPECT_EQ(servers[1].name, "skills");
  EXPECT_TRUE(servers[1].classes);
  EXPECT_EQ(servers[1].command, "python3");
  ASSERT_EQ(servers[1].args.size(), 3u);
  EXPECT_EQ(servers[1].args[0], "-B");
  EXPECT_TRUE(servers[1].args[1].ends_with("/glovebox-skills")) << servers[1].args[1];
  EXPECT_EQ(servers[1].args[2], "/w/./skills");
}

TEST(SkillSettings, MoreCanBeSaid) {
  const auto servers = servers_of(R"({"skills": {"folder": "/s/${TOKEN}", "python": "venv/bin/python",
                                      "env": {"KEY": "${TOKEN}"}, "callTimeoutMs": 7, "disabled": true}})");
  ASSERT_EQ(servers.size(), 1u);
  EXPECT_EQ(servers[0].command, "/w/venv/bin/python");
  EXPECT_EQ(servers[0].args.back(), "/s/t0k");
  EXPECT_EQ(servers[0].env.at("KEY"), "t0k");
  EXPECT_EQ(servers[0].call_timeout->count(), 7);
  EXPECT_TRUE(servers[0].disabled);
}

TEST(SkillSettings, SaysWhatIsWrong) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {R"({"skills": 5})", "g.json:1:12: skills must be"},
      {R"({"skills": ""})", "skills"},
      {R"({"skills": {}})", "skills needs a folder"},
      {R"({"skills": {"folder": []}})", "skills.folder must be"},
      {R"({"skills": {"foldre": "x"}})", "did you mean \"folder\"?"},
      {R"({"skills": {"folder": "x", "command": "sh"}})", "skills has no key \"command\""},
      {R"({"skils": "x"})", "did you mean \"skills\"?"},
      {R"({"skills": "x", "mcpServers": {"skills": {"command": "x"}}})", "taken by another server"},
      {R"({"mcpServers": {"skills": {"command": "x"}}, "skills": "x"})", "a server already has that name"},
  };
  for (const auto& item : cases) {
    EXPECT_NE(skill_problems_of(item.text).find(item.says), std::string::npos) << item.text << "\n"
                                                                               << skill_problems_of(item.text);
  }
}

}  // namespace
}  // namespace glovebox::config
