// Checks facts about the policy's table, and evaluates the compiled filter call by call, all without the kernel.
#include "jail/confinement/seccomp_policy.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstring>
#include <iterator>
#include <random>
#include <set>

#include "jail/confinement/guest_confinement.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

struct Call {
  std::uint32_t number = 0;
  std::uint64_t arguments[6] = {};
  std::uint32_t architecture = AUDIT_ARCH_X86_64;
};

// Evaluates a filter as the kernel does: the few instructions of classic BPF that libseccomp emits. Any other is a
// failure.
std::uint32_t evaluate(const std::vector<sock_filter>& program, const Call& call) {
  seccomp_data data{};
  data.nr = static_cast<int>(call.number);
  data.arch = call.architecture;
  std::memcpy(data.args, call.arguments, sizeof data.args);
  std::uint32_t accumulator = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& instruction = program[at];
    const std::uint32_t k = instruction.k;
    const auto jump = [&](bool taken) { at += taken ? instruction.jt : instruction.jf; };
    switch (instruction.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (k + sizeof accumulator > sizeof data) return ADD_FAILURE() << "a load outside of the call", 0;
        std::memcpy(&accumulator, reinterpret_cast<const char*>(&data) + k, sizeof accumulator);
        break;
      case BPF_ALU | BPF_AND | BPF_K: accumulator &= k; break;
      case BPF_JMP | BPF_JA: at += k; break;
      case BPF_JMP | BPF_JEQ | BPF_K: jump(accumulator == k); break;
      case BPF_JMP | BPF_JGT | BPF_K: jump(accumulator > k); break;
      case BPF_JMP | BPF_JGE | BPF_K: jump(accumulator >= k); break;
      case BPF_JMP | BPF_JSET | BPF_K: jump((accumulator & k) != 0); break;
      case BPF_RET | BPF_K: return k;
      default: return ADD_FAILURE() << "an instruction that this test does not know: " << instruction.code, 0;
    }
  }
  return ADD_FAILURE() << "the program runs off its end", 0;
}

class CompiledFilter : public testing::Test {
 protected:
  static const std::vector<sock_filter>& program() {
    static const auto compiled = compile_seccomp_filter(guest_confinement().filter);
    return compiled.value();
  }
  static bool allows(const Call& call) {
    const std::uint32_t action = evaluate(program(), call);
    EXPECT_TRUE(action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_KILL_PROCESS)
        << "call " << call.number << " gets the action " << std::hex << action;
    return action == SECCOMP_RET_ALLOW;
  }
};

constexpr std::uint64_t kSocket = kGuestSocketFd;
constexpr std::uint64_t kPlainMap = MAP_PRIVATE | MAP_ANONYMOUS;

TEST(SeccompTable, NamesAtMostTwentyFiveCalls) {
  std::set<int> numbers;
  for (const AllowedCall& call : guest_confinement().filter.calls) numbers.insert(call.number);
  EXPECT_GT(numbers.size(), 0u);
  EXPECT_LE(numbers.size(), 25u);
}

TEST(SeccompTable, GivesAReasonForEveryRow) {
  for (const AllowedCall& call : guest_confinement().filter.calls) {
    EXPECT_GT(std::strlen(call.reason), 10u) << call.name;
    EXPECT_GE(call.number, 0) << call.name;
    EXPECT_EQ(std::string_view(call.condition) == "-", call.rules[0].mask == 0)
        << call.name << ": rules and their words differ";
  }
}

