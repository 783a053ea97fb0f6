// C library calls of the engine that must not mean in a guest what they mean elsewhere. The dynamic linker resolves
// them here because this object is preloaded.
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "guest/clock.h"
#include "guest/code_reserve.h"
#include "guest/pages/heap_arena.h"
#include "guest/pages/large_blocks.h"
#include "guest/pages/spare_pieces.h"

#define GLOVEBOX_INTERPOSE extern "C" __attribute__((visibility("default")))

using glovebox::guest::CodeReserve;
using glovebox::guest::GuestClock;
using glovebox::guest::HeapArena;
using glovebox::guest::prefer_huge_pages;
using glovebox::guest::SparePieces;

// While the zygote boots, what V8 maps goes side by side.
GLOVEBOX_INTERPOSE void* mmap(void* hint, size_t length, int protection, int flags, int fd, off_t offset) noexcept {
  if (void* const place = HeapArena::place_for(length, protection, flags, fd)) {
    if (HeapArena::has_memory_for(place, length, protection)) {
      HeapArena::note_mapped(place, length);
      return place;
    }
    const long mapped = ::syscall(SYS_mmap, place, length, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
    if (mapped == reinterpret_cast<long>(place)) {
      HeapArena::note_mapped(place, length);
      return place;
    }
  }
  if (void* const spare = SparePieces::take(length, protection, flags, fd)) return spare;
  const auto mapped = reinterpret_cast<void*>(::syscall(SYS_mmap, hint, length, protection, flags, fd, offset));
  const bool is_memory = fd < 0 && protection == (PROT_READ | PROT_WRITE);
  if (is_memory && mapped != MAP_FAILED) prefer_huge_pages(mapped, length);
  return mapped;
}

GLOVEBOX_INTERPOSE void* mmap64(void* hint, size_t length, int protection, int flags, int fd, off_t offset) noexcept {
  return mmap(hint, length, protection, flags, fd, offset);
}

GLOVEBOX_INTERPOSE int munmap(void* address, size_t length) noexcept {
  if (HeapArena::note_unmapped(address, length) || SparePieces::is_cut_off(address)) return 0;
  return static_cast<int>(::syscall(SYS_munmap, address, length));
}

// This build of V8 marks its heap MADV_DONTFORK: a forked child would find holes where its heap was.
GLOVEBOX_INTERPOSE int madvise(void* address, size_t length, int advice) noexcept {
  if (advice == MADV_DONTFORK) return 0;
  // Hints without effect on meaning; the filter of system calls does not know them.
  if (advice == MADV_DONTDUMP || advice == MADV_DODUMP) return 0;
  return static_cast<int>(::syscall(SYS_madvise, address, length, advice));
}

// WebAssembly asks for executable memory as it compiles, and a guest may not ask the kernel. It gets pages that the
// zygote made executable beforehand, moved to the place where it wants them.
GLOVEBOX_INTERPOSE int mprotect(void* address, size_t length, int protection) noexcept {
  HeapArena::note_protected(address, protection);
  if ((protection & PROT_EXEC) && CodeReserve::in_use()) return CodeReserve::move_to(address, length);
  return static_cast<int>(::syscall(SYS_mprotect, address, length, protection));
}

// The guest has no clock but the one in its gateway's frames, and the kernel's fast path reads the cycle counter, which
// is trapped.
GLOVEBOX_INTERPOSE int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!GuestClock::stopped()) return static_cast<int>(::syscall(SYS_clock_gettime, clock, out));
  *out = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? GuestClock::wall() : GuestClock::steady();
  return 0;
}

GLOVEBOX_INTERPOSE int gettimeofday(timeval* out, void*) noexcept {
  timespec now;
  if (const int error = clock_gettime(CLOCK_REALTIME, &now)) return error;
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

GLOVEBOX_INTERPOSE time_t time(time_t* out) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}

// V8 asks where its stack begins, and the C library would search /proc/self/maps. Without an answer V8 takes what the
// C library noted when the process began.
GLOVEBOX_INTERPOSE int pthread_getattr_np(pthread_t, pthread_attr_t*) noexcept {
  return ENOSYS;
}

// A failed assertion of the engine prints its stack to standard error, which no guest has: that would look like an
// attack.
GLOVEBOX_INTERPOSE ssize_t write(int fd, const void* data, size_t size) {
  if ((fd == STDOUT_FILENO || fd == STDERR_FILENO) && CodeReserve::in_use()) return static_cast<ssize_t>(size);
  return ::syscall(SYS_write, fd, data, size);
}

// The C library's abort raises a signal with a system call that is not allowed, which would look like an attack.
GLOVEBOX_INTERPOSE void abort() noexcept {
  __builtin_trap();
}
