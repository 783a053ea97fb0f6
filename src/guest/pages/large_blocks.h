// Large blocks of memory get huge pages where they fit. Page by page, a program that moves ten megabytes spends a third
// of its time on faults.
#pragma once

#include <cstddef>

namespace glovebox::guest {

// Of blocks that are going to be used as a whole. Does nothing for one that is not large.
void prefer_huge_pages(void* block, std::size_t bytes);

}  // namespace glovebox::guest
