// What one run may still write. Counted as written and never given back: writing and deleting in a loop wears the disk
// as much as writing alone.
#pragma once

#include <cstdint>

namespace glovebox::vfs {

class Quota {
 public:
  Quota(std::uint64_t bytes, std::uint64_t files, std::uint64_t names = 0)
      : bytes_(bytes), files_(files), names_(names) {}

  // Whether there was enough; nothing is taken when there was not.
  [[nodiscard]] bool take_bytes(std::uint64_t count) {
    if (count > bytes_) return false;
    bytes_ -= count;
    return true;
  }
  [[nodiscard]] bool take_file() {
    if (files_ == 0) return false;
    --files_;
    return true;
  }
  // In bytes: paths that a layer lists as changed.
  [[nodiscard]] bool take_names(std::uint64_t count) {
    if (count > names_) return false;
    names_ -= count;
    return true;
  }
  // For a file that was counted in advance, and was not created.
  void return_file() { ++files_; }

  std::uint64_t bytes_left() const { return bytes_; }

 private:
  std::uint64_t bytes_;
  std::uint64_t files_;
  std::uint64_t names_;
};

}  // namespace glovebox::vfs
