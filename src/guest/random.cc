#include "guest/random.h"

// The digest's plain functions: the newer interface loads providers and reads configuration, which a guest cannot.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>

namespace glovebox::guest {

void SeededRandom::seed(std::string_view text) {
  seed(std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

void SeededRandom::seed(std::span<const unsigned char> bytes) {
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, bytes.data(), bytes.size());
  SHA256_Final(key_.data(), &hash);
  counter_ = 0;
  used_ = block_.size();
}

// SHA-256 over key and counter: no output reveals the key or an earlier output.
void SeededRandom::refill() {
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, key_.data(), key_.size());
  SHA256_Update(&hash, &counter_, sizeof counter_);
  SHA256_Final(block_.data(), &hash);
  ++counter_;
  used_ = 0;
}

void SeededRandom::fill(std::span<unsigned char> out) {
  while (!out.empty()) {
    if (used_ == block_.size()) refill();
    const std::size_t count = std::min(out.size(), block_.size() - used_);
    std::memcpy(out.data(), block_.data() + used_, count);
    used_ += count;
    out = out.subspan(count);
  }
}

std::uint32_t SeededRandom::next_word() {
  std::uint32_t word;
  fill(std::span(reinterpret_cast<unsigned char*>(&word), sizeof word));
  return word;
}

}  // namespace glovebox::guest
