// Artifacts: pictures and files that code returns in addition to its result, with emit(name, data).
#pragma once

#include <memory>
#include <string>

namespace glovebox {

// Code is hostile, so nothing here is as it says: the name has a few plain characters, the type is one of a fixed list,
// and the bytes fit it. Copies share the bytes.
struct Artifact {
  std::string name;    // letters, digits, '.', '_' and '-'; begins with a letter or digit
  std::string type;    // image/png, text/csv, …
  std::string digest;  // SHA-256 in hex
  std::shared_ptr<const std::string> content;

  const std::string& bytes() const { return *content; }
};

}  // namespace glovebox
