#include "guest/pages/written_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>

#include "guest/pages/memory_map.h"
#include "guest/pages/process_copy.h"

namespace glovebox::guest {
namespace {

// Larger ones are reserves, which runs rarely touch.
constexpr std::uintptr_t kLargestMapping = std::uintptr_t{256} << 20;

constexpr std::size_t kLikelyPages = 512;

// The kernel maps so much of a file around the page that was asked for: from a multiple of it, or from the beginning of
// the mapping, but none beyond a page table.
constexpr std::uintptr_t kFilePiece = std::uintptr_t{64} << 10;

std::uintptr_t end_of_piece(std::uintptr_t page, const Mapping& mapping) {
  const std::uintptr_t begin = std::max(page & ~(kFilePiece - 1), mapping.begin);
  return std::min(begin + kFilePiece, (page | (kHugePageBytes - 1)) + 1);
}

// In an address: it is read, not written to.
constexpr std::uintptr_t kOnlyRead = 1;

bool may_be_needed(const Mapping& mapping) {
  const bool is_read = mapping.file && (mapping.protection & PROT_READ);
  return (is_read || (mapping.protection & PROT_WRITE)) && mapping.is_private && mapping.size() <= kLargestMapping;
}

bool note_needed_pages(const Mapping& mapping, const PageTable& table, AddressList& found) {
  std::array<std::uint64_t, 512> words;
  std::uintptr_t noted_until = 0;
  for (std::uintptr_t at = mapping.begin; at < mapping.end; at += words.size() * kPageBytes) {
    const auto part = std::span(words).first(std::min((mapping.end - at) / kPageBytes, words.size()));
    if (!table.read(at, part)) return false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uintptr_t page = at + i * kPageBytes;
      if (PageTable::is_own(part[i])) {
        if (!found.add(page)) return false;
      } else if (PageTable::is_of_file(part[i]) && page >= noted_until) {
        noted_until = end_of_piece(page, mapping);
        if (!found.add(page | kOnlyRead)) return false;
      }
    }
  }
  return true;
}

}  // namespace

void WrittenPages::learn(const std::function<void()>& run) {
  // Whatever this takes from the allocator, it takes before the copy is made: guests are copies of what comes after.
  pages_.reserve(kLikelyPages);
  const Mappings mappings = read_memory_map();
  AddressList list;
  const auto collect = [&](AddressList& found) {
    run();
    const PageTable table;
    return std::all_of(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
      return !may_be_needed(mapping) || note_needed_pages(mapping, table, found);
    });
  };
  if (ask_copy(collect, list)) pages_.assign(list.addresses().begin(), list.addresses().end());
}

void WrittenPages::touch() const {
  for (const std::uintptr_t page : pages_) {
    char* const byte = reinterpret_cast<char*>(page & ~kOnlyRead);
    if (page & kOnlyRead) {
      (void)*static_cast<volatile char*>(byte);
    } else {
      // By an instruction that reads and writes: one fault, and nothing that a compiler leaves out.
      asm volatile("orb $0, %0" : "+m"(*byte));
    }
  }
}

}  // namespace glovebox::guest
