// A store that stands still delays no run that does not need it: the loop never waits for it.
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/unique_fd.h"
#include "gateway/gateway_fixture.h"
#include "store/standing_still.h"

namespace glovebox::gateway {
namespace {

using std::chrono::nanoseconds;

// How often the calling thread has gone to sleep, and how long it has slept: neither working nor ready to work. A busy
// machine, on which it is ready and other processes run, does not add to it.
struct Slept {
  long times = 0;
  long pages = 0;  // that it waited for to come from the disk, or that the disk has to write
  nanoseconds time{0};
};

struct Scheduled {
  long long worked = 0;
  long long ready = 0;
  long long times = 0;
};

// Of the thread that calls it first.
Scheduled scheduled() {
  static const base::UniqueFd file(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  Scheduled now;
  if (::pread(file.get(), text, sizeof text - 1, 0) > 0)
    (void)std::sscanf(text, "%lld %lld %lld", &now.worked, &now.ready, &now.times);
  return now;
}

Slept slept_so_far() {
  while (true) {
    const Scheduled before = scheduled();
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    timespec worked{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &worked);
    const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    // Another thread had the core meanwhile, so these do not belong together.
    if (scheduled().times != before.times) continue;
    return {usage.ru_nvcsw, usage.ru_majflt + usage.ru_oublock,
            now - std::chrono::seconds(worked.tv_sec) - nanoseconds(worked.tv_nsec) - nanoseconds(before.ready)};
  }
}

class StandstillTest : public GatewayTest {
 protected:
  StandstillTest() { permit({{"fs:read"}, {"fs:write"}, {}}); }

  // Runs the loop until then, and notes the longest sleep within one handler.
  template <typename Until>
  void run_watched(Until until) {
    while (!until()) {
      const store::QueueOnly loop;
      const Slept before = slept_so_far();
      const bool worked = io_.poll_one() > 0;
      const Slept after = slept_so_far();
      const bool has_slept = after.times != before.times && after.pages == before.pages;
      const nanoseconds slept = has_slept ? after.time - before.time : nanoseconds(0);
      if (slept > std::chrono::milliseconds(10)) ++long_sleeps_;
      longest_sleep_ = std::max(longest_sleep_, slept);
      if (!worked) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // A run with this limit. The others are as long as a busy machine may need.
  std::string execute_with(const std::string& code, void (*limit)(SandboxConfig&)) {
    ExecuteRequest request;
    request.code = code;
    request.client = "test";
    request.session = session_;
    request.config.timeout = std::chrono::minutes(10);
    limit(request.config);
    RunEvents events;
    events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
    return gateway().execute(std::move(request), std::move(events)).value();
  }
  std::string error_of(const std::string& run) {
    run_watched([&] { return ends_.contains(run); });
    const RunError* const error = ends_[run].outcome->error();
    return error ? std::string(error->code.name()) : "";
  }

  nanoseconds longest_sleep_{0};  // in one handler of the loop
  int long_sleeps_ = 0;
};

TEST_F(StandstillTest, OtherRunsKeepTheirLimitsAndAreAnswered) {
  result_of(execute("return 0"));
  // These need the store: one whose person has just said yes, one that waits for a person, and one that is about to.
  const std::string approved = execute("return await mcp.fs.write({ path: 'a' })");
  wait_for_requests(1);
  const std::string waits = execute("return await mcp.fs.write({ path: 'b' })");
  wait_for_requests(2);
  ASSERT_TRUE(answer(requests_[0].id, true).ok());
  store::StandingStill still(*store_);
  const auto since = std::chrono::steady_clock::now();
  const std::string asks = execute("return await mcp.fs.write({ path: 'c' })");
  std::vector<std::string> heard;
  RunEvents events;
  events.on_waiting = [&](const ApprovalRequest& request) { heard.push_back(request.id); };
  ASSERT_TRUE(gateway().attach(waits, events));
  int continued = 0;
  const auto say_no = [&] {
    gateway().continue_run(waits, {.from = {"test"}, .approved = false}, {}, [&](const auto&) { ++continued; });
  };
  say_no();

  // These do not, and end while it stands still.
  const std::string slow = execute_with("for (;;) {}", [](SandboxConfig& config) {
    config.timeout = std::chrono::milliseconds(300);
    config.cpu = std::chrono::minutes(10);  // it would be the same
  });
  const std::string busy =
      execute_with("for (;;) {}", [](SandboxConfig& config) { config.cpu = std::chrono::milliseconds(300); });
  const std::string large = execute_with("const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))",
                                         [](SandboxConfig& config) { config.memory_bytes = std::size_t{64} << 20; });
  int plain_runs = 0;
  while (plain_runs < 20 || std::chrono::steady_clock::now() - since < std::chrono::seconds(5)) {
    const std::string plain = execute("return 1 + 1");
    run_watched([&] { return ends_.contains(plain); });
    EXPECT_EQ(ends_[plain].outcome->result_json(), "2");
    ++plain_runs;
    const auto next = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    run_watched([&] { return std::chrono::steady_clock::now() >= next; });
  }
  EXPECT_EQ(error_of(slow), "EXECUTION_TIMEOUT");
  EXPECT_EQ(error_of(busy), "CPU_LIMIT");
  EXPECT_EQ(error_of(large), "MEMORY_LIMIT");
  // A direct call would wait for a second.
  EXPECT_LT(longest_sleep_, std::chrono::milliseconds(300));
  // A shorter wait would be one in each run. A handler may wait for the thread of the sandbox that holds a lock, for
  // example of a queue, and has lost its core. That happens to few: the locks are held for microseconds.
  EXPECT_LT(long_sleeps_, plain_runs / 5) << "handlers that have slept for 10 ms";
  ASSERT_GT(scheduled().worked, 0) << "sleep can be measured here";

  // What needs the store has waited for it, and nothing has happened in its name.
  EXPECT_FALSE(ends_.contains(approved));
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_TRUE(heard.empty());
  still.let_go();
  EXPECT_EQ(result_of(approved).at("result").at("path"), "a");
  wait_for_requests(3);
  EXPECT_EQ(requests_[2].run, asks);
  // A request may have been refused while the store stood still: so it is made again.
  run_until([&] { return continued == 1; });
  say_no();
  run_until([&] { return continued == 2; });
  result_of(waits);
}

}  // namespace
}  // namespace glovebox::gateway
