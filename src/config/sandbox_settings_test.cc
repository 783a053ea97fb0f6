#include "config/sandbox_settings.h"

#include <gtest/gtest.h>

#include "config/narrow/narrowed_sandbox.h"

namespace glovebox::config {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

struct Read {
  SandboxSettings settings;
  std::vector<JsonProblem> problems;
};

Read read(std::string_view text) {
  Read result;
  const auto node = parse_jsonc(text);
  EXPECT_TRUE(node.ok()) << text;
  result.settings = read_sandbox_settings(node.value(), result.problems);
  return result;
}

constexpr std::string_view kEverything = R"({
  "timeoutMs": 1000, "totalTimeoutMs": 2000,
  "cpuMs": 500, "memoryMB": 64, "maxOutputBytes": 1, "maxLogBytes": 2, "maxReadBytes": 3,
  "maxWriteBytes": 4, "maxNewFiles": 5, "maxFetchBytes": 6,
  "allowRead": ["a"], "allowWrite": ["b", "c"], "allowNet": ["d:443"], "allowEnv": ["E", "F_*"], "allowRun": ["git"],
  "allowNetPrivate": true, "vfs": "overlay"
})";

TEST(SandboxSettings, ReadsEveryKey) {
  const Read all = read(kEverything);
  ASSERT_TRUE(all.problems.empty()) << all.problems[0].message;
  SandboxConfig config;
  all.settings.apply_to(config);
  EXPECT_EQ(config.timeout, milliseconds(1000));
  EXPECT_EQ(config.total_timeout, milliseconds(2000));
  EXPECT_EQ(config.cpu, milliseconds(500));
  EXPECT_EQ(config.memory_bytes, std::size_t{64} << 20);
  EXPECT_EQ(config.max_output_bytes, 1u);
  EXPECT_EQ(config.max_log_bytes, 2u);
  EXPECT_EQ(config.max_read_bytes, 3u);
  EXPECT_EQ(config.max_write_bytes, 4u);
  EXPECT_EQ(config.max_new_files, 5u);
  EXPECT_EQ(config.max_fetch_bytes, 6u);
  EXPECT_EQ(config.allow_read, Texts{"a"});
  EXPECT_EQ(config.allow_write, (Texts{"b", "c"}));
  EXPECT_EQ(config.allow_net, Texts{"d:443"});
  EXPECT_EQ(config.allow_env, (Texts{"E", "F_*"}));
  EXPECT_EQ(config.allow_run, Texts{"git"});
  EXPECT_TRUE(config.allow_net_private);
  EXPECT_EQ(config.file_mode, FileMode::kOverlay);
  EXPECT_EQ(all.settings.granting_keys(),
            (Texts{"allowRead", "allowWrite", "allowNet", "allowEnv", "allowRun", "allowNetPrivate"}));
}

// Only the owner may say which layers may be missing: no config file that is merely present, and no request.
TEST(SandboxSettings, SayWhichLayersMayBeMissing) {
  const Read some = read(R"({"degraded": ["namespaces", "landlock"]})");
  ASSERT_TRUE(some.problems.empty()) << some.problems[0].message;
  EXPECT_EQ(some.settings.degraded, (Texts{"namespaces", "landlock"}));
  EXPECT_EQ(some.settings.granting_keys(), Texts{"degraded"});
  EXPECT_FALSE(some.settings.tighter().degraded);
  EXPECT_FALSE(narrow({}, some.settings).ok());
}

// Nor whether runs may share a process.
TEST(SandboxSettings, SayWhatBecomesOfGuests) {
  const Read rewind = read(R"({"reuse": "rewind"})"), fresh = read(R"({"reuse": "fresh"})");
  ASSERT_TRUE(rewind.problems.empty() && fresh.problems.empty());
  EXPECT_EQ(rewind.settings.reuse, Reuse::kRewind);
  EXPECT_EQ(fresh.settings.reuse, Reuse::kFresh);
  EXPECT_EQ(rewind.settings.granting_keys(), Texts{"reuse"});
  EXPECT_EQ(fresh.settings.granting_keys(), Texts{});
  EXPECT_FALSE(rewind.settings.tighter().reuse);
  EXPECT_FALSE(narrow({}, rewind.settings).ok());
  EXPECT_EQ(read(R"({"reuse": "always"})").problems.size(), 1u);
}

