#include "base/digest.h"

#include "base/text/hex.h"

namespace glovebox::base {

Sha256::Sha256() {
  sha256_init(&hash_);
}

void Sha256::add(std::string_view bytes) {
  sha256_update(&hash_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

Sha256::Digest Sha256::digest() const {
  sha256_ctx hash = hash_;
  Digest digest;
  sha256_digest(&hash, digest.size(), digest.data());
  return digest;
}

std::string Sha256::hex() const {
  return base::hex(digest());
}

std::string_view as_text(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string short_digest(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hex_number(hash, 16);
}

}  // namespace glovebox::base
