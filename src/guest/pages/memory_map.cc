#include "guest/pages/memory_map.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace glovebox::guest {
namespace {

// More make the list grow while it is being read, and then it names a mapping that is gone.
constexpr std::size_t kLikelyMappings = 512;

bool parse_line(const char* line, Mapping& mapping) {
  char flags[8] = {};
  int name_at = 0;
  if (std::sscanf(line, "%lx-%lx %7s %*x %*x:%*x %lu %n", &mapping.begin, &mapping.end, flags, &mapping.file,
                  &name_at) != 4) {
    return false;
  }
  mapping.protection =
      (flags[0] == 'r' ? PROT_READ : 0) | (flags[1] == 'w' ? PROT_WRITE : 0) | (flags[2] == 'x' ? PROT_EXEC : 0);
  mapping.is_private = flags[3] == 'p';
  mapping.is_special = line[name_at] == '[' && std::strcmp(line + name_at, "[heap]") != 0;
  mapping.is_clock = mapping.is_special && std::strncmp(line + name_at, "[vvar", 5) == 0;
  return true;
}

}  // namespace

Mappings read_memory_map() {
  Mappings mappings;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return mappings;
  mappings.reserve(kLikelyMappings);
  char text[2 * PATH_MAX];
  std::size_t kept = 0;  // the beginning of a line whose end is yet to come
  for (ssize_t size; (size = ::read(file, text + kept, sizeof text - kept)) > 0;) {
    char* line = text;
    char* const end = text + kept + size;
    for (char* stop; (stop = std::find(line, end, '\n')) != end; line = stop + 1) {
      *stop = '\0';
      if (Mapping mapping; parse_line(line, mapping)) mappings.push_back(mapping);
    }
    kept = static_cast<std::size_t>(end - line);
    std::memmove(text, line, kept);
  }
  ::close(file);
  ::explicit_bzero(text, sizeof text);
  return mappings;
}

PageTable::PageTable() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

PageTable::~PageTable() {
  if (file_ >= 0) ::close(file_);
}

bool PageTable::read(std::uintptr_t address, std::span<std::uint64_t> pages) const {
  const auto offset = static_cast<off_t>(address / kPageBytes * sizeof(std::uint64_t));
  return ::pread(file_, pages.data(), pages.size_bytes(), offset) == static_cast<ssize_t>(pages.size_bytes());
}

}  // namespace glovebox::guest
