#include "config/config_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace glovebox::config {
namespace {

using Texts = std::vector<std::string>;

TEST(ConfigFile, LeavesOtherKeysToOthers) {
  const auto config = parse_config(R"({
    // as an MCP client has it
    "mcpServers": {"github": {"command": "x"}},
    "unrelated": 5,
    "sandbox": {"timeoutMs": 5,},
  })",
                                   "glovebox.json");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  EXPECT_EQ(config.value().sandbox.timeout, std::chrono::milliseconds(5));
  EXPECT_TRUE(parse_config("{}", "glovebox.json").ok());
}

TEST(ConfigFile, ReadsPythonWhereverItStands) {
  for (const char* text :
       {R"({"python": {"blockedImports": ["js"], "wheels": "./wheels", "warm": true}, "sandbox": {"cpuMs": 5}})",
        R"({"sandbox": {"cpuMs": 5}, "python": {"warm": true, "wheels": "./wheels", "blockedImports": ["js"]}})"}) {
    const auto config = parse_config(text, "/w/glovebox.json");
    ASSERT_TRUE(config.ok()) << config.failure().text();
    const SandboxSettings& sandbox = config.value().sandbox;
    EXPECT_EQ(sandbox.cpu, std::chrono::milliseconds(5));
    EXPECT_EQ(sandbox.python_blocked_imports, Texts{"js"});
    EXPECT_EQ(sandbox.python_wheels, "/w/./wheels");
    EXPECT_EQ(sandbox.python_warm, true);
  }
}

TEST(ConfigFile, SaysFileLineAndColumn) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {"{\n  \"sandbox\": {\n    \"timoutMs\": 5\n  }\n}",
       "a/glovebox.json:3:5: sandbox has no key \"timoutMs\"; did you mean \"timeoutMs\"?"},
      {"{\n  \"sandbox\": {\"timeoutMs\": \"5s\", \"vfs\": 1}\n}",
       "a/glovebox.json:2:28: sandbox.timeoutMs must be a whole number between 1 and 1000000000000, such as 30000\n"
       "a/glovebox.json:2:41: sandbox.vfs must be \"direct\" or \"overlay\""},
      {"{\n  \"sandbox\" {}\n}", "a/glovebox.json:2:13: did not expect '{' here"},
      {"{\"sandBox\": {}}", "a/glovebox.json:1:2: there is no key \"sandBox\"; did you mean \"sandbox\"?"},
      {R"({"python": {"warm": 1}})", "a/glovebox.json:1:21: python.warm must be true or false"},
      {R"({"python": {"wheel": "x"}})", "a/glovebox.json:1:13: python has no key \"wheel\"; did you mean \"wheels\"?"},
      {"[1]", "a/glovebox.json:1:1: a config file is an object, such as {\"sandbox\": {\"timeoutMs\": 30000}}"},
      {"", "a/glovebox.json:1:1: the file ends too early"},
  };
  for (const auto& item : cases) {
    const auto config = parse_config(item.text, "a/glovebox.json");
    ASSERT_FALSE(config.ok()) << item.text;
    EXPECT_EQ(config.failure().text(), item.says);
  }
}

TEST(ConfigFile, DoesNotDrownPeopleInMistakes) {
  std::string text = "{\"sandbox\": {\"allowRead\": [";
  for (int i = 0; i < 5000; ++i) text += "1,";
  EXPECT_EQ(parse_config(text + "]}}", "x.json").failure().problems.size(), 20u);
}

TEST(ConfigFile, MeansPathsFromItsOwnFolder) {
  const char* text = R"({"sandbox": {"allowRead": ["data", "/abs"], "allowWrite": ["./out"], "allowRun": ["git", "./x"],
                         "allowNet": ["a.example"], "allowEnv": ["HOME"]}})";
  const SandboxSettings there = parse_config(text, "some/where/x.json").value().sandbox;
  EXPECT_EQ(there.allow_read, (Texts{"some/where/data", "/abs"}));
  EXPECT_EQ(there.allow_write, (Texts{"some/where/./out"}));
  EXPECT_EQ(there.allow_run, (Texts{"git", "some/where/./x"}));
  EXPECT_EQ(there.allow_net, (Texts{"a.example"}));
  EXPECT_EQ(there.allow_env, (Texts{"HOME"}));
  EXPECT_EQ(parse_config(text, "x.json").value().sandbox.allow_read, (Texts{"data", "/abs"}));
}

TEST(ConfigFile, IsReadFromARegularFileOnly) {
  namespace fs = std::filesystem;
  std::string folder = testing::TempDir() + "glovebox_config_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const auto says = [&](const std::string& name) { return read_config_file(folder + "/" + name).failure().text(); };
  EXPECT_EQ(says("none.json"), folder + "/none.json: cannot be read: No such file or directory");
  EXPECT_EQ(read_config_file(folder).failure().text(), folder + ": is not a regular file");
  ASSERT_EQ(::mkfifo((folder + "/fifo").c_str(), 0600), 0);
  EXPECT_EQ(says("fifo"), folder + "/fifo: is not a regular file");
  std::ofstream(folder + "/large") << std::string((1 << 20) + 1, ' ');
  EXPECT_EQ(says("large"), folder + "/large: is larger than 1048576 bytes");
  std::ofstream(folder + "/good") << "{\"sandbox\": {\"memoryMB\": 64}}";
  EXPECT_EQ(read_config_file(folder + "/good").value().sandbox.memory_bytes, std::size_t{64} << 20);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::config