TEST(SandboxSettings, HaveNamesOfTheFirstDesign) {
  const Read all = read(R"({"heapLimitMB": 64, "allowedReadPaths": ["a"], "allowNetwork": ["d:443"]})");
  ASSERT_TRUE(all.problems.empty()) << all.problems[0].message;
  SandboxConfig config;
  all.settings.apply_to(config);
  EXPECT_EQ(config.memory_bytes, std::size_t{64} << 20);
  EXPECT_EQ(config.allow_read, Texts{"a"});
  EXPECT_EQ(config.allow_net, Texts{"d:443"});
  ASSERT_EQ(all.settings.renamed.size(), 3u);
  EXPECT_EQ(all.settings.renamed[0], (std::pair<std::string, std::string>("heapLimitMB", "memoryMB")));
  EXPECT_EQ(read(R"({"allowNetwork": false})").settings.allow_net, Texts{});
  EXPECT_EQ(read(R"({"allowNetwork": true})").problems.at(0).message.substr(0, 41),
            "sandbox.allowNetwork must list the hosts,");
  EXPECT_EQ(read(R"({"heapLimitMB": 64, "memoryMB": 65})").problems.size(), 1u);
}

// CPU time counts while tools are called, when the timeout for the code's own work is paused.
TEST(SandboxSettings, AskingForCpuTimeGivesNoMoreThanTheOwnersTimeout) {
  SandboxConfig config;
  config.timeout = milliseconds(1000);
  read(R"({"cpuMs": 9000})").settings.tighten(config);
  EXPECT_EQ(config.cpu, milliseconds(1000));
  read(R"({"cpuMs": 300, "timeoutMs": 200})").settings.tighten(config);
  EXPECT_EQ(config.cpu, milliseconds(300));
}

TEST(SandboxSettings, TheWholeTimeIsAtLeastThatOfItsOwnWork) {
  SandboxConfig config;
  EXPECT_EQ(config.most_time(), std::chrono::minutes(10));
  config.timeout = std::chrono::hours(1);
  EXPECT_EQ(config.most_time(), std::chrono::hours(1));
  read(R"({"totalTimeoutMs": 5000})").settings.tighten(config);
  EXPECT_EQ(config.most_time(), milliseconds(5000));
  read(R"({"totalTimeoutMs": 9000})").settings.tighten(config);
  EXPECT_EQ(config.most_time(), milliseconds(5000));
}

TEST(SandboxSettings, PythonHasLimitsOfItsOwn) {
  std::vector<JsonProblem> problems;
  SandboxSettings settings;
  read_python_settings(parse_jsonc(R"({"timeoutMs": 9000, "memoryMb": 256})").value(), settings, problems);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  SandboxConfig config;
  EXPECT_EQ(config.python_cpu, milliseconds(5000));
  EXPECT_EQ(config.python_memory_bytes, std::size_t{128} << 20);
  settings.tighten(config);
  EXPECT_EQ(config.python_cpu, milliseconds(5000));
  settings.apply_to(config);
  EXPECT_EQ(config.python_cpu, milliseconds(9000));
  EXPECT_EQ(config.python_memory_bytes, std::size_t{256} << 20);
  EXPECT_EQ(config.memory_bytes, std::size_t{512} << 20);
}

TEST(SandboxSettings, LeaveAloneWhatTheyDoNotMention) {
  SandboxConfig config;
  config.timeout = milliseconds(7);
  config.allow_read = {"mine"};
  const SandboxSettings empty = read("{}").settings;
  empty.apply_to(config);
  empty.tighten(config);
  EXPECT_EQ(config.timeout, milliseconds(7));
  EXPECT_EQ(config.allow_read, Texts{"mine"});
  EXPECT_TRUE(empty.granting_keys().empty());
  EXPECT_TRUE(read(R"({"allowRead": [], "allowNetPrivate": false})").settings.granting_keys().empty());
}

