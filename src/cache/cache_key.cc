#include "cache/cache_key.h"

#include <array>
#include <cstdint>

namespace glovebox::cache {
namespace {

// Grows whenever the same fields come to mean something else.
constexpr std::string_view kFormat = "glovebox cache 1";

std::string hex_of(sha256_ctx hash) {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&hash, digest.size(), digest.data());
  std::string hex;
  for (const std::uint8_t byte : digest) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace

CacheKey::CacheKey(std::string_view kind) {
  sha256_init(&hash_);
  add_text(kFormat);
  add_text(kind);
}

void CacheKey::add_text(std::string_view text) {
  const std::string length = std::to_string(text.size()) + ':';
  sha256_update(&hash_, length.size(), reinterpret_cast<const std::uint8_t*>(length.data()));
  sha256_update(&hash_, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
}

CacheKey& CacheKey::add(std::string_view field, std::string_view value) {
  add_text(field);
  add_text(value);
  return *this;
}

CacheKey& CacheKey::add(std::string_view field, const std::vector<std::string>& values) {
  add_text(field);
  add_text(std::to_string(values.size()));
  for (const std::string& value : values) add_text(value);
  return *this;
}

std::string CacheKey::hex() const {
  return hex_of(hash_);
}

std::string sha256_hex(std::string_view bytes) {
  sha256_ctx hash;
  sha256_init(&hash);
  sha256_update(&hash, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return hex_of(hash);
}

}  // namespace glovebox::cache
