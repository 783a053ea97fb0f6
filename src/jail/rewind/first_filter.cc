#include "jail/rewind/first_filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <iterator>

namespace glovebox::jail {
namespace {

constexpr long kChangingCalls[] = {SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_brk, SYS_madvise};
constexpr sock_filter kAllow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};

// Of a new filter the kernel finds out which calls it allows whatever their arguments, by running it for each of 900
// numbers with interrupts off. It skips the numbers that an inherited filter does not allow like that. This one reads
// an argument first, which makes those of the guests cheaper.
constexpr sock_filter kReadArgument{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)};

}  // namespace

std::span<const long> address_space_calls() {
  return kChangingCalls;
}

int install_first_filter(bool ask) {
  sock_filter filter[std::size(kChangingCalls) + 4] = {kReadArgument,
                                                       {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
  unsigned short size = 2;
  for (std::size_t i = 0; ask && i < std::size(kChangingCalls); ++i) {
    const auto over_the_rest = static_cast<unsigned char>(std::size(kChangingCalls) - i);
    filter[size++] = {BPF_JMP | BPF_JEQ | BPF_K, over_the_rest, 0, static_cast<unsigned>(kChangingCalls[i])};
  }
  filter[size++] = kAllow;
  if (ask) filter[size++] = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF};
  const sock_fprog program{size, filter};
  const unsigned long flags = ask ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  const long result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (!ask) return -1;
  return result >= 0 ? static_cast<int>(result) : install_first_filter(false);
}

}  // namespace glovebox::jail
