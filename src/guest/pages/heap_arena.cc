#include "guest/pages/heap_arena.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

// The first half is for the heap. Machine code has the second: its pages have other rights, and between those of the
// heap it would cut huge pages into pieces.
constexpr std::uintptr_t kArenaBytes = std::uintptr_t{1} << 32;
constexpr std::uintptr_t kHalfBytes = kArenaBytes / 2;
// V8's reservations for machine code and WebAssembly's guard pages are larger, and stay where they are.
constexpr std::size_t kLargestPiece = std::size_t{48} << 20;
// V8 asks for more than it needs and gives back what does not fit its alignment: placed so, nothing is in the way.
constexpr std::uintptr_t kPieceAlignment = std::uintptr_t{256} << 10;
// So much for a piece of the heap, of which it keeps the first 256 KB.
constexpr std::size_t kBytesAskedForPiece = 2 * kPieceAlignment - kPageBytes;

struct Arena {
  bool is_open = false;
  bool has_read_only_pages = false;
  HeapArena::Pages pages = HeapArena::Pages::kSmall;
  std::uintptr_t begin = 0;
  std::uintptr_t next = 0;
  std::uintptr_t next_code = 0;
  // The part that is memory in huge pages, if any, and where the last piece in it is cut off.
  std::uintptr_t huge_begin = 0;
  std::uintptr_t huge_end = 0;
  std::uintptr_t cut = 0;
};
Arena arena;

std::uintptr_t up_to(std::uintptr_t address, std::uintptr_t alignment) {
  return (address + alignment - 1) & ~(alignment - 1);
}

bool is_in_second_half(std::uintptr_t address) {
  return address >= arena.begin + kHalfBytes;
}

}  // namespace

void HeapArena::open(Pages pages) {
  const long range =
      ::syscall(SYS_mmap, nullptr, kArenaBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == -1) return;
  ::syscall(SYS_munmap, range, kArenaBytes);
  arena.begin = arena.next = up_to(static_cast<std::uintptr_t>(range), kHugePageBytes);
  arena.next_code = arena.begin + kHalfBytes;
  arena.pages = pages;
  arena.is_open = true;
}

void HeapArena::close() {
  arena.is_open = false;
  // What a run gives back and takes again is small.
  if (arena.huge_end > arena.huge_begin)
    ::syscall(SYS_madvise, arena.huge_begin, arena.huge_end - arena.huge_begin, MADV_NOHUGEPAGE);
}

bool HeapArena::holds(std::uintptr_t address) {
  return address >= arena.begin && address < arena.next;
}

void* HeapArena::place_for(std::size_t length, int protection, int flags, int fd) {
  if (!arena.is_open || fd >= 0 || (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) || !(flags & MAP_PRIVATE))
    return nullptr;
  if (length > kLargestPiece) return nullptr;
  if (protection != (PROT_READ | PROT_WRITE)) {
    const std::uintptr_t place = up_to(arena.next_code, length >= kHugePageBytes ? kHugePageBytes : kPageBytes);
    const bool fits = place + length + kHugePageBytes <= arena.begin + kArenaBytes;
    return fits ? reinterpret_cast<void*>(place) : nullptr;
  }
  if (is_in_second_half(arena.next + length + kHugePageBytes)) return nullptr;
  // The heap that is never written begins the arena. What is written gets huge pages of its own.
  if (arena.has_read_only_pages && length >= kPieceAlignment / 2) {
    arena.next = up_to(arena.next, kHugePageBytes);
    arena.has_read_only_pages = false;
    if (arena.pages == Pages::kHuge && arena.huge_end == 0) arena.huge_begin = arena.huge_end = arena.next;
  }
  return reinterpret_cast<void*>(length >= kPieceAlignment ? up_to(arena.next, kPieceAlignment) : arena.next);
}

void HeapArena::note_mapped(void* address, std::size_t length) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  (is_in_second_half(at) ? arena.next_code : arena.next) = up_to(at + length, kPageBytes);
}

bool HeapArena::has_memory_for(void* place, std::size_t length, int protection) {
  const auto at = reinterpret_cast<std::uintptr_t>(place);
  if (length != kBytesAskedForPiece || protection != (PROT_READ | PROT_WRITE)) return false;
  if (arena.huge_end == 0 || at < arena.huge_begin || at > arena.huge_end) return false;
  if (at + length > arena.huge_end) {
    const std::uintptr_t more = up_to(at + length, kHugePageBytes) - arena.huge_end;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    const long mapped = ::syscall(SYS_mmap, arena.huge_end, more, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (mapped != static_cast<long>(arena.huge_end)) return false;
    ::syscall(SYS_madvise, mapped, more, MADV_HUGEPAGE);
    arena.huge_end += more;
  }
  arena.cut = at + kPieceAlignment;
  return true;
}

bool HeapArena::note_unmapped(void* address, std::size_t length) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (!arena.is_open || at < arena.begin || up_to(at + length, kPageBytes) != arena.next) return false;
  // V8 cuts off at once what it does not need of a piece, so that it is still zero. Whole pieces are not used again.
  const bool is_cut_off = std::exchange(arena.cut, 0) == at;
  if (is_cut_off || at < arena.huge_begin || at >= arena.huge_end) arena.next = at;
  return is_cut_off;
}

void HeapArena::note_protected(void* address, int protection) {
  if (arena.is_open && protection == PROT_READ && holds(reinterpret_cast<std::uintptr_t>(address)))
    arena.has_read_only_pages = true;
}

}  // namespace glovebox::guest
