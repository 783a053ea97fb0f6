// The zygote's hot memory in huge pages. A fork copies one entry for each instead of 512, and shares the engine's code,
// which as the mapping of a file every guest would fault in and drop again. A guest that writes gets its own 4 KB as
// ever.
#pragma once

#include <cstddef>
#include <functional>

namespace glovebox::guest {

struct HugePages {
  std::size_t code_bytes = 0;  // copies of the engine's file
  std::size_t heap_bytes = 0;  // V8's heap and the allocator's
};

// In the zygote, when nothing of it changes any more. `run` does in a copy of the process what runs do, which shows the
// code that they need. Does nothing where the kernel gives no huge pages.
HugePages use_huge_pages(const std::function<void()>& run);

}  // namespace glovebox::guest
