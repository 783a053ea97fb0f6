// HMAC-SHA-256, and comparing secrets in constant time.
#pragma once

#include <nettle/hmac.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "base/digest.h"

namespace glovebox::base {

class HmacSha256 {
 public:
  explicit HmacSha256(std::span<const std::uint8_t> key);
  explicit HmacSha256(std::string_view key);
  void add(std::string_view bytes);
  // Of what has been added so far; more may follow.
  Sha256::Digest digest() const;

 private:
  hmac_sha256_ctx context_;
};

// In a time that does not depend on where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace glovebox::base
