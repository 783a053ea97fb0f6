#include "guest/code_reserve.h"

#include <errno.h>
#include <sys/mman.h>

namespace glovebox::guest {
namespace {

// The TypeScript stripper takes 7 MB of it. It costs nothing until it is written to, and hostile code can write to all
// of it, so it is no larger than it needs to be.
constexpr std::size_t kReserveBytes = std::size_t{32} << 20;

char* next = nullptr;
std::size_t left = 0;
bool used_from_now_on = false;

}  // namespace

bool CodeReserve::map() {
  void* memory = ::mmap(nullptr, kReserveBytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  next = static_cast<char*>(memory);
  left = kReserveBytes;
  return true;
}

void CodeReserve::use() {
  used_from_now_on = true;
}
bool CodeReserve::in_use() {
  return used_from_now_on;
}

int CodeReserve::move_to(void* address, std::size_t length) {
  if (length > left) {
    errno = ENOMEM;
    return -1;
  }
  if (::mremap(next, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, address) == MAP_FAILED) return -1;
  next += length;
  left -= length;
  return 0;
}

}  // namespace glovebox::guest
