// sha256-…: the digest of bytes in the form that web pages use. Other algorithms, several digests and digests in
// another spelling cannot be verified here, and what cannot be verified is refused.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::capability {

class Integrity {
 public:
  static Result<Integrity> parse(std::string_view text);
  static Integrity of(std::string_view bytes);

  const std::string& text() const { return text_; }
  std::string hex() const;  // for file names
  bool matches(std::string_view bytes) const;
  bool operator==(const Integrity&) const = default;

 private:
  explicit Integrity(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace glovebox::capability
