#include "guest/pages/huge_pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <v8.h>

#include <algorithm>
#include <array>

#include "guest/pages/heap_arena.h"
#include "guest/pages/memory_map.h"
#include "guest/pages/process_copy.h"

#ifndef SYS_mseal
#define SYS_mseal 462  // since Linux 6.10
#endif

namespace glovebox::guest {
namespace {

// A block of private memory with fewer pages than this costs less as it is.
constexpr std::size_t kWorthwhilePages = 64;

constexpr std::size_t kPagesPerBlock = kHugePageBytes / kPageBytes;

struct Blocks {
  std::uintptr_t begin;
  std::uintptr_t end;
  int protection;
  std::size_t size() const { return end - begin; }
};

std::uintptr_t up(std::uintptr_t address) {
  return (address + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
}

std::size_t present_pages(const PageTable& table, std::uintptr_t block) {
  std::array<std::uint64_t, kPagesPerBlock> words;
  if (!table.read(block, words)) return 0;
  return static_cast<std::size_t>(std::count_if(words.begin(), words.end(), PageTable::is_present));
}

// Memory that the kernel has put into huge pages: to write to the first of 512 small pages makes all of them present.
// Null where it has not.
char* make_huge(const PageTable& table, std::size_t size) {
  const std::size_t room = size + kHugePageBytes;
  const long mapped = ::syscall(SYS_mmap, nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == -1) return nullptr;
  const auto begin = static_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = up(begin);
  if (aligned > begin) ::syscall(SYS_munmap, begin, aligned - begin);
  if (aligned + size < begin + room) ::syscall(SYS_munmap, aligned + size, begin + room - aligned - size);
  ::syscall(SYS_madvise, aligned, size, MADV_HUGEPAGE);
  bool all_huge = true;
  for (std::uintptr_t block = aligned; all_huge && block < aligned + size; block += kHugePageBytes) {
    *reinterpret_cast<volatile char*>(block) = 0;
    std::array<std::uint64_t, 1> last;
    all_huge = table.read(block + kHugePageBytes - kPageBytes, last) && PageTable::is_present(last[0]);
  }
  if (!all_huge) {
    ::syscall(SYS_munmap, aligned, size);
    return nullptr;
  }
  // What a guest gives back and takes again is small.
  ::syscall(SYS_madvise, aligned, size, MADV_NOHUGEPAGE);
  return reinterpret_cast<char*>(aligned);
}

// The same bytes at the same place, in huge pages.
bool replace(const PageTable& table, const Blocks& blocks) {
  char* const copy = make_huge(table, blocks.size());
  if (!copy) return false;
  ::memcpy(copy, reinterpret_cast<const void*>(blocks.begin), blocks.size());
  if (::syscall(SYS_mprotect, copy, blocks.size(), blocks.protection) == 0 &&
      ::syscall(SYS_mremap, copy, blocks.size(), blocks.size(), MREMAP_MAYMOVE | MREMAP_FIXED, blocks.begin) != -1) {
    return true;
  }
  ::syscall(SYS_munmap, copy, blocks.size());
  return false;
}

// Neighbours become one, so that they stay one mapping.
void add_block(std::vector<Blocks>& all, std::uintptr_t block, int protection) {
  if (!all.empty() && all.back().end == block && all.back().protection == protection) {
    all.back().end += kHugePageBytes;
  } else {
    all.push_back({block, block + kHugePageBytes, protection});
  }
}

bool is_heap(const Mapping& mapping) {
  return mapping.is_private && !mapping.file && !mapping.is_special && (mapping.protection & PROT_WRITE);
}

// V8's pieces leave gaps, and a huge page has none. A gap becomes unused memory.
void fill_gaps(Mappings& mappings) {
  for (std::size_t i = 0; i + 1 < mappings.size(); ++i) {
    Mapping& mapping = mappings[i];
    const Mapping& after = mappings[i + 1];
    const std::uintptr_t end = std::min(after.begin, up(mapping.end));
    const bool joins = end == up(mapping.end) || after.protection == mapping.protection;
    if (!is_heap(mapping) || !HeapArena::holds(mapping.begin) || end == mapping.end || !joins) continue;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    const long filled = ::syscall(SYS_mmap, mapping.end, end - mapping.end, mapping.protection, kFlags, -1, 0);
    if (filled == static_cast<long>(mapping.end)) mapping.end = end;
  }
}

// V8's heap, its machine code and the allocator's memory, where much of it is in use.
std::vector<Blocks> blocks_of_heap(const PageTable& table) {
  std::vector<Mapping> joined;
  Mappings mappings = read_memory_map();
  fill_gaps(mappings);
  for (const Mapping& mapping : mappings) {
    if (!is_heap(mapping)) continue;
    if (!joined.empty() && joined.back().end == mapping.begin && joined.back().protection == mapping.protection) {
      joined.back().end = mapping.end;
    } else {
      joined.push_back(mapping);
    }
  }
  std::vector<Blocks> all;
  for (const Mapping& mapping : joined) {
    for (std::uintptr_t block = up(mapping.begin); block + kHugePageBytes <= mapping.end; block += kHugePageBytes) {
      if (present_pages(table, block) >= kWorthwhilePages) add_block(all, block, mapping.protection);
    }
  }
  return all;
}

// Code and constants of the engine that runs need: a fork does not copy the page tables of files, so the copy's say
// what it has used.
std::vector<Blocks> blocks_of_code(const std::function<void()>& run) {
  const auto mappings = read_memory_map();
  const auto known = reinterpret_cast<std::uintptr_t>(&v8::V8::GetVersion);
  const auto engine = std::find_if(mappings.begin(), mappings.end(), [&](const Mapping& mapping) {
    return mapping.begin <= known && known < mapping.end;
  });
  if (engine == mappings.end() || !engine->file) return {};
  const auto each_block = [&](const auto& visit) {
    for (const Mapping& mapping : mappings) {
      if (mapping.file != engine->file || !mapping.is_private || (mapping.protection & PROT_WRITE)) continue;
      for (std::uintptr_t block = up(mapping.begin); block + kHugePageBytes <= mapping.end; block += kHugePageBytes)
        visit(block, mapping.protection);
    }
  };
  AddressList list;
  const auto collect = [&](AddressList& found) {
    run();
    const PageTable table;
    bool noted = true;
    each_block([&](std::uintptr_t block, int) {
      if (present_pages(table, block) > 0) noted = noted && found.add(block);
    });
    return noted;
  };
  if (!ask_copy(collect, list)) return {};
  const auto used = list.addresses();
  std::vector<Blocks> all;
  each_block([&](std::uintptr_t block, int protection) {
    if (std::find(used.begin(), used.end(), block) != used.end()) add_block(all, block, protection);
  });
  return all;
}

// What is sealed cannot be changed or given back. A guest's use of memory is counted from what it has at its start: one
// that gave back the engine's code could use as much beyond its limit.
bool can_seal() {
  return ::syscall(SYS_mseal, nullptr, 0, 0) == 0;
}

}  // namespace

HugePages use_huge_pages(const std::function<void()>& run) {
  HugePages made;
  const PageTable table;
  if (char* const probe = make_huge(table, kHugePageBytes)) {
    ::syscall(SYS_munmap, probe, kHugePageBytes);
  } else {
    return made;
  }
  for (const Blocks& blocks : can_seal() ? blocks_of_code(run) : std::vector<Blocks>()) {
    if (!replace(table, blocks)) continue;
    ::syscall(SYS_mseal, blocks.begin, blocks.size(), 0);
    made.code_bytes += blocks.size();
  }
  for (const Blocks& blocks : blocks_of_heap(table)) {
    if (replace(table, blocks)) made.heap_bytes += blocks.size();
  }
  return made;
}

}  // namespace glovebox::guest
