#include "jail/confinement/seccomp_policy.h"

#include <errno.h>
#include <linux/futex.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "base/system_error.h"
#include "base/unique_fd.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

// Private anonymous memory and nothing else: no file, no sharing, no huge or locked pages.
constexpr std::uint64_t kMapKindMask = MAP_TYPE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_LOCKED | MAP_GROWSDOWN | MAP_SYNC;
constexpr std::uint64_t kMapKind = MAP_PRIVATE | MAP_ANONYMOUS;

AllowedCall advice(int value, const char* condition, const char* reason) {
  return {"madvise", SCMP_SYS(madvise), {{2, kAllBits, static_cast<std::uint64_t>(value)}}, condition, reason};
}

std::vector<AllowedCall> make_table() {
  const std::vector<ArgumentRule> own_socket = {{0, kAllBits, kGuestSocketFd}};
  const std::vector<ArgumentRule> not_executable = {{2, PROT_EXEC, 0}};
  return {
      {"read", SCMP_SYS(read), own_socket, "fd = 3", "frames from the gateway"},
      {"write", SCMP_SYS(write), own_socket, "fd = 3", "frames to the gateway"},
      {"mmap",
       SCMP_SYS(mmap),
       {{2, PROT_EXEC, 0}, {3, kMapKindMask, kMapKind}},
       "private, anonymous, no PROT_EXEC",
       "the engine's heap grows"},
      {"munmap", SCMP_SYS(munmap), {}, "-", "the engine's heap shrinks"},
      {"mremap", SCMP_SYS(mremap), {}, "-", "the allocator grows blocks; reserved executable pages move into place"},
      {"mprotect", SCMP_SYS(mprotect), not_executable, "no PROT_EXEC", "the heap commits reserved pages"},
      {"brk", SCMP_SYS(brk), {}, "-", "the allocator's main arena"},
      advice(MADV_DONTNEED, "advice = MADV_DONTNEED", "the heap returns pages"),
      advice(MADV_FREE, "advice = MADV_FREE", "the heap returns pages lazily"),
      advice(MADV_HUGEPAGE, "advice = MADV_HUGEPAGE", "large blocks of the heap"),
      advice(MADV_NOHUGEPAGE, "advice = MADV_NOHUGEPAGE", "large blocks of the heap"),
      {"futex",
       SCMP_SYS(futex),
       {{1, kAllBits, FUTEX_WAKE_PRIVATE}},
       "op = FUTEX_WAKE_PRIVATE",
       "locks of the C library; one thread never waits"},
      {"getpid", SCMP_SYS(getpid), {}, "-", "the engine asks who it is; the answer is local to the namespace"},
      {"gettid", SCMP_SYS(gettid), {}, "-", "the engine asks which thread it is on"},
      {"exit_group", SCMP_SYS(exit_group), {}, "-", "the guest ends"},
  };
}

}  // namespace

std::span<const AllowedCall> allowed_calls() {
  static const std::vector<AllowedCall> table = make_table();
  return table;
}

std::string describe_allowed_calls() {
  std::string text;
  for (const AllowedCall& call : allowed_calls()) {
    text += call.name;
    text += " | ";
    text += call.condition;
    text += " | ";
    text += call.reason;
    text += '\n';
  }
  return text;
}

Result<std::vector<sock_filter>> compile_seccomp_filter() {
  return compile_seccomp_filter(allowed_calls(), Otherwise::kKill);
}

Result<std::vector<sock_filter>> compile_seccomp_filter(std::span<const AllowedCall> table, Otherwise otherwise) {
  const std::uint32_t action = otherwise == Otherwise::kKill ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(action), seccomp_release);
  if (!filter) return Failure{ErrorCode::kFeatureMissing, "seccomp: libseccomp could not start a filter"};
  // libseccomp's own default for a foreign architecture kills only the calling thread.
  int error = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (const AllowedCall& call : table) {
    std::vector<scmp_arg_cmp> rules;
    for (const ArgumentRule& rule : call.rules) {
      rules.push_back({rule.argument, SCMP_CMP_MASKED_EQ, rule.mask, rule.value});
    }
    if (error == 0) {
      error = seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, call.number, static_cast<unsigned>(rules.size()),
                                     rules.data());
    }
  }
  if (error != 0) return base::system_failure(-error, "seccomp: building the filter");

  const base::UniqueFd file(::memfd_create("seccomp", MFD_CLOEXEC));
  if (!file.valid()) return base::system_failure(errno, "memfd_create");
  error = seccomp_export_bpf(filter.get(), file.get());
  if (error != 0) return base::system_failure(-error, "seccomp: exporting the filter");
  const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) {
    return base::system_failure(errno, "seccomp: reading the filter back");
  }
  return program;
}

}  // namespace glovebox::jail
