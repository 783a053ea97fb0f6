#include "oracle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <simdjson.h>

#include <algorithm>
#include <set>
#include <thread>

#include "../internet/own_internet.h"
#include "base/program_part.h"
#include "base/source_folder.h"
#include "eventually.h"
#include "footprint.h"
#include "net/limits.h"
#include "process_view.h"

namespace glovebox::attack {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The gateway closes the sockets of a run just after its end, and its file thread ends then, too: their number is known
// once it is stable.
std::size_t settled(std::size_t (*count_now)()) {
  std::size_t count = count_now();
  for (int same = 0; same < 3;) {
    std::this_thread::sleep_for(milliseconds(1));
    const std::size_t now = count_now();
    same = now == count ? same + 1 : 0;
    count = now;
  }
  return count;
}

std::string list_of(const std::vector<ProcessView>& processes) {
  std::string text;
  for (const ProcessView& process : processes) {
    text += "\n  " + std::to_string(process.pid) + " " + process.name + " " + process.state + ", child of " +
            std::to_string(process.parent);
  }
  return text;
}

bool has_zombie(const std::vector<ProcessView>& processes) {
  return std::any_of(processes.begin(), processes.end(), [](const auto& process) { return process.state == 'Z'; });
}

// Code points that change what a terminal does or how a reader sees the text.
bool commands_a_terminal(const std::string& text) {
  for (const unsigned char c : text) {
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return true;
  }
  // C1 controls, and the marks of the bidirectional algorithm, as UTF-8.
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
    if (a == 0xc2 && b < 0xa0) return true;
    if (a != 0xe2 || i + 2 >= text.size()) continue;
    const auto c = static_cast<unsigned char>(text[i + 2]);
    if ((b == 0x80 && c >= 0xaa && c <= 0xae) || (b == 0x81 && c >= 0xa6 && c <= 0xa9)) return true;
  }
  return false;
}

// Every word that may be in error.code. A new one must be deliberate, and is noticed here.
const std::set<std::string> kCodes = {
    "SYNTAX_ERROR",
    "RUNTIME_ERROR",
    "UNHANDLED_REJECTION",
    "EXECUTION_TIMEOUT",
    "CPU_LIMIT",
    "MEMORY_LIMIT",
    "STACK_LIMIT",
    "TIMER_LIMIT",
    "LOG_LIMIT",
    "FRAME_TOO_LARGE",
    "RESULT_TOO_LARGE",
    "SOURCE_TOO_LARGE",
    "CONTEXT_TOO_LARGE",
    "RESULT_NOT_SERIALIZABLE",
    "PERMISSION_DENIED",
    "MODULE_DENIED",
    "PROTOCOL_VIOLATION",
    "GUEST_CRASHED",
    "FORBIDDEN_SYSTEM_CALL",
    "SEAL_FAILED",
    "SANDBOX_UNAVAILABLE",
    "FEATURE_MISSING",
    "CANCELLED",
    "ZYGOTE_DIED",
    "INVALID_REQUEST",
    "CALL_LIMIT",
    "WRITE_QUOTA",
    "COMMAND_OUTPUT_LIMIT",
    "TOOL_ERROR",
    "TOOL_NOT_FOUND",
    "TOOL_CALL_LIMIT",
    "NO_SERVERS",
    "RPC_TIMEOUT",
    "APPROVAL_DENIED",
    "REPLAY_DIVERGED",
};

// The longest time between two polls of a run's limits (src/broker/session.cc).
constexpr double kPollMs = 5;
// The kernel updates the CPU time of a process on another core at each timer tick: every 10 ms at most.
constexpr double kTickMs = 10;
// More than any guest writes in a millisecond: 2 MB where it was measured.
constexpr double kMostMbPerMs = 8;
// The delay of a poll that the kernel does not account for: interrupts, page faults of the gateway that go to a disk. A
// gateway that delays its own polls for longer is at fault.
constexpr double kUnaccountedMs = 50;

// Names of this machine that only a leak could put into a result.
const std::string kHostWords[] = {base::source_folder(), base::program_part(""), "glovebox:prelude", "glovebox:amaro",
                                  "libglovebox"};

}  // namespace

