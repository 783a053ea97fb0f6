#include "guest/pages/engine_pages.h"

#include <stdio.h>
#include <sys/mman.h>
#include <v8.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/engine/used_pages.h"
#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

// Code and constants. What lies before the code has served its purpose when the library is loaded.
std::vector<std::uint64_t> used_pages() {
  const auto mappings = read_memory_map();
  const auto known = reinterpret_cast<std::uintptr_t>(&v8::V8::GetVersion);
  const auto code = std::find_if(mappings.begin(), mappings.end(),
                                 [&](const Mapping& mapping) { return mapping.begin <= known && known < mapping.end; });
  const PageTable table;
  std::vector<std::uint64_t> used;
  for (auto mapping = code; mapping != mappings.end(); ++mapping) {
    if (mapping->file == 0 || mapping->file != code->file || (mapping->protection & PROT_WRITE)) continue;
    constexpr std::uintptr_t kStep = base::kPagesAtOnceBytes;
    for (std::uintptr_t part = mapping->begin & ~(kStep - 1); part < mapping->end; part += kStep) {
      const std::uintptr_t begin = std::max(part, mapping->begin);
      std::array<std::uint64_t, kStep / kPageBytes> words{};
      const auto pages = std::span(words).first((std::min(part + kStep, mapping->end) - begin) / kPageBytes);
      if (table.read(begin, pages) && std::any_of(pages.begin(), pages.end(), PageTable::is_present))
        used.push_back(begin);
    }
  }
  used.resize(std::min(used.size(), base::kMostUsedPages));
  return used;
}

}  // namespace

std::string append_used_pages(const char* image_path) {
  const std::vector<std::uint64_t> used = used_pages();
  base::UsedPagesEnd end;
  end.count = used.size();
  FILE* file = ::fopen(image_path, "ab");
  const bool written = file && ::fwrite(used.data(), sizeof(std::uint64_t), used.size(), file) == used.size() &&
                       ::fwrite(&end, sizeof end, 1, file) == 1;
  return file && ::fclose(file) == 0 && written ? "" : std::string("cannot write ") + image_path;
}

}  // namespace glovebox::guest
