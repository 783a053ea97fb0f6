// The oracle must be able to fail: each of its checks gets what it must find.
#include <fcntl.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

#include "base/source_folder.h"
#include "base/unique_fd.h"
#include "eventually.h"
#include "footprint.h"
#include "oracle.h"

namespace glovebox::attack {
namespace {

// While waiting for something that must not happen.
struct Impatience {
  Impatience() { patience_of_eventually = std::chrono::milliseconds(100); }
  ~Impatience() { patience_of_eventually = kPatience; }
};

class OracleFires : public testing::Test {
 protected:
  // Whether it fails with these words, among others: on a busy machine other processes may not be at rest yet, either.
  testing::AssertionResult aftermath_fails_with(const std::string& words) {
    testing::TestPartResultArray failures;
    {
      const Impatience impatience;
      const testing::ScopedFakeTestPartResultReporter reporter(
          testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
      oracle_.judge_aftermath();
    }
    std::string all;
    for (int i = 0; i < failures.size(); ++i) {
      const std::string message = failures.GetTestPartResult(i).message();
      if (message.find(words) != std::string::npos) return testing::AssertionSuccess();
      all += message + "\n";
    }
    return testing::AssertionFailure() << "\"" << words << "\" is not among " << failures.size()
                                       << " failures: " << all;
  }

  static Outcome finished(const std::string& json) {
    Outcome outcome;
    outcome.ending = Finished{json};
    return outcome;
  }
  static Outcome crashed(const std::string& code, const std::string& message) {
    Outcome outcome;
    outcome.ending = Crashed{{ErrorType::kSandboxError, FailureCode::read(code).value(), message, "", {}}};
    return outcome;
  }

  Oracle oracle_{GuestKind::kProduct};
  SandboxConfig config_;
};

TEST_F(OracleFires, OnlyWhenThereIsSomething) {
  oracle_.judge_outcome(finished("[1, 2]"), config_);
  oracle_.judge_outcome(crashed("GUEST_CRASHED", "it crashed"), config_);
  oracle_.judge_aftermath();
  EXPECT_LE(oracle_.growth(), kAllowedGrowthBytes);
}

TEST_F(OracleFires, OnACanary) {
  Canaries& canaries = Testbed::instance().canaries();
  const Outcome leak = finished("\"" + canaries.sibling_token() + "\"");
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(leak, config_), "another run's context");
  Outcome printed = finished("1");
  printed.logs.push_back({LogLevel::kLog, std::string("x") + ::getenv("GLOVEBOX_CANARY")});
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(printed, config_), "the gateway's environment");
  const Outcome thrown = crashed("GUEST_CRASHED", "in " + base::source_folder() + "/src");
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(thrown, config_), "leaked");
}

TEST_F(OracleFires, OnAConnection) {
  const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, (Testbed::instance().canaries().folder() + "/host.sock").c_str());
  ASSERT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  char token[64] = {};
  ASSERT_GT(::read(client, token, sizeof token - 1), 0);
  ::close(client);
  EXPECT_EQ(Testbed::instance().canaries().found_in(token).size(), 1u) << "the listener hands out its canary";
  EXPECT_TRUE(aftermath_fails_with("somebody connected"));
}

TEST_F(OracleFires, OnTextThatCommandsATerminal) {
  for (const char* text : {"\x1b[2J", "a\rb", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6"}) {
    Outcome outcome = finished("1");
    outcome.logs.push_back({LogLevel::kLog, text});
    EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(outcome, config_), "in a log line");
    const Outcome thrown = crashed("GUEST_CRASHED", text);
    EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(thrown, config_), "commands_a_terminal");
  }
}

TEST_F(OracleFires, OnAnErrorThatIsNotTyped) {
  const Outcome outcome = crashed("SOMETHING_NEW", "x");
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(outcome, config_), "not a known code");
  const Outcome silent = crashed("GUEST_CRASHED", "");
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(silent, config_), "message.empty()");
}

TEST_F(OracleFires, OnMemoryBeyondTheLimit) {
  Outcome outcome = finished("1");
  config_.memory_bytes = std::size_t{64} << 20;
  outcome.metrics.memory_used_mb = 79;
  oracle_.judge_limits(outcome, config_);
  outcome.metrics.memory_used_mb = 81;
  EXPECT_NONFATAL_FAILURE(oracle_.judge_limits(outcome, config_), "memory beyond the limit");
  outcome.metrics.poll_late_ms = 1;
  oracle_.judge_limits(outcome, config_);
}

