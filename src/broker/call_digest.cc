#include "broker/call_digest.h"

#include <array>

namespace glovebox::broker {
namespace {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

void add(sha256_ctx& hash, std::string_view text) {
  sha256_update(&hash, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
}

Digest result_of(sha256_ctx hash) {
  Digest digest;
  sha256_digest(&hash, digest.size(), digest.data());
  return digest;
}

std::string hex_of(const sha256_ctx& hash) {
  std::string hex;
  for (const std::uint8_t byte : result_of(hash)) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace

BodyDigest::BodyDigest() {
  sha256_init(&hash_);
}

void BodyDigest::add(std::string_view bytes) {
  glovebox::broker::add(hash_, bytes);
}

std::string BodyDigest::hex() const {
  return hex_of(hash_);
}

CallDigests::CallDigests() {
  sha256_init(&bytes_);
}

void CallDigests::add_bytes(std::string_view bytes) {
  add(bytes_, bytes);
}

std::string CallDigests::of(const Call& call) const {
  sha256_ctx hash;
  sha256_init(&hash);
  const Digest before = result_of(bytes_);
  sha256_update(&hash, before.size(), before.data());
  // JSON holds no zero byte, and lengths keep the parts apart.
  add(hash, std::to_string(call.op.size()) + ' ' + call.op + ' ' + std::to_string(call.body_bytes) + ' ');
  add(hash, call.arguments_json);
  return hex_of(hash);
}

}  // namespace glovebox::broker
