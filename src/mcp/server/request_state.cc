#include "mcp/server/request_state.h"

#include <nettle/gcm.h>

#include <cstring>

#include "base/hmac.h"
#include "base/random.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kTimeBytes = 8;

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The lengths precede the parts, so that no two bindings have the same bytes.
std::string associated(const StateBinding& binding) {
  return std::to_string(binding.principal.size()) + ":" + std::string(binding.principal) +
         std::to_string(binding.request.size()) + ":" + std::string(binding.request);
}

gcm_aes256_ctx begin(const StateKey& key, const unsigned char* nonce, std::string_view bound) {
  gcm_aes256_ctx cipher;
  gcm_aes256_set_key(&cipher, key.data());
  gcm_aes256_set_iv(&cipher, kNonceBytes, nonce);
  gcm_aes256_update(&cipher, bound.size(), bytes(bound));
  return cipher;
}

Failure refused_state(const char* what) {
  return {ErrorCode::kInvalidArgument, std::string("requestState ") + what};
}

}  // namespace

StateKey random_state_key() {
  StateKey key;
  base::fill_randomly(key);
  return key;
}

std::string StateSealer::seal(std::string_view payload, const StateBinding& binding, Time expiry) const {
  std::string plain(kTimeBytes, '\0');
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(expiry.time_since_epoch()).count();
  std::memcpy(plain.data(), &seconds, kTimeBytes);
  plain += payload;

  std::string out(kNonceBytes + plain.size() + kTagBytes, '\0');
  base::fill_randomly(std::span(bytes(out), kNonceBytes));
  gcm_aes256_ctx cipher = begin(key_, bytes(out), associated(binding));
  gcm_aes256_encrypt(&cipher, plain.size(), bytes(out) + kNonceBytes, bytes(std::string_view(plain)));
  gcm_aes256_digest(&cipher, kTagBytes, bytes(out) + kNonceBytes + plain.size());
  return base64_url(out);
}

Result<std::string> StateSealer::open(std::string_view sealed, const StateBinding& binding, Time now) const {
  if (sealed.size() > kMaxRequestStateBytes * 2) return refused_state("is too long");
  auto decoded = from_base64_url(sealed);
  if (!decoded) return refused_state("was not issued here");
  std::string in = std::move(decoded).value();
  if (in.size() < kNonceBytes + kTimeBytes + kTagBytes) return refused_state("was not issued here");
  const std::size_t size = in.size() - kNonceBytes - kTagBytes;
  std::string plain(size, '\0');
  gcm_aes256_ctx cipher = begin(key_, bytes(in), associated(binding));
  gcm_aes256_decrypt(&cipher, size, bytes(plain), bytes(in) + kNonceBytes);
  std::string tag(kTagBytes, '\0');
  gcm_aes256_digest(&cipher, kTagBytes, bytes(tag));
  if (!base::equal_secrets(tag, std::string_view(in).substr(kNonceBytes + size)))
    return refused_state("does not belong to this request");
  std::int64_t seconds = 0;
  std::memcpy(&seconds, plain.data(), kTimeBytes);
  if (now >= Time(std::chrono::seconds(seconds))) return refused_state("has expired");
  return plain.substr(kTimeBytes);
}

}  // namespace glovebox::mcp
