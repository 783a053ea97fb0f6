// Python through the library: when its zygote starts, its image, its wheels, its plan, and both languages side by side.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

namespace fs = std::filesystem;

class PythonTest : public ::testing::Test {
 protected:
  PythonTest() {
    char name[] = "/tmp/glovebox-python-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~PythonTest() override { fs::remove_all(folder_); }

  static RunRequest python(std::string code) { return {.code = std::move(code), .language = Language::kPython}; }
  std::string folder_;
};

std::size_t count_children() {
  std::size_t count = 0;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    count += static_cast<std::size_t>(std::distance(std::istream_iterator<int>(file), {}));
  }
  return count;
}

TEST_F(PythonTest, ItsZygoteStartsWithItsFirstRun) {
  const std::size_t before = count_children();  // of sandboxes that other tests share
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  EXPECT_EQ(sandbox.run({.code = "1 + 1"}).result_json(), "2");
  EXPECT_EQ(count_children(), before + 1);
  EXPECT_EQ(sandbox.run(python("1 + 1")).result_json(), "2");
  EXPECT_EQ(count_children(), before + 2);
  EXPECT_EQ(sandbox.run({.code = "2 + 2"}).result_json(), "4");
}

TEST_F(PythonTest, HasLimitsOfItsOwn) {
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  // Starting up does not count against them.
  EXPECT_LT(sandbox.run(python("1 + 1")).metrics.cpu_ms, 1000);
  const auto error = [&](const RunRequest& request) {
    const Outcome outcome = sandbox.run(request);
    return outcome.ok() ? to_json(outcome) : outcome.error()->message;
  };
  RunRequest busy = python("while True: pass");
  busy.config.timeout = std::chrono::minutes(10);
  busy.config.python_cpu = std::chrono::milliseconds(200);
  EXPECT_EQ(error(busy), "the code used more CPU time than its limit of 200 ms (python.timeoutMs)");
  RunRequest greedy = python("parts = []\nwhile True: parts.append(bytearray(1 << 20))");
  greedy.config.timeout = std::chrono::minutes(10);
  EXPECT_EQ(error(greedy), "the code needs more memory than its limit of 128 MB (python.memoryMb)");
  greedy.config.memory_bytes = std::size_t{64} << 20;
  EXPECT_EQ(error(greedy), "the code needs more memory than its limit of 64 MB (sandbox.memoryMB)");
  // An allocation within the limit succeeds.
  EXPECT_EQ(error(python("len(bytearray(60 << 20))")).substr(0, 18), "{\"result\":62914560");
}

TEST_F(PythonTest, AnImageIsMadeOnceAndMadeAgainWhenItIsDamaged) {
  std::vector<std::string> progress;
  SandboxOptions options{.pool_size = 0};
  options.cache_folder = folder_ + "/cache";
  options.on_progress = [&](const std::string& text) { progress.push_back(text); };
  const auto run = [&] {
    Sandbox sandbox(options);
    const Outcome outcome = sandbox.run(python("sum(range(10))"));
    EXPECT_TRUE(outcome.ok()) << to_json(outcome);
    return outcome.ok() ? outcome.result_json() : "";
  };
  EXPECT_EQ(run(), "45");
  ASSERT_EQ(progress.size(), 2U);
  EXPECT_NE(progress[0], "");
  EXPECT_EQ(progress[1], "");
  const fs::path image = fs::directory_iterator(options.cache_folder)->path();
  EXPECT_EQ(run(), "45");
  EXPECT_EQ(progress.size(), 2U) << "the image was made twice";

  const auto size = fs::file_size(image);
  std::fstream(image, std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(size / 2)) << "damage";
  EXPECT_EQ(run(), "45");
  EXPECT_EQ(progress.size(), 4U) << "a damaged image was used";
  fs::resize_file(image, 100);
  EXPECT_EQ(run(), "45");
  EXPECT_EQ(progress.size(), 6U);
}

TEST_F(PythonTest, TheSameSeedRepeatsARunInAnyGuest) {
  Sandbox pooled(SandboxOptions{.pool_size = 1});
  Sandbox forked(SandboxOptions{.pool_size = 0});
  ASSERT_TRUE(pooled.wait_until_warm(Language::kPython).ok());
  const auto request = [] {
    RunRequest run = python(
        "import random, uuid, time\n"
        "[random.random(), str(uuid.uuid4()), time.time(), id(object()), [repr(o) for o in {object() for _ in "
        "range(9)}]]");
    run.seed = "seed";
    run.now_ms = 1'700'000'000'000;
    return run;
  };
  const Outcome first = pooled.run(request());
  ASSERT_TRUE(first.ok()) << to_json(first);
  EXPECT_TRUE(first.metrics.pooled);
  EXPECT_EQ(first.result_json(), forked.run(request()).result_json());
  RunRequest other = request();
  other.seed = "other";
  EXPECT_NE(first.result_json(), forked.run(std::move(other)).result_json());
}

