// The memory that all guests of a zygote begin with: where it can be written to, and its bytes. The zygote writes only
// to its stack once it serves, so a page that a guest has not changed is the zygote's.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::jail {

inline constexpr std::uintptr_t kPageSize = 4096;
using PageBytes = std::array<std::byte, kPageSize>;

struct WritableRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool is_stack = false;
};

class ZygoteMemory {
 public:
  // `guest`: one that waits for its first frame. It has the mappings that all others have, too.
  static Result<ZygoteMemory> examine(pid_t zygote, pid_t guest);

  const std::vector<WritableRange>& writable() const { return writable_; }
  // Whether it has as much mapped as the first that was asked about: then its mappings are these.
  bool is_usual(unsigned long mapped_bytes);
  // Null: it cannot be read, or too many were asked for.
  const PageBytes* page(std::uintptr_t address);

 private:
  base::UniqueFd bytes_;  // stays bound to this process, even if its pid is reused
  std::vector<WritableRange> writable_;
  unsigned long mapped_bytes_ = 0;
  std::unordered_map<std::uintptr_t, std::unique_ptr<PageBytes>> pages_;
};

}  // namespace glovebox::jail
