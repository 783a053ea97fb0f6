// SHA-256.
#pragma once

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace glovebox::base {

class Sha256 {
 public:
  using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

  Sha256();
  void add(std::string_view bytes);
  // Of what has been added so far; more may follow.
  Digest digest() const;
  std::string hex() const;

 private:
  sha256_ctx hash_;
};

std::string sha256_hex(std::string_view bytes);
// FNV-1a, 16 digits: sets names of files apart. Anybody can make two texts that have the same.
std::string short_digest(std::string_view bytes);
// The digest's bytes, for what takes text. Of a digest that outlives the view.
std::string_view as_text(const Sha256::Digest& digest);

}  // namespace glovebox::base