TEST_F(PythonTest, APlanRunsNothing) {
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  PlanRequest request{.code = "print('ran')\nhub = mcp.github\nhub.list(a=1)\nmcp.slack.post()\nx = mcp[name]",
                      .language = Language::kPython};
  request.servers = {"github", "slack"};
  const auto plan = sandbox.plan(std::move(request));
  ASSERT_TRUE(plan.ok()) << plan.failure().message;
  ASSERT_EQ(plan.value().tools.size(), 2U);
  EXPECT_EQ(plan.value().tools[0].server + "." + plan.value().tools[0].tool, "github.list");
  EXPECT_EQ(plan.value().tools[0].position.line, 3);
  ASSERT_EQ(plan.value().calls.size(), 2U);
  EXPECT_EQ(plan.value().calls[1].tool, "post");
  EXPECT_FALSE(plan.value().flows_known) << "values of Python are not followed";
  EXPECT_EQ(plan.value().tools[1].server + "." + plan.value().tools[1].tool, "slack.post");
  ASSERT_EQ(plan.value().dynamic.size(), 1U);
  EXPECT_EQ(plan.value().dynamic[0].position.line, 5);
}

TEST_F(PythonTest, APlanTellsConditions) {
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  PlanRequest request{.code =
                          "if context['a']:\n  fs.a()\nelif b:\n  fs.b()\nelse:\n  fs.c()\n"
                          "for x in fs.list():\n  if x: fs.each(x)\n"
                          "try: fs.t()\nexcept OSError: fs.u()\n"
                          "[fs.q(y) for y in z if y]\n"
                          "async def f(): return await fs.d()\n"
                          "if x: fs.w()\nfs.w()\n"
                          "match k:\n  case 'x': fs.m()\n"
                          "ok and fs.v()\ndevice.TimeSkill.now()\ndevice.search_skills()\n",
                      .language = Language::kPython};
  request.servers = {"fs"};
  const auto plan = sandbox.plan(std::move(request));
  ASSERT_TRUE(plan.ok()) << plan.failure().message;
  std::string text;
  for (const PlannedTool& tool : plan->tools) {
    text += tool.server + "." + tool.tool + ":";
    for (const std::string& condition : tool.when) text += " " + condition + ",";
    text += "\n";
  }
  EXPECT_EQ(text,
            "fs.a: if (context['a']),\nfs.b: if not (context['a']), if (b),\nfs.c: if not (context['a']), if not (b),\n"
            "fs.list:\nfs.each: for (x in fs.list()), if (x),\nfs.t:\nfs.u: if that fails,\n"
            "fs.q: for (y in z), if (y),\nfs.d: in function f,\nfs.w:\nfs.m: case 'x',\nfs.v: if (ok),\n"
            "TimeSkill.now:\nskills.search_skills:\n");
  EXPECT_TRUE(plan->dynamic.empty());
}

TEST_F(PythonTest, WheelsAreImportedIfTheirDigestIsRight) {
  const std::string name = "greeter-1.0-py3-none-any.whl";
  const std::string make =
      "cd '" + folder_ +
      "' && mkdir greeter && echo 'def greet(name): return \"hello \" + name' > greeter/__init__.py && "
      "python3 -m zipfile -c " +
      name + " greeter && sha256sum *.whl > SHA256SUMS";
  ASSERT_EQ(std::system(make.c_str()), 0);
  Sandbox sandbox(SandboxOptions{.pool_size = 0});
  const auto request = [&] {
    RunRequest run = python("import greeter\ngreeter.greet('you')");
    run.config.python_wheels = folder_;
    return run;
  };
  EXPECT_EQ(to_json(sandbox.run(request())).substr(0, 23), R"({"result":"hello you",")");
  std::ofstream(folder_ + "/" + name, std::ios::app) << "more";
  const Outcome changed = sandbox.run(request());
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error()->message,
            "ImportError: the wheel " + name + " is not the one whose SHA-256 is in SHA256SUMS");
  const Outcome without = sandbox.run(python("import greeter"));
  ASSERT_FALSE(without.ok());
  EXPECT_TRUE(without.error()->message.starts_with("ModuleNotFoundError: No module named 'greeter'"));
}

}  // namespace
}  // namespace glovebox
