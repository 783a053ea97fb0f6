// The identity of a piece of work: SHA-256 over named fields, each with its length, so that no two lists of fields have
// the same encoding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace glovebox::cache {

class CacheKey {
 public:
  // `kind` of work: run, call. The version of the format comes first: entries of another one are never found.
  explicit CacheKey(std::string_view kind);

  CacheKey& add(std::string_view field, std::string_view value);
  CacheKey& add(std::string_view field, const std::vector<std::string>& values);
  std::string hex() const;

 private:
  void add_text(std::string_view text);
  base::Sha256 hash_;
};

}  // namespace glovebox::cache
