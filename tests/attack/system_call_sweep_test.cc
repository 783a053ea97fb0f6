// E: the kernel's answer to every system call that native code in a guest can make. What the table of
// guest_confinement.cc does not allow must kill the guest, whatever its arguments are.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "jail/confinement/guest_confinement.h"
#include "oracle/oracle.h"
#include "oracle/process_view.h"

namespace glovebox::attack {
namespace {

// Beyond the last number of today's kernels, so that future ones are tried as well.
constexpr long kLastNumber = 512;
constexpr long kX32Bit = 0x40000000;
constexpr long kUretprobe = 335;
constexpr long kUprobe = 336;

std::set<long> allowed_numbers() {
  std::set<long> numbers;
  for (const jail::AllowedCall& call : jail::guest_confinement().filter.calls) numbers.insert(call.number);
  return numbers;
}

// The error code of a guest that evaluates this, or its result if it survives.
std::string fate_of(const std::string& code) {
  RunRequest request;
  request.code = "return " + code;
  request.language = Language::kJavaScript;
  request.config.timeout = std::chrono::seconds(60);
  const auto outcome = run_to_end(Testbed::instance().sandbox(GuestKind::kProbe), std::move(request));
  if (!outcome) return "endless";
  return outcome->error() ? outcome->error()->code.text() : outcome->result_json();
}

std::size_t resident_bytes_of_zygotes() {
  std::size_t bytes = 0;
  for (const ProcessView& process : descendants_of(::getpid())) {
    if (process.parent == ::getpid())
      bytes += std::strtoul(status_field(process.pid, "VmRSS").c_str(), nullptr, 10) * 1024;
  }
  return bytes;
}

// Returns how much the gateway has grown, or its zygotes, whichever is more.
std::size_t make_calls(const std::vector<long>& numbers) {
  Oracle oracle(GuestKind::kProbe);
  const std::size_t zygotes_before = resident_bytes_of_zygotes();
  EXPECT_GT(zygotes_before, 0u);
  for (const long number : numbers) {
    const std::string fate = fate_of("syscall(" + std::to_string(number) + ", 0, 0, 0, 0, 0, 0)");
    EXPECT_EQ(fate, "FORBIDDEN_SYSTEM_CALL") << "number " << number;
  }
  oracle.judge_aftermath();
  const std::size_t zygotes = resident_bytes_of_zygotes();
  return std::max(oracle.growth(), zygotes > zygotes_before ? zygotes - zygotes_before : 0);
}

// After hundreds of killed guests, gateway and zygote are as large as before. Pages that the kernel took from them in
// between, because others needed memory, they get back once, like what they do for the first time.
void all_must_die(const std::vector<long>& numbers) {
  judge_growth([&] { return make_calls(numbers); });
}

TEST(SystemCallSweep, EveryNumberThatIsNotAllowedKills) {
  const std::set<long> allowed = allowed_numbers();
  std::vector<long> numbers;
  for (long number = 0; number <= kLastNumber; ++number) {
    if (!allowed.contains(number) && number != kUretprobe && number != kUprobe) numbers.push_back(number);
  }
  EXPECT_GE(numbers.size(), 470u - 27u);
  all_must_die(numbers);
}

// Since Linux 6.11 the kernel lets these two pass every filter, because it puts them into programs itself. Outside of
// the place where it put one, the first raises a signal and the second does nothing.
TEST(SystemCallSweep, TheTwoThatNoFilterSees) {
  Oracle oracle(GuestKind::kProbe);
  const std::string uretprobe = fate_of("syscall(" + std::to_string(kUretprobe) + ", 0, 0, 0, 0, 0, 0)");
  EXPECT_TRUE(uretprobe == "FORBIDDEN_SYSTEM_CALL" || uretprobe == "GUEST_CRASHED") << uretprobe;
  const std::string uprobe = fate_of("syscall(" + std::to_string(kUprobe) + ", 0, 0, 0, 0, 0, 0)");
  EXPECT_TRUE(uprobe == "FORBIDDEN_SYSTEM_CALL" || uprobe == "GUEST_CRASHED" || uprobe == "-6") << uprobe;
  oracle.judge_aftermath();
}

TEST(SystemCallSweep, NumbersThatNoKernelHas) {
  all_must_die({1000, 65535, 0x3fffffff, 0x7fffffff, -1, -2, 0x80000000L, 0xffffffffL});
}

// The x32 table shares numbers with ours, marked by a bit that a careless filter does not check.
TEST(SystemCallSweep, TheX32Table) {
  std::vector<long> numbers;
  for (const long number : allowed_numbers()) numbers.push_back(number | kX32Bit);
  for (long number = 512; number <= 547; ++number) numbers.push_back(number | kX32Bit);
  all_must_die(numbers);
}

// int 0x80 enters the i386 table, whose numbers mean other calls than ours. Kernels without it raise a fault instead.
TEST(SystemCallSweep, TheI386Table) {
  Oracle oracle(GuestKind::kProbe);
  // exit, fork, read, write, open, execve, getpid, mount, ptrace, kill, brk, ioctl, mmap, socketcall, clone, mprotect,
  // rt_sigaction, mmap2, exit_group, openat, clone3
  for (const int number : {1, 2, 3, 4, 5, 11, 20, 21, 26, 37, 45, 54, 90, 102, 120, 125, 174, 192, 252, 295, 435}) {
    const std::string fate = fate_of("syscall32(" + std::to_string(number) + ", 3, 0, 0)");
    EXPECT_TRUE(fate == "FORBIDDEN_SYSTEM_CALL" || fate == "GUEST_CRASHED") << number << ": " << fate;
  }
  oracle.judge_aftermath();
}

// Checks the probe itself: allowed calls are answered.
TEST(SystemCallSweep, AllowedCallsAreAnswered) {
  EXPECT_NE(fate_of("syscall(39)"), "FORBIDDEN_SYSTEM_CALL");
  EXPECT_EQ(fate_of("syscall(1, 3, new Uint8Array(0), 0)"), "0");
  EXPECT_EQ(fate_of("syscall(28, addressOf(new Uint8Array(8192)) & ~4095n, 4096, 15)"), "0")
      << "madvise MADV_NOHUGEPAGE";
  EXPECT_EQ(fate_of("syscall(202, new Uint8Array(4), 129, 1)"), "0") << "futex FUTEX_WAKE_PRIVATE";
}

}  // namespace
}  // namespace glovebox::attack
