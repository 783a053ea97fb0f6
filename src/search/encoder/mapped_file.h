// A memory-mapped file, read-only and shared with every process that maps it.
#pragma once

#include <span>
#include <string>

#include "glovebox/result.h"

namespace glovebox::search {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const unsigned char> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const unsigned char> bytes) : bytes_(bytes) {}
  std::span<const unsigned char> bytes_;
};

}  // namespace glovebox::search