Oracle::Oracle(GuestKind guest) : guest_(guest), testbed_(Testbed::instance()) {
  testbed_.sandbox(guest_);
  testbed_.sandbox_of_sibling(guest_);
  wait_for_rest("before the attack");
  descriptors_ = settled(count_descriptors);
  threads_ = settled(count_threads);
  resident_ = resident_bytes();
  mounts_ = mounts();
  connections_ = testbed_.canaries().connections();
  waits_ = waits_for_processor();
  forget_peak();
}

Oracle::~Oracle() {
  stop_sibling();
}

void Oracle::wait_for_rest(const char* when) const {
  testbed_.wait_until_warm();
  std::vector<ProcessView> processes;
  const bool at_rest = eventually([&] {
    processes = descendants_of(::getpid());
    return processes.size() == testbed_.processes_at_rest() && !has_zombie(processes);
  });
  EXPECT_TRUE(at_rest) << when << ": " << testbed_.processes_at_rest() << " processes belong here, not"
                       << list_of(processes);
}

void Oracle::start_sibling() {
  RunRequest request;
  request.code = "console.log('here'); await new Promise((r) => setTimeout(r, 1e9)); return context";
  request.context_json = "{\"secret\":\"" + testbed_.canaries().sibling_token() + "\"}";
  request.config.timeout = std::chrono::minutes(10);
  auto here = std::make_shared<std::promise<void>>();
  auto ended = std::make_shared<std::promise<Outcome>>();
  request.on_log = [here](const LogLine&) { here->set_value(); };
  auto is_here = here->get_future();
  sibling_outcome_ = ended->get_future();
  sibling_ = testbed_.sandbox_of_sibling(guest_).submit(
      std::move(request), [ended](Outcome outcome) { ended->set_value(std::move(outcome)); });
  ASSERT_EQ(is_here.wait_for(kPatience), std::future_status::ready) << "the sibling does not start";
}

void Oracle::stop_sibling() {
  if (!sibling_) return;
  EXPECT_EQ(sibling_outcome_.wait_for(milliseconds(0)), std::future_status::timeout) << "the attack ended another run";
  sibling_->cancel();
  const Outcome outcome = sibling_outcome_.get();
  EXPECT_TRUE(outcome.error() && outcome.error()->code == "CANCELLED") << to_json(outcome);
  sibling_.reset();
}

void Oracle::judge_outcome(const Outcome& outcome, const SandboxConfig& config) const {
  const std::string json = to_json(outcome);
  EXPECT_TRUE(simdjson::validate_utf8(json)) << "not UTF-8";
  for (const std::string& source : testbed_.canaries().found_in(json)) ADD_FAILURE() << "leaked: " << source;
  for (const std::string& word : kHostWords) EXPECT_EQ(json.find(word), std::string::npos) << "leaked: " << word;
  for (const LogLine& line : outcome.logs) {
    EXPECT_FALSE(commands_a_terminal(line.text)) << "in a log line: " << line.text.substr(0, 200);
  }
  for (const TraceEntry& entry : outcome.trace) {
    const bool is_clean = !commands_a_terminal(entry.op + entry.target + entry.error);
    EXPECT_TRUE(is_clean) << "in the trace: " << entry.target << " " << entry.error;
    if (!is_clean) break;
  }
  if (const RunError* error = outcome.error()) {
    EXPECT_TRUE(kCodes.contains(error->code.text())) << "not a known code: " << error->code.text();
    EXPECT_FALSE(error->message.empty());
    EXPECT_FALSE(commands_a_terminal(error->message + error->stack)) << error->message;
  }
  EXPECT_LE(outcome.metrics.result_bytes, config.max_output_bytes);
  EXPECT_LE(outcome.metrics.log_bytes, config.max_log_bytes);
}

// How late the gateway's last poll was, as far as its threads have waited for a CPU at all.
double Oracle::late_by_the_machine_ms(const Outcome& outcome) const {
  const double late = outcome.metrics.poll_late_ms;
  const auto waited = waited_ms_since(waits_);
  return waited ? std::min(late, *waited + kUnaccountedMs) : late;
}