// Whatever is added to the table: no path, no descriptor, no process, no thread, no signal, no clock.
TEST(SeccompTable, HoldsNothingThatReachesOutside) {
  const std::set<int> forbidden = {SYS_open,          SYS_openat,      SYS_openat2,
                                   SYS_creat,         SYS_stat,        SYS_readlink,
                                   SYS_unlink,        SYS_socket,      SYS_socketpair,
                                   SYS_connect,       SYS_bind,        SYS_sendmsg,
                                   SYS_recvmsg,       SYS_dup,         SYS_dup2,
                                   SYS_dup3,          SYS_pipe,        SYS_pipe2,
                                   SYS_fork,          SYS_vfork,       SYS_clone,
                                   SYS_clone3,        SYS_execve,      SYS_execveat,
                                   SYS_ptrace,        SYS_kill,        SYS_tgkill,
                                   SYS_mount,         SYS_unshare,     SYS_setns,
                                   SYS_bpf,           SYS_ioctl,       SYS_prctl,
                                   SYS_arch_prctl,    SYS_prlimit64,   SYS_io_uring_setup,
                                   SYS_memfd_create,  SYS_userfaultfd, SYS_process_vm_readv,
                                   SYS_pkey_mprotect, SYS_seccomp,     SYS_clock_gettime,
                                   SYS_rt_sigaction};
  for (const AllowedCall& call : guest_confinement().filter.calls)
    EXPECT_FALSE(forbidden.contains(call.number)) << call.name;
}

TEST_F(CompiledFilter, FitsTheKernelAndTheGreeting) {
  EXPECT_GT(program().size(), 20u);
  EXPECT_LE(program().size(), static_cast<std::size_t>(BPF_MAXINSNS));
  EXPECT_LE(sizeof(Hello) + program().size() * sizeof(sock_filter), kMaxControlMessageBytes);
}

TEST_F(CompiledFilter, ReadsAndWritesOnTheSocketOnly) {
  for (const std::uint32_t number : {SYS_read, SYS_write}) {
    EXPECT_TRUE(allows({number, {kSocket, 0x1000, 10}}));
    for (const std::uint64_t fd : {0ull, 1ull, 2ull, 4ull, 0xffffffffull, ~0ull, 0x100000003ull}) {
      EXPECT_FALSE(allows({number, {fd, 0x1000, 10}})) << number << " on " << fd;
    }
  }
}

TEST_F(CompiledFilter, MapsPrivateAnonymousMemoryOnly) {
  EXPECT_TRUE(allows({SYS_mmap, {0, 4096, PROT_READ | PROT_WRITE, kPlainMap, ~0ull, 0}}));
  EXPECT_TRUE(allows({SYS_mmap, {0, 4096, PROT_NONE, kPlainMap | MAP_NORESERVE, ~0ull, 0}}));
  EXPECT_TRUE(allows({SYS_mmap, {0x10000, 4096, PROT_READ, kPlainMap | MAP_FIXED, ~0ull, 0}}));
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE, kSocket, 0}})) << "a file";
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, ~0ull, 0}}));
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, ~0ull, 0}}));
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, kPlainMap | MAP_HUGETLB, ~0ull, 0}}));
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, kPlainMap | MAP_LOCKED, ~0ull, 0}}));
  EXPECT_FALSE(allows({SYS_mmap, {0, 4096, PROT_READ, kPlainMap | MAP_GROWSDOWN, ~0ull, 0}}));
}

TEST_F(CompiledFilter, MakesNothingExecutable) {
  for (const std::uint64_t protection : {PROT_EXEC, PROT_READ | PROT_EXEC, PROT_READ | PROT_WRITE | PROT_EXEC}) {
    EXPECT_FALSE(allows({SYS_mmap, {0, 4096, protection, kPlainMap, ~0ull, 0}}));
    EXPECT_FALSE(allows({SYS_mprotect, {0x10000, 4096, protection}}));
  }
  EXPECT_TRUE(allows({SYS_mprotect, {0x10000, 4096, PROT_READ | PROT_WRITE}}));
  EXPECT_FALSE(allows({SYS_pkey_mprotect, {0x10000, 4096, PROT_READ, 0}}));
}

TEST_F(CompiledFilter, GivesOnlyHarmlessAdvice) {
  for (const std::uint64_t advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE}) {
    EXPECT_TRUE(allows({SYS_madvise, {0x10000, 4096, advice}})) << advice;
  }
  for (const std::uint64_t advice : {MADV_HWPOISON, MADV_COLD, MADV_DOFORK, MADV_REMOVE, MADV_MERGEABLE}) {
    EXPECT_FALSE(allows({SYS_madvise, {0x10000, 4096, advice}})) << advice;
  }
}

