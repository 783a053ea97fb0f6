// How a Sandbox starts, what it survives, and that it leaves nothing behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>

#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

using Pids = std::set<pid_t>;

void add_children_of(const std::string& process, Pids& pids) {
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + process + "/task", ignored)) {
    std::ifstream file(task.path() / "children");
    for (pid_t pid; file >> pid;) pids.insert(pid);
  }
}

// The sandboxes of other tests may still live in this process. A test here sees only what it has started itself.
Pids others;

Pids children() {
  Pids pids;
  add_children_of("self", pids);
  for (const pid_t other : others) pids.erase(other);
  return pids;
}

Pids grandchildren() {
  Pids pids;
  for (const pid_t child : children()) add_children_of(std::to_string(child), pids);
  return pids;
}

std::string code_of_end(const Outcome& outcome) {
  return outcome.error() ? outcome.error()->code.text() : "ok";
}

struct Waiting {
  std::promise<Outcome> ended;
  std::promise<void> spoke;
  std::atomic<int> times_done{0};
};

std::shared_ptr<Waiting> submit(Sandbox& sandbox, std::string code) {
  auto waiting = std::make_shared<Waiting>();
  RunRequest request{.code = std::move(code)};
  request.on_log = [waiting](const LogLine& line) {
    if (line.text == "started") waiting->spoke.set_value();
  };
  sandbox.submit(std::move(request), [waiting](Outcome outcome) {
    ++waiting->times_done;
    waiting->ended.set_value(std::move(outcome));
  });
  return waiting;
}

constexpr const char* kWaitForever = "console.log('started'); await new Promise((r) => setTimeout(r, 1e9))";

class OwnChildren : public ::testing::Test {
 protected:
  OwnChildren() {
    others.clear();
    others = children();
  }
};
class SandboxStart : public OwnChildren {};
class SandboxSurvives : public OwnChildren {};
class SandboxEnd : public OwnChildren {};

// ---- Starting

TEST_F(SandboxStart, StartsOneZygoteAndItsPool) {
  auto sandbox = Sandbox::start({.pool_size = 3});
  ASSERT_TRUE(sandbox.ok()) << sandbox.failure().message;
  ASSERT_TRUE(sandbox->wait_until_warm().ok());
  EXPECT_EQ(children().size(), 1u);
  EXPECT_EQ(grandchildren().size(), 3u);
  EXPECT_TRUE(sandbox->run({.code = "1"}).ok());
}

TEST_F(SandboxStart, StartsNothingBeforeItIsNeeded) {
  Sandbox sandbox;
  EXPECT_TRUE(children().empty());
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
  EXPECT_EQ(children().size(), 1u);
}

TEST_F(SandboxStart, SaysWhyItCannot) {
  const auto sandbox = Sandbox::start({.engine_path = "/nowhere/engine"});
  ASSERT_FALSE(sandbox.ok());
  EXPECT_EQ(sandbox.failure().code, ErrorCode::kNotFound);
  EXPECT_NE(sandbox.failure().message.find("/nowhere/engine"), std::string::npos);
}

TEST_F(SandboxStart, EveryRunSaysWhyItCannot) {
  Sandbox sandbox({.guest_library_path = "/nowhere/guest.so"});
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = sandbox.run({.code = "1", .seed = "kept"});
    EXPECT_TRUE(std::holds_alternative<Crashed>(outcome.ending));
    EXPECT_EQ(code_of_end(outcome), "SANDBOX_UNAVAILABLE");
    EXPECT_NE(outcome.error()->message.find("/nowhere/guest.so"), std::string::npos);
    EXPECT_EQ(outcome.metrics.seed, "kept");
  }
  EXPECT_FALSE(sandbox.wait_until_warm().ok());
}

TEST_F(SandboxStart, RefusesALayerThatDoesNotExist) {
  Sandbox sandbox({.degraded = {"walls"}});
  const Outcome outcome = sandbox.run({.code = "1"});
  EXPECT_EQ(code_of_end(outcome), "INVALID_REQUEST");
  EXPECT_EQ(outcome.error()->message,
            "no layer is called \"walls\"; those that may be missing are: namespaces, landlock, timestamp-counter");
}

// Accepting that a layer may be missing does not disable it where it is available.
TEST_F(SandboxStart, MarksOnlyWhatIsReallyMissing) {
  Sandbox plain;
  Sandbox tolerant({.degraded = {"namespaces", "landlock", "timestamp-counter"}});
  EXPECT_EQ(tolerant.run({.code = "1"}).degraded, plain.run({.code = "1"}).degraded);
}

TEST_F(SandboxStart, MovesWithItsRuns) {
  Sandbox first;
  const auto waiting =
      submit(first, "console.log('started'); await new Promise((r) => setTimeout(r, 50)); return 'moved'");
  Sandbox second = std::move(first);
  EXPECT_EQ(waiting->ended.get_future().get().result_json(), "\"moved\"");
  EXPECT_TRUE(second.run({.code = "1"}).ok());
}

// ---- Surviving

