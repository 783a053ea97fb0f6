#include "guest/pages/large_blocks.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "guest/pages/memory_map.h"

namespace glovebox::guest {

void prefer_huge_pages(void* block, std::size_t bytes) {
  constexpr std::size_t kLargeBytes = 2 * kHugePageBytes;  // holds one, however it lies
  if (bytes < kLargeBytes) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first_page = (begin + kPageBytes - 1) & ~(kPageBytes - 1);
  const std::uintptr_t end = (begin + bytes) & ~(kPageBytes - 1);
  ::syscall(SYS_madvise, first_page, end - first_page, MADV_HUGEPAGE);  // a hint: it may fail
}

}  // namespace glovebox::guest