TEST_F(CompiledFilter, WakesButNeverWaits) {
  EXPECT_TRUE(allows({SYS_futex, {0x10000, FUTEX_WAKE_PRIVATE, 1}}));
  for (const std::uint64_t operation : {FUTEX_WAIT, FUTEX_WAIT_PRIVATE, FUTEX_WAKE, FUTEX_REQUEUE, FUTEX_LOCK_PI}) {
    EXPECT_FALSE(allows({SYS_futex, {0x10000, operation, 1}})) << operation;
  }
}

TEST_F(CompiledFilter, KillsForeignArchitectures) {
  for (const std::uint32_t architecture :
       std::initializer_list<std::uint32_t>{AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, 0, ~0u}) {
    for (std::uint32_t number = 0; number < 512; ++number) {
      const Call call{number, {kSocket}, architecture};
      EXPECT_EQ(evaluate(program(), call), static_cast<std::uint32_t>(SECCOMP_RET_KILL_PROCESS))
          << architecture << " " << number;
    }
  }
}

TEST_F(CompiledFilter, KillsX32) {
  constexpr std::uint32_t kX32Bit = 0x40000000;
  for (std::uint32_t number = 0; number < 600; ++number) EXPECT_FALSE(allows({number | kX32Bit, {kSocket}})) << number;
  EXPECT_FALSE(allows({~0u, {kSocket}}));
}

TEST_F(CompiledFilter, KillsEveryCallThatTheTableDoesNotName) {
  std::set<std::uint32_t> named;
  for (const AllowedCall& call : guest_confinement().filter.calls)
    named.insert(static_cast<std::uint32_t>(call.number));
  for (std::uint32_t number = 0; number < 1024; ++number) {
    if (named.contains(number)) continue;
    EXPECT_FALSE(allows({number, {}})) << number;
    EXPECT_FALSE(allows({number, {kSocket, kSocket, kSocket, kSocket, kSocket, kSocket}})) << number;
  }
}

bool table_allows(const Call& call) {
  for (const AllowedCall& row : guest_confinement().filter.calls) {
    if (static_cast<std::uint32_t>(row.number) != call.number) continue;
    bool all_hold = true;
    for (const ArgumentRule& rule : row.rules) all_hold &= (call.arguments[rule.argument] & rule.mask) == rule.value;
    if (all_hold) return true;
  }
  return false;
}

// libseccomp splits 64-bit comparisons in two and shares branches: the program must still match the table.
TEST_F(CompiledFilter, DecidesAsTheTableDoes) {
  std::mt19937_64 random(7);
  const std::uint64_t interesting[] = {0,
                                       1,
                                       2,
                                       kSocket,
                                       PROT_EXEC,
                                       PROT_READ | PROT_WRITE,
                                       kPlainMap,
                                       MAP_SHARED,
                                       MADV_FREE,
                                       ~0ull,
                                       1ull << 32,
                                       0x81,
                                       129,
                                       (1ull << 32) + kSocket,
                                       (1ull << 32) + kPlainMap};
  int allowed = 0;
  for (int round = 0; round < 200'000; ++round) {
    const auto rows = guest_confinement().filter.calls;
    Call call;
    call.number = static_cast<std::uint32_t>(rows[random() % rows.size()].number);
    for (std::uint64_t& argument : call.arguments) {
      argument = random() % 8 == 0 ? random() : interesting[random() % std::size(interesting)];
    }
    const bool expected = table_allows(call);
    allowed += expected;
    ASSERT_EQ(allows(call), expected) << "call " << call.number << " round " << round;
  }
  EXPECT_GT(allowed, 10'000) << "the samples must reach both answers";
  EXPECT_LT(allowed, 190'000);
}

}  // namespace
}  // namespace glovebox::jail
