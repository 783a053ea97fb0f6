#include "gateway/runs/run_settings.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

TEST(RunSettings, ComeBackAsTheyWere) {
  RunSettings settings;
  settings.config.timeout = std::chrono::milliseconds(5);
  settings.config.cpu = std::chrono::milliseconds(6);
  settings.config.memory_bytes = 7;
  settings.config.allow_read = {"/a", "b\"c"};
  settings.config.allow_net_private = true;
  settings.config.file_mode = FileMode::kOverlay;
  settings.config.max_tool_calls = 8;
  settings.config.rpc_timeout = std::chrono::milliseconds(9);
  settings.config.total_timeout = std::chrono::milliseconds(11);
  settings.config.python_cpu = std::chrono::milliseconds(12);
  settings.config.python_memory_bytes = 13;
  settings.chain = {"acme.tools.math.add.a7f3"};
  settings.variables = {"API_KEY"};
  settings.tools = {"fs:*"};
  settings.notes = {"less than was asked for"};
  settings.depth = 3;
  settings.profile = policy::ClientProfile{.tools = {{"fs:read", "gh"}}, .deny = {"gh:drop"}};
  settings.principal = "http:laptop-1";
  settings.config.only_read.emplace();
  settings.config.only_write = {"/a/b"};
  const auto back = run_settings_of(to_json(settings));
  ASSERT_TRUE(back.ok()) << back.failure().message;
  EXPECT_EQ(to_json(back.value()), to_json(settings));
  EXPECT_EQ(back.value().config.cpu, std::chrono::milliseconds(6));
  EXPECT_EQ(back.value().config.allow_read, settings.config.allow_read);
  EXPECT_EQ(back.value().config.file_mode, FileMode::kOverlay);
  EXPECT_EQ(back.value().tools, settings.tools);
  EXPECT_EQ(back.value().profile, settings.profile);
  EXPECT_EQ(back.value().notes, settings.notes);
  EXPECT_EQ(back.value().depth, settings.depth);
  EXPECT_EQ(back.value().principal, settings.principal);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().profile);
  EXPECT_EQ(back.value().config.only_read, settings.config.only_read);
  EXPECT_EQ(back.value().config.only_write, settings.config.only_write);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().config.only_read);
  EXPECT_EQ(back.value().chain, settings.chain);
  EXPECT_EQ(back.value().variables, settings.variables);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().tools);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().config.cpu);
}

TEST(RunSettings, NothingIsLeftToDefaults) {
  EXPECT_FALSE(run_settings_of("{}").ok());
  EXPECT_FALSE(run_settings_of("").ok());
  std::string text = to_json(RunSettings());
  text.replace(text.find("\"allowRead\":[]"), 14, "\"allowRead\":7 ");
  EXPECT_FALSE(run_settings_of(text).ok());
}

TEST(RunSettings, RunsFromBeforePythonGetNothingMore) {
  std::string text = to_json(RunSettings());
  const auto drop = [&](const std::string& key) {
    const std::size_t from = text.find(",\"" + key + "\"");
    ASSERT_NE(from, text.npos);
    std::size_t to = text.find(",\"", from + 1);
    // The list of imports contains commas.
    if (const std::size_t list = text.find('[', from); list < text.find(':', from) + 2) to = text.find(']', list) + 1;
    text.erase(from, std::min(to, text.size() - 1) - from);
  };
  drop("pythonBlockedImports");
  drop("pythonWheels");
  drop("pythonCpuMs");
  drop("pythonMemoryBytes");
  drop("totalTimeoutMs");
  ASSERT_EQ(text.find("python"), text.npos) << text;
  const auto back = run_settings_of(text);
  ASSERT_TRUE(back.ok()) << back.failure().message;
  EXPECT_EQ(back->config.python_blocked_imports, SandboxConfig::default_python_blocked_imports());
  EXPECT_EQ(back->config.python_wheels, "");
  // A setting that is present must be valid.
  EXPECT_FALSE(run_settings_of(text.substr(0, text.size() - 1) + R"(,"pythonWheels":7})").ok());
}

}  // namespace
}  // namespace glovebox::gateway
