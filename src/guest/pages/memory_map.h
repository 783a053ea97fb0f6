// What the kernel says of this process's address space. For the zygote: a guest has no /proc. Names of files are not
// kept: a guest would find the owner's folders in its memory.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glovebox::guest {

inline constexpr std::uintptr_t kPageBytes = 4096;
inline constexpr std::uintptr_t kHugePageBytes = std::uintptr_t{2} << 20;

// Memory that is mapped for one list alone: making it does not change what is examined.
template <typename Entry>
struct MappedAlone {
  using value_type = Entry;
  Entry* allocate(std::size_t count) {
    void* const memory =
        ::mmap(nullptr, count * sizeof(Entry), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) __builtin_trap();
    return static_cast<Entry*>(memory);
  }
  void deallocate(Entry* list, std::size_t count) { ::munmap(list, count * sizeof(Entry)); }
  bool operator==(const MappedAlone&) const = default;
};

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  int protection = 0;  // PROT_…
  bool is_private = false;
  bool is_special = false;  // [stack] and the like
  bool is_clock = false;    // where the kernel shows the time
  unsigned long file = 0;   // its inode; 0: none

  std::uintptr_t size() const { return end - begin; }
};

using Mappings = std::vector<Mapping, MappedAlone<Mapping>>;

// Empty where it cannot be read.
Mappings read_memory_map();

// One word a page, as Linux's pagemap.rst describes them.
class PageTable {
 public:
  PageTable();
  ~PageTable();
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  // The words of as many pages from `address` on; false where they cannot be read.
  bool read(std::uintptr_t address, std::span<std::uint64_t> pages) const;

  static bool is_present(std::uint64_t page) { return page >> 63 & 1; }
  static bool is_of_file(std::uint64_t page) { return is_present(page) && (page >> 61 & 1); }
  // Present in memory of this process alone, not shared since a fork.
  static bool is_own(std::uint64_t page) { return is_present(page) && (page >> 56 & 1) && !(page >> 61 & 1); }

 private:
  int file_ = -1;
};

}  // namespace glovebox::guest
