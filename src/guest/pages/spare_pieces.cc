#include "guest/pages/spare_pieces.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "guest/code_reserve.h"
#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
// V8 asks for so much, and gives back what is beyond the first piece that is aligned.
constexpr std::size_t kBytesAskedFor = 2 * kPieceBytes - kPageBytes;
// As many as a guest may write to and still be rewound (jail/rewind/guest_image.cc).
constexpr std::size_t kPieces = 8;

struct Spare {
  std::uintptr_t next = 0;
  std::uintptr_t end = 0;
  std::uintptr_t cut = 0;
};
Spare spare;

}  // namespace

void SparePieces::map() {
  constexpr std::size_t kBytes = (kPieces + 1) * kPieceBytes;
  const long mapped =
      ::syscall(SYS_mmap, nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == -1) return;
  spare.next = (static_cast<std::uintptr_t>(mapped) + kPieceBytes - 1) & ~(kPieceBytes - 1);
  spare.end = spare.next + kPieces * kPieceBytes;
}

void* SparePieces::take(std::size_t length, int protection, int flags, int fd) {
  if (spare.next == spare.end || length != kBytesAskedFor || !CodeReserve::in_use()) return nullptr;
  if (protection != (PROT_READ | PROT_WRITE) || (flags & MAP_FIXED) || fd >= 0) return nullptr;
  const std::uintptr_t piece = std::exchange(spare.next, spare.next + kPieceBytes);
  spare.cut = spare.next;
  return reinterpret_cast<void*>(piece);
}

bool SparePieces::is_cut_off(const void* address) {
  return spare.cut != 0 && reinterpret_cast<std::uintptr_t>(address) == std::exchange(spare.cut, 0);
}

}  // namespace glovebox::guest
