#include "guest/pages/written_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>

#include "guest/pages/memory_map.h"
#include "guest/pages/process_copy.h"

namespace glovebox::guest {
namespace {

// Larger ones are reserves, which runs seldom touch.
constexpr std::uintptr_t kLargestMapping = std::uintptr_t{256} << 20;

bool may_be_written(const Mapping& mapping) {
  return (mapping.protection & PROT_WRITE) && mapping.is_private && mapping.size() <= kLargestMapping;
}

bool note_own_pages(const Mapping& mapping, const PageTable& table, AddressList& found) {
  std::array<std::uint64_t, 512> words;
  for (std::uintptr_t at = mapping.begin; at < mapping.end; at += words.size() * kPageBytes) {
    const auto part = std::span(words).first(std::min((mapping.end - at) / kPageBytes, words.size()));
    if (!table.read(at, part)) return false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (PageTable::is_own(part[i]) && !found.add(at + i * kPageBytes)) return false;
    }
  }
  return true;
}

}  // namespace

void WrittenPages::learn(const std::function<void()>& run) {
  const auto mappings = read_memory_map();
  pages_ = ask_copy([&](AddressList& found) {
    run();
    const PageTable table;
    return std::all_of(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
      return !may_be_written(mapping) || note_own_pages(mapping, table, found);
    });
  });
}

void WrittenPages::touch() const {
  // By an instruction that reads and writes: one fault, and nothing that a compiler leaves out.
  for (const std::uintptr_t page : pages_) asm volatile("orb $0, %0" : "+m"(*reinterpret_cast<char*>(page)));
}

}  // namespace glovebox::guest
