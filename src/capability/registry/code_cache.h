// CodeCache: texts under the names of their digests, in <state folder>/capabilities.
//
// A text is verified each time it is read, so that a damaged or altered file counts as missing. Files are written
// beside and renamed: even after a crash, a name stands for all of its text or for nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capability/registry/integrity.h"
#include "glovebox/result.h"

namespace glovebox::capability {

class CodeCache {
 public:
  explicit CodeCache(const std::string& state_folder);

  // Nothing where it is not there, or is not what its name says.
  std::optional<std::string> find(const Integrity& integrity) const;
  // On the disk; 0 where there is none.
  std::size_t bytes_of(const Integrity& integrity) const;
  Result<Integrity> put(std::string_view text);
  void remove(const Integrity& integrity);

 private:
  std::string path_of(const Integrity& integrity) const { return folder_ + "/" + integrity.hex(); }
  std::string state_folder_;
  std::string folder_;
};

}  // namespace glovebox::capability
