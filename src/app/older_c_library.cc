// What the C++ library takes from C libraries that are newer than 2.34, when it is linked into `glovebox`. Hidden, so
// that the libraries that `glovebox` loads go on without it.
#include <stdlib.h>
#include <sys/random.h>

#include <cstdint>

// For std::random_device, which nothing here uses.
__attribute__((visibility("hidden"))) std::uint32_t random_word() __asm__("arc4random");
std::uint32_t random_word() {
  std::uint32_t value;
  if (::getrandom(&value, sizeof value, 0) != sizeof value) ::abort();
  return value;
}

// Finds who catches an exception. Before the commands are loaded none is thrown, unless memory runs out; then nobody
// catches it, and the process ends.
__attribute__((visibility("hidden"))) int find_nobody(void*, void*) __asm__("_dl_find_object");
int find_nobody(void*, void*) {
  return -1;
}
