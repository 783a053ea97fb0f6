#include "mcp/server/request_state.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstring>
#include <memory>

#include "base/try.h"
#include "mcp/json/base64.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;
constexpr std::size_t kTimeBytes = 8;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

unsigned char* bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The lengths stand before the parts, so that no two bindings read the same.
std::string associated(const StateBinding& binding) {
  return std::to_string(binding.principal.size()) + ":" + std::string(binding.principal) +
         std::to_string(binding.request.size()) + ":" + std::string(binding.request);
}

Failure refused_state(const char* what) {
  return {ErrorCode::kInvalidArgument, std::string("requestState ") + what};
}

}  // namespace

StateKey random_state_key() {
  StateKey key;
  GLOVEBOX_CHECK(RAND_bytes(key.data(), static_cast<int>(key.size())) == 1);
  return key;
}

std::string StateSealer::seal(std::string_view payload, const StateBinding& binding, Time expiry) const {
  std::string plain(kTimeBytes, '\0');
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(expiry.time_since_epoch()).count();
  std::memcpy(plain.data(), &seconds, kTimeBytes);
  plain += payload;
  const std::string bound = associated(binding);

  std::string out(kNonceBytes + plain.size() + kTagBytes, '\0');
  GLOVEBOX_CHECK(RAND_bytes(bytes(out), kNonceBytes) == 1);
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int written = 0;
  GLOVEBOX_CHECK(EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), bytes(out)) == 1);
  GLOVEBOX_CHECK(EVP_EncryptUpdate(cipher.get(), nullptr, &written, bytes(std::string_view(bound)),
                                   static_cast<int>(bound.size())) == 1);
  GLOVEBOX_CHECK(EVP_EncryptUpdate(cipher.get(), bytes(out) + kNonceBytes, &written, bytes(std::string_view(plain)),
                                   static_cast<int>(plain.size())) == 1);
  GLOVEBOX_CHECK(EVP_EncryptFinal_ex(cipher.get(), bytes(out) + kNonceBytes + written, &written) == 1);
  GLOVEBOX_CHECK(
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, bytes(out) + kNonceBytes + plain.size()) == 1);
  return base64_url(out);
}

Result<std::string> StateSealer::open(std::string_view sealed, const StateBinding& binding, Time now) const {
  if (sealed.size() > kMaxRequestStateBytes * 2) return refused_state("is too long");
  auto decoded = from_base64_url(sealed);
  if (!decoded) return refused_state("is not ours");
  std::string in = std::move(decoded).value();
  if (in.size() < kNonceBytes + kTimeBytes + kTagBytes) return refused_state("is not ours");
  const std::size_t size = in.size() - kNonceBytes - kTagBytes;
  const std::string bound = associated(binding);
  std::string plain(size, '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int written = 0;
  GLOVEBOX_CHECK(EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(), bytes(in)) == 1);
  GLOVEBOX_CHECK(EVP_DecryptUpdate(cipher.get(), nullptr, &written, bytes(std::string_view(bound)),
                                   static_cast<int>(bound.size())) == 1);
  GLOVEBOX_CHECK(
      EVP_DecryptUpdate(cipher.get(), bytes(plain), &written, bytes(in) + kNonceBytes, static_cast<int>(size)) == 1);
  GLOVEBOX_CHECK(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, bytes(in) + kNonceBytes + size) ==
                 1);
  if (EVP_DecryptFinal_ex(cipher.get(), bytes(plain) + written, &written) != 1)
    return refused_state("does not belong to this request");
  std::int64_t seconds = 0;
  std::memcpy(&seconds, plain.data(), kTimeBytes);
  if (now >= Time(std::chrono::seconds(seconds))) return refused_state("has expired");
  return plain.substr(kTimeBytes);
}

}  // namespace glovebox::mcp
