// Pieces of memory for V8's heap that the zygote has mapped and nothing has used. A guest that is to be rewound after
// its run takes these first: asking the kernel for memory would be its end.
#pragma once

#include <cstddef>

namespace glovebox::guest {

class SparePieces {
 public:
  static void map();  // in the zygote
  // In a guest: where a mapping of this kind is already. Null: nowhere.
  static void* take(std::size_t length, int protection, int flags, int fd);
  // The end of the piece that was just taken, which V8 gives back at once.
  static bool is_cut_off(const void* address);
};

}  // namespace glovebox::guest