TEST_F(OracleFires, OnATimeLimitThatIsNotKept) {
  config_.timeout = std::chrono::milliseconds(300);
  Outcome outcome = crashed("EXECUTION_TIMEOUT", "it took too long");
  outcome.metrics.execution_ms = 304;
  oracle_.judge_limits(outcome, config_);
  outcome.metrics.execution_ms = 299;
  EXPECT_NONFATAL_FAILURE(oracle_.judge_limits(outcome, config_), "before its time");
  outcome.metrics.execution_ms = 320;
  EXPECT_NONFATAL_FAILURE(oracle_.judge_limits(outcome, config_), "too late");
  outcome.metrics.poll_late_ms = 16;
  oracle_.judge_limits(outcome, config_);
}

TEST_F(OracleFires, OnALimitOfCpuTimeThatIsNotKept) {
  config_.cpu = std::chrono::milliseconds(200);
  Outcome outcome = crashed("CPU_LIMIT", "it computed too long");
  outcome.metrics.cpu_ms = 204;
  oracle_.judge_limits(outcome, config_);
  outcome.metrics.cpu_ms = 220;
  EXPECT_NONFATAL_FAILURE(oracle_.judge_limits(outcome, config_), "too late");
}

// No load explains that a gateway did not poll for half an hour in a test that took a moment.
TEST_F(OracleFires, OnAGatewayThatKeepsItselfFromPolling) {
  if (!waited_ms_since(waits_for_processor())) GTEST_SKIP() << "this kernel does not report who waits";
  config_.timeout = std::chrono::milliseconds(300);
  Outcome outcome = crashed("EXECUTION_TIMEOUT", "it took too long");
  outcome.metrics.poll_late_ms = 1.8e6;
  outcome.metrics.execution_ms = 300 + outcome.metrics.poll_late_ms;
  EXPECT_NONFATAL_FAILURE(oracle_.judge_limits(outcome, config_), "too late");
}

// The delay that the oracle attributes to the machine is measured on a busy machine.
TEST(Waits, GrowWhileThreadsShareAProcessor) {
  const Waits before = waits_for_processor();
  if (!waited_ms_since(before)) GTEST_SKIP() << "this kernel does not report who waits";
  std::atomic<bool> over = false;
  std::vector<std::thread> busy;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    busy.emplace_back([&] {
      while (!over)
        ;
    });
  EXPECT_TRUE(eventually([&] { return waited_ms_since(before) > 10; }));
  over = true;
  for (std::thread& thread : busy) thread.join();
}

// More than the descriptors of an earlier run that were about to be closed when the oracle counted.
constexpr int kMoreThanAboutToGo = 16;

TEST_F(OracleFires, OnADescriptorLeftOpen) {
  std::vector<base::UniqueFd> left;
  for (int i = 0; i < kMoreThanAboutToGo; ++i) left.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_TRUE(aftermath_fails_with("descriptors"));
}

TEST_F(OracleFires, OnAThreadThatWaits) {
  std::promise<void> over;
  const std::shared_future<void> until = over.get_future().share();
  std::vector<std::thread> waiting;
  for (int i = 0; i < kMoreThanAboutToGo; ++i) waiting.emplace_back([until] { until.wait(); });
  EXPECT_TRUE(aftermath_fails_with("threads"));
  over.set_value();
  for (std::thread& thread : waiting) thread.join();
}

TEST_F(OracleFires, OnATraceThatCommandsATerminal) {
  Outcome outcome = finished("1");
  outcome.trace.push_back(
      {.op = "fs.read", .target = "/x", .outcome = TraceEntry::Outcome::kDenied, .error = "\x1b[2J"});
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(outcome, config_), "in the trace");
}

TEST_F(OracleFires, OnWhatIsNotText) {
  EXPECT_NONFATAL_FAILURE(oracle_.judge_outcome(finished("\"\xe2\x82\""), config_), "not UTF-8");
}

TEST_F(OracleFires, OnAProcessLeftBehind) {
  const pid_t left = ::fork();
  if (left == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_TRUE(aftermath_fails_with("processes belong here"));
  ::kill(left, SIGKILL);
  // As a zombie it is still there.
  EXPECT_TRUE(aftermath_fails_with("processes belong here"));
  ::waitpid(left, nullptr, 0);
  oracle_.judge_aftermath();
}

TEST_F(OracleFires, OnMemoryThatTheGatewayKeeps) {
  if (!kMemoryIsMeaningful) GTEST_SKIP() << "a sanitizer keeps memory on purpose";
  forget_peak();
  {
    const std::vector<char> brief(std::size_t{32} << 20, 'x');
    EXPECT_GT(oracle_.growth(std::chrono::milliseconds(100)), std::size_t{30} << 20);
  }
  EXPECT_LE(oracle_.growth(), kAllowedGrowthBytes);
  oracle_.judge_peak(std::size_t{64} << 20);
  EXPECT_NONFATAL_FAILURE(oracle_.judge_peak(std::size_t{16} << 20), "the gateway needed");
}

}  // namespace
}  // namespace glovebox::attack
