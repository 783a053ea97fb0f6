#include "gateway/runs/run_settings.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

TEST(RunSettings, ComeBackAsTheyWere) {
  RunSettings settings;
  settings.sandbox.timeout = std::chrono::milliseconds(5);
  settings.sandbox.cpu = std::chrono::milliseconds(6);
  settings.sandbox.memory_bytes = 7;
  settings.sandbox.allow_read = {"/a", "b\"c"};
  settings.sandbox.allow_net_private = true;
  settings.sandbox.file_mode = FileMode::kOverlay;
  settings.sandbox.max_tool_calls = 8;
  settings.sandbox.rpc_timeout = std::chrono::milliseconds(9);
  settings.sandbox.total_timeout = std::chrono::milliseconds(11);
  settings.sandbox.python_cpu = std::chrono::milliseconds(12);
  settings.sandbox.python_memory_bytes = 13;
  settings.chain = {"acme.tools.math.add.a7f3"};
  settings.variables = {"API_KEY"};
  settings.tools = {"fs:*"};
  settings.notes = {"less than was asked for"};
  settings.depth = 3;
  settings.profile = policy::ClientProfile{.tools = {{"fs:read", "gh"}}, .deny = {"gh:drop"}};
  settings.principal = "http:laptop-1";
  settings.sandbox.only_read.emplace();
  settings.sandbox.only_write = {"/a/b"};
  const auto back = run_settings_of(to_json(settings));
  ASSERT_TRUE(back.ok()) << back.failure().message;
  EXPECT_EQ(to_json(back.value()), to_json(settings));
  EXPECT_EQ(back.value().sandbox.cpu, std::chrono::milliseconds(6));
  EXPECT_EQ(back.value().sandbox.allow_read, settings.sandbox.allow_read);
  EXPECT_EQ(back.value().sandbox.file_mode, FileMode::kOverlay);
  EXPECT_EQ(back.value().tools, settings.tools);
  EXPECT_EQ(back.value().profile, settings.profile);
  EXPECT_EQ(back.value().notes, settings.notes);
  EXPECT_EQ(back.value().depth, settings.depth);
  EXPECT_EQ(back.value().principal, settings.principal);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().profile);
  EXPECT_EQ(back.value().sandbox.only_read, settings.sandbox.only_read);
  EXPECT_EQ(back.value().sandbox.only_write, settings.sandbox.only_write);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().sandbox.only_read);
  EXPECT_EQ(back.value().chain, settings.chain);
  EXPECT_EQ(back.value().variables, settings.variables);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().tools);
  EXPECT_FALSE(run_settings_of(to_json(RunSettings())).value().sandbox.cpu);
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
  EXPECT_EQ(back->sandbox.python_blocked_imports, SandboxConfig::default_python_blocked_imports());
  EXPECT_EQ(back->sandbox.python_wheels, "");
  // A setting that is present must be valid.
  EXPECT_FALSE(run_settings_of(text.substr(0, text.size() - 1) + R"(,"pythonWheels":7})").ok());
}

}  // namespace
}  // namespace glovebox::gateway
