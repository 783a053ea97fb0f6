// V8 spreads its heap over the address space in pieces of 256 KB, each with page tables of its own, which every fork
// copies and every guest drops. While the zygote boots, what V8 maps goes side by side into one range instead, which is
// as random as any mapping. A process that does not fork has its heap there in huge pages from the start: to fault it
// in page by page takes many times as long.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::guest {

class HeapArena {
 public:
  enum class Pages : char { kSmall, kHuge };

  static void open(Pages pages);
  static void close();  // from here on the kernel chooses places again
  static bool holds(std::uintptr_t address);

  // Where a mapping of this kind is to go; null: anywhere.
  static void* place_for(std::size_t length, int protection, int flags, int fd);
  // That it went there.
  static void note_mapped(void* address, std::size_t length);
  // Whether there is memory at that place already: for a piece of the heap, with Pages::kHuge.
  static bool has_memory_for(void* place, std::size_t length, int protection);
  // Returns whether the memory is kept for the next piece.
  static bool note_unmapped(void* address, std::size_t length);
  static void note_protected(void* address, int protection);
};

}  // namespace glovebox::guest
