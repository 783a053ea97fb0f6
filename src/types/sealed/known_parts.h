// Parts that were made before, by a digest of the question: tools that have not changed are not asked about again.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "types/part.h"

namespace glovebox::types {

class KnownParts {
 public:
  explicit KnownParts(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  static std::string key_of(std::string_view source, std::string_view question);

  // Null where there is none. Valid until the next `keep`.
  const Part* find(const std::string& key) const;
  // Where there is no room, all others go.
  void keep(const std::string& key, Part part);

 private:
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::unordered_map<std::string, Part> parts_;
};

}  // namespace glovebox::types