TEST_F(SandboxSurvives, TheDeathOfItsZygote) {
  Sandbox sandbox({.pool_size = 2});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  for (int round = 0; round < 3; ++round) {
    const Pids before = children();
    ASSERT_EQ(before.size(), 1u);
    ASSERT_EQ(::kill(*before.begin(), SIGKILL), 0);
    // Runs may still get guests that die with their zygote; then a new zygote takes over by itself.
    bool served_by_the_new_one = false;
    for (int attempt = 0; attempt < 5'000 && !served_by_the_new_one; ++attempt) {
      const Outcome outcome = sandbox.run({.code = "1"});
      EXPECT_TRUE(outcome.ok() || code_of_end(outcome) == "ZYGOTE_DIED" || code_of_end(outcome) == "GUEST_CRASHED")
          << to_json(outcome);
      served_by_the_new_one = outcome.ok() && children() != before && children().size() == 1;
    }
    EXPECT_TRUE(served_by_the_new_one);
  }
}

TEST_F(SandboxSurvives, TheDeathOfItsZygoteWithRunsInProgressAndInLine) {
  Sandbox sandbox({.pool_size = 0, .max_concurrent_runs = 1});
  const auto running = submit(sandbox, kWaitForever);
  running->spoke.get_future().wait();
  const auto in_line = submit(sandbox, "return 'served'");
  ASSERT_EQ(::kill(*children().begin(), SIGKILL), 0);
  const Outcome lost = running->ended.get_future().get();
  EXPECT_EQ(code_of_end(lost), "ZYGOTE_DIED");
  EXPECT_EQ(lost.logs.size(), 1u) << "what it said is kept";
  EXPECT_EQ(in_line->ended.get_future().get().result_json(), "\"served\"");
}

TEST_F(SandboxSurvives, TheDeathOfAGuest) {
  Sandbox sandbox({.pool_size = 0});
  const auto waiting = submit(sandbox, kWaitForever);
  waiting->spoke.get_future().wait();
  const Pids guests = grandchildren();
  ASSERT_EQ(guests.size(), 1u);
  ASSERT_EQ(::kill(*guests.begin(), SIGSEGV), 0);
  const Outcome outcome = waiting->ended.get_future().get();
  EXPECT_TRUE(std::holds_alternative<Crashed>(outcome.ending));
  EXPECT_EQ(code_of_end(outcome), "GUEST_CRASHED");
  EXPECT_NE(outcome.error()->message.find("Segmentation fault"), std::string::npos) << outcome.error()->message;
  EXPECT_EQ(outcome.logs.size(), 1u);
  EXPECT_TRUE(sandbox.run({.code = "1"}).ok());
}

TEST_F(SandboxSurvives, TheDeathOfWaitingGuests) {
  Sandbox sandbox({.pool_size = 2});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  for (const pid_t guest : grandchildren()) ::kill(guest, SIGKILL);
  // A run that gets a dead guest reports it, and no two runs get the same one; the pool recovers by itself.
  int lost = 0;
  for (int i = 0; i < 6; ++i) {
    const Outcome outcome = sandbox.run({.code = "1"});
    EXPECT_TRUE(outcome.ok() || code_of_end(outcome) == "GUEST_CRASHED") << to_json(outcome);
    lost += !outcome.ok();
  }
  EXPECT_LE(lost, 2);
}

// ---- Ending

TEST_F(SandboxEnd, LeavesNoProcessBehind) {
  {
    Sandbox sandbox({.pool_size = 3});
    ASSERT_TRUE(sandbox.wait_until_warm().ok());
    EXPECT_FALSE(children().empty());
  }
  EXPECT_TRUE(children().empty());
}

TEST_F(SandboxEnd, EndsRunsInProgressAndInLine) {
  std::vector<std::shared_ptr<Waiting>> all;
  {
    Sandbox sandbox({.pool_size = 1, .max_concurrent_runs = 2});
    for (int i = 0; i < 5; ++i) all.push_back(submit(sandbox, kWaitForever));
    all[0]->spoke.get_future().wait();
    all[1]->spoke.get_future().wait();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Outcome outcome = all[i]->ended.get_future().get();
    EXPECT_TRUE(std::holds_alternative<Crashed>(outcome.ending));
    EXPECT_EQ(code_of_end(outcome), i < 2 ? "CANCELLED" : "SANDBOX_UNAVAILABLE") << i;
    EXPECT_EQ(all[i]->times_done, 1);
  }
  EXPECT_TRUE(children().empty());
}

std::ptrdiff_t count_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// Waits, since descriptors may be closed a moment after the end was reported.
bool comes_down_to(std::ptrdiff_t descriptors) {
  for (int i = 0; i < 30'000 && count_descriptors() > descriptors; ++i) ::usleep(2'000);
  return count_descriptors() <= descriptors;
}

TEST_F(SandboxEnd, ClosesEveryDescriptor) {
  const auto before = count_descriptors();
  for (int round = 0; round < 3; ++round) {
    Sandbox sandbox({.pool_size = 2});
    for (int i = 0; i < 10; ++i) (void)sandbox.run({.code = "1"});
  }
  EXPECT_TRUE(comes_down_to(before)) << count_descriptors() << " and not " << before;
}

TEST_F(SandboxEnd, KeepsDescriptorsFlatOverManyRuns) {
  Sandbox sandbox({.pool_size = 1});
  (void)sandbox.run({.code = "1"});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  // A run lets go of its guest a moment after its end was reported.
  auto before = count_descriptors();
  for (int i = 0; i < 100; ++i) {
    ::usleep(2'000);
    before = std::min(before, count_descriptors());
  }
  for (int i = 0; i < 50; ++i) (void)sandbox.run({.code = i % 2 ? "1" : "throw 1"});
  ASSERT_TRUE(sandbox.wait_until_warm().ok());
  EXPECT_TRUE(comes_down_to(before)) << count_descriptors() << " and not " << before;
}

}  // namespace
}  // namespace glovebox
