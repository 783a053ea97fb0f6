// Identifies the file that was read: one that replaces it, or is rewritten, has another stamp.
#pragma once

#include <cstdint>
#include <string>

namespace glovebox::config {

struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // 0: there is none
  std::int64_t size = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const std::string& path);

}  // namespace glovebox::config