void Oracle::judge_limits(const Outcome& outcome, const SandboxConfig& config) const {
  const Metrics& metrics = outcome.metrics;
  const double late_ms = late_by_the_machine_ms(outcome);
  const std::string measured = "; the last poll came " + std::to_string(metrics.poll_late_ms) + " ms late, " +
                               std::to_string(late_ms) + " ms of it excused by the machine, " + load_now();
  const double memory_mb = static_cast<double>(config.memory_bytes) / (1 << 20);
  EXPECT_LE(metrics.memory_used_mb, memory_mb + std::max(16.0, memory_mb / 10) + late_ms * kMostMbPerMs)
      << "memory beyond the limit of " << memory_mb << " MB" << measured;
  const std::string code = outcome.error() ? outcome.error()->code.text() : "";
  const auto judge_time = [&](double used_ms, std::chrono::milliseconds limit, double allowed_ms) {
    const auto limit_ms = static_cast<double>(limit.count());
    EXPECT_GE(used_ms, limit_ms) << code << " before its time";
    EXPECT_LE(used_ms, limit_ms + allowed_ms + late_ms) << code << " too late" << measured;
  };
  if (code == "EXECUTION_TIMEOUT") judge_time(metrics.execution_ms, config.timeout, kPollMs);
  if (code == "CPU_LIMIT") judge_time(metrics.cpu_ms, config.cpu.value_or(config.timeout), kPollMs + kTickMs);
}

std::size_t Oracle::peak_growth() const {
  const std::size_t peak = peak_bytes();
  return peak > resident_ ? peak - resident_ : 0;
}

void Oracle::judge_peak(std::size_t allowed_bytes) const {
  if (!kMemoryIsMeaningful) return;
  const std::size_t needed = peak_growth();
  EXPECT_LE(needed, allowed_bytes) << "the gateway needed " << (needed >> 20) << " MiB meanwhile";
}

std::size_t Oracle::growth(milliseconds patience) const {
  if (!kMemoryIsMeaningful) return 0;
  std::size_t smallest = ~std::size_t{0};
  for (const auto until = steady_clock::now() + patience; steady_clock::now() <= until;) {
    const std::size_t now = resident_bytes();
    smallest = std::min(smallest, now > resident_ ? now - resident_ : 0);
    if (smallest <= kAllowedGrowthBytes) break;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return smallest;
}

void judge_growth(const std::function<std::size_t()>& attack) {
  const std::size_t first = attack();
  if (first <= kAllowedGrowthBytes || testing::Test::HasFailure()) return;
  testing::Test::RecordProperty("first_growth_bytes", std::to_string(first));
  EXPECT_LE(attack(), kAllowedGrowthBytes) << "the gateway keeps growing; the first time it was by " << first;
}

void Oracle::judge_aftermath() {
  stop_sibling();
  const auto next = run_to_end(testbed_.sandbox(guest_), {.code = "1 + 1"});
  ASSERT_TRUE(next) << "the next run does not end";
  EXPECT_TRUE(next->ok() && next->result_json() == "2") << "the next run: " << to_json(*next);
  wait_for_rest("after the attack");
  std::size_t descriptors = 0;
  // There may be fewer than before: then one that was about to be closed was counted before.
  EXPECT_TRUE(eventually([&] { return (descriptors = count_descriptors()) <= descriptors_; }))
      << descriptors << " descriptors, " << descriptors_ << " before";
  std::size_t threads = 0;
  // Threads that resolve names wait for the next lookup.
  const std::size_t lookups = OwnInternet::instance() ? net::kMaxLookups : 0;
  EXPECT_TRUE(eventually([&] { return (threads = count_threads()) <= threads_ + lookups; }))
      << threads << " threads, " << threads_ << " before: somebody waits for something that does not come";
  EXPECT_EQ(mounts(), mounts_);
  EXPECT_EQ(testbed_.canaries().connections(), connections_) << "somebody connected to a socket of the host";
}

}  // namespace glovebox::attack
