#include "base/hmac.h"

#include <nettle/memops.h>

namespace glovebox::base {

HmacSha256::HmacSha256(std::span<const std::uint8_t> key) {
  hmac_sha256_set_key(&context_, key.size(), key.data());
}

HmacSha256::HmacSha256(std::string_view key)
    : HmacSha256(std::span(reinterpret_cast<const std::uint8_t*>(key.data()), key.size())) {}

void HmacSha256::add(std::string_view bytes) {
  hmac_sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

Sha256::Digest HmacSha256::digest() const {
  hmac_sha256_ctx context = context_;
  Sha256::Digest digest;
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  return a.size() == b.size() && memeql_sec(a.data(), b.data(), a.size()) != 0;
}

}  // namespace glovebox::base
