// Executable pages that the zygote maps and a sealed guest uses up, so that no guest ever asks the kernel for
// PROT_EXEC.
#pragma once

#include <cstddef>

namespace glovebox::guest {

class CodeReserve {
 public:
  static bool map();  // in the zygote
  static void use();  // in a guest, from when the filter of system calls holds
  static bool in_use();
  // Puts `length` executable bytes where `address` is. 0, or -1 with errno when the reserve is used up.
  static int move_to(void* address, std::size_t length);
};

}  // namespace glovebox::guest
