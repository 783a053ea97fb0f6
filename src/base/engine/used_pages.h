// Which pages of the engine's file a small run uses. The build finds them and writes their addresses behind the boot
// image; `glovebox exec` has them mapped before the engine needs them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::base {

// One page stands for as many as the kernel maps at once around one that is missing.
inline constexpr std::size_t kPagesAtOnceBytes = std::size_t{64} << 10;
// As many as one call takes.
inline constexpr std::size_t kMostUsedPages = 1024;

// The last bytes of the image; before them `count` addresses, 8 bytes each.
struct UsedPagesEnd {
  char magic[8] = {'g', 'l', 'o', 'v', 'e', 'u', 'p', '1'};
  std::uint64_t count = 0;
};

// Empty if the image has no such list, or none that can be.
std::vector<std::uint64_t> read_used_pages(const std::string& image_path);

// Maps them in a child that is loading the engine, while it does something else: it would find each of them missing.
// Changes nothing else, and may fail.
void map_used_pages(pid_t engine, const std::string& image_path);

}  // namespace glovebox::base
