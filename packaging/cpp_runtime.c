// What Debian 12's libstdc++ lacks to run with glibc 2.34, when it is linked anew from its own objects.
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc has it since 2.36; std::random_device is made of it.
uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
  return value;
}

// The engine asks for this under its first version, which only the linked library has.
void wait_of_today(void*, void*) __asm__("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void wait_of_3_4_11(void* self, void* lock) { wait_of_today(self, lock); }
__asm__(".symver wait_of_3_4_11,_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
