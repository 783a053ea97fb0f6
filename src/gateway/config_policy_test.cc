#include "gateway/config_policy.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/config_file.h"

namespace glovebox::gateway {
namespace {

TEST(ConfigPolicy, ARuleIsRememberedInTheFile) {
  char name[] = "/tmp/glovebox-config-XXXXXX";
  const std::string folder = ::mkdtemp(name);
  const std::string path = folder + "/glovebox.json";
  ASSERT_TRUE(remember_rule(path, "fs:read").ok());
  std::ofstream(path) << R"({
  // ours
  "permissions": { "allow": ["gh"], "ask": ["fs:read", "fs"] },
})";
  ASSERT_TRUE(remember_rule(path, "fs:read").ok());
  ASSERT_TRUE(remember_rule(path, "fs:read").ok());
  ASSERT_TRUE(remember_rule(path, "fs:w(path=./out/**)").ok());
  const auto config = config::read_config_file(path);
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const auto& permissions = config.value().gateway.permissions;
  EXPECT_EQ(permissions.allow, (std::vector<std::string>{"gh", "fs:read", "fs:w(path=./out/**)"}));
  EXPECT_EQ(permissions.ask, std::vector<std::string>{"fs"});
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_NE(text.find("// ours"), std::string::npos);
  const auto rules = rules_of(permissions, folder).value();
  EXPECT_EQ(rules.decide("fs", "read", "{}").verdict, policy::Verdict::kAllow);
  EXPECT_EQ(rules.decide("fs", "other", "{}").verdict, policy::Verdict::kAsk);
  std::ofstream(path) << "not json";
  EXPECT_FALSE(remember_rule(path, "fs:read").ok());
  std::filesystem::remove_all(folder);
}

TEST(ConfigPolicy, LimitsOfOnePatternAreOne) {
  config::CallLimits limits;
  limits.calls_per_minute = {{"fs", 60}, {"gh", 5}};
  limits.concurrent_per_pattern = {{"fs", 4}};
  const auto made = limits_of(limits);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made.at("fs").per_minute, 60);
  EXPECT_EQ(made.at("fs").concurrent, 4u);
  EXPECT_FALSE(made.at("gh").concurrent);
}

}  // namespace
}  // namespace glovebox::gateway