TEST(SandboxSettings, CanOnlyTakeAwayWhenNobodyAskedForThem) {
  SandboxConfig config;
  read(kEverything).settings.tighten(config);
  EXPECT_EQ(config.timeout, milliseconds(1000));
  EXPECT_EQ(config.cpu, milliseconds(500));
  EXPECT_EQ(config.memory_bytes, std::size_t{64} << 20);
  EXPECT_EQ(config.max_fetch_bytes, 6u);
  EXPECT_EQ(config.file_mode, FileMode::kOverlay);
  EXPECT_TRUE(config.allow_read.empty() && config.allow_write.empty() && config.allow_net.empty());
  EXPECT_TRUE(config.allow_env.empty() && config.allow_run.empty());
  EXPECT_FALSE(config.allow_net_private);

  const SandboxConfig standard;
  SandboxConfig raised;
  raised.cpu = milliseconds(10);
  read(R"({"timeoutMs": 1000000, "cpuMs": 20, "memoryMB": 4096, "maxOutputBytes": 50000000, "maxLogBytes": 50000000,
           "maxReadBytes": 5000000000, "maxWriteBytes": 5000000000, "maxNewFiles": 1000000,
           "maxFetchBytes": 5000000000})")
      .settings.tighten(raised);
  EXPECT_EQ(raised.timeout, standard.timeout);
  EXPECT_EQ(raised.cpu, milliseconds(10));
  EXPECT_EQ(raised.memory_bytes, standard.memory_bytes);
  EXPECT_EQ(raised.max_output_bytes, standard.max_output_bytes);
  EXPECT_EQ(raised.max_log_bytes, standard.max_log_bytes);
  EXPECT_EQ(raised.max_read_bytes, standard.max_read_bytes);
  EXPECT_EQ(raised.max_write_bytes, standard.max_write_bytes);
  EXPECT_EQ(raised.max_new_files, standard.max_new_files);
  EXPECT_EQ(raised.max_fetch_bytes, standard.max_fetch_bytes);

  SandboxConfig overlay;
  overlay.file_mode = FileMode::kOverlay;
  read(R"({"vfs": "direct"})").settings.tighten(overlay);
  EXPECT_EQ(overlay.file_mode, FileMode::kOverlay);
}

TEST(SandboxSettings, SayWhatIsWrong) {
  const struct {
    const char* text;
    std::size_t offset;
    const char* message;
  } cases[] = {
      {R"([])", 0, "sandbox must be an object, such as {\"timeoutMs\": 30000}"},
      {R"({"allowReads": []})", 1, "sandbox has no key \"allowReads\"; did you mean \"allowRead\"?"},
      {R"({"allow_net": []})", 1, "sandbox has no key \"allow_net\"; did you mean \"allowNet\"?"},
      {R"({"banana": 1})", 1, "sandbox has no key \"banana\"; known keys: allowEnv allowNet "},
      {R"({"timeoutMs": "30s"})", 14,
       "sandbox.timeoutMs must be a whole number between 1 and 1000000000000, such as 30000"},
      {R"({"timeoutMs": 0})", 14, "must be a whole number between 1 and"},
      {R"({"timeoutMs": -1})", 14, "must be a whole number"},
      {R"({"timeoutMs": 1.5})", 14, "must be a whole number"},
      {R"({"timeoutMs": 1e99})", 14, "must be a whole number"},
      {R"({"timeoutMs": null})", 14, "must be a whole number"},
      {R"({"memoryMB": 99999999999})", 13, "must be a whole number between 1 and 1073741824"},
      {R"({"maxOutputBytes": 99999999999999999})", 19, "must be a whole number"},
      {R"({"allowRead": "./data"})", 14, "sandbox.allowRead must be a list; write [\"./data\"]"},
      {R"({"allowRead": true})", 14, "sandbox.allowRead must be a list of strings, such as [\"./data\"]"},
      {R"({"allowNet": ["a b"]})", 14, "sandbox.allowNet is not understood"},
      {R"({"allowRead": ["a", 1]})", 20, "sandbox.allowRead contains something that is not a string"},
      {R"({"allowNet": [""]})", 14,
       "contains something that is not a string, or an empty string; write it like [\"api.example"},
      {R"({"allowEnv": ["A", "*B"]})", 19, "sandbox.allowEnv is not understood: allow env: \"*B\" has a *"},
      {R"({"allowRun": ["*"]})", 14, "sandbox.allowRun is not understood: allow run: \"*\" is a wildcard"},
      {R"({"allowNetPrivate": "yes"})", 20, "sandbox.allowNetPrivate must be true or false"},
      {R"({"vfs": "cow"})", 8, "sandbox.vfs must be \"direct\" or \"overlay\""},
  };
  for (const auto& item : cases) {
    const Read wrong = read(item.text);
    ASSERT_EQ(wrong.problems.size(), 1u) << item.text;
    EXPECT_EQ(wrong.problems[0].offset, item.offset) << item.text;
    EXPECT_NE(wrong.problems[0].message.find(item.message), std::string::npos) << wrong.problems[0].message;
  }
}

TEST(SandboxSettings, SayEverythingThatIsWrongAtOnce) {
  EXPECT_EQ(read(R"({"timeoutMs": 0, "x": 1, "allowRun": ["a b", "*", ""], "vfs": 1})").problems.size(), 6u);
}

}  // namespace
}  // namespace glovebox::config
