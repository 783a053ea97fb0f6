#include "guest/pages/constants.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

bool is_constant(const Mapping& mapping) {
  return mapping.protection == PROT_READ && mapping.is_private && !mapping.is_special;
}

struct Part {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// From the first to the last page that belongs to no file.
Part made_part(const Mapping& mapping, const PageTable& table) {
  Part made;
  std::array<std::uint64_t, 512> words;
  for (std::uintptr_t at = mapping.begin; at < mapping.end; at += words.size() * kPageBytes) {
    const auto pages = std::span(words).first(std::min((mapping.end - at) / kPageBytes, words.size()));
    if (!table.read(at, pages)) return {};
    for (std::size_t i = 0; i < pages.size(); ++i) {
      if (!PageTable::is_present(pages[i]) || PageTable::is_of_file(pages[i])) continue;
      const std::uintptr_t page = at + i * kPageBytes;
      if (made.begin == 0) made.begin = page;
      made.end = page + kPageBytes;
    }
  }
  return made;
}

}  // namespace

void move_constants_to_file() {
  const int file = ::memfd_create("constants", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return;
  const PageTable table;
  off_t used = 0;
  for (const Mapping& mapping : read_memory_map()) {
    if (!is_constant(mapping)) continue;
    const auto [begin, end] = made_part(mapping, table);
    const auto size = static_cast<ssize_t>(end - begin);
    if (size == 0) continue;
    if (::pwrite(file, reinterpret_cast<const void*>(begin), end - begin, used) != size) break;
    ::syscall(SYS_mmap, begin, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, used);
    used += size;
  }
  ::fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  ::close(file);
}

}  // namespace glovebox::guest
