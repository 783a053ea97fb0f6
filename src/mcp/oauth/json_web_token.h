// Access tokens of an authorization server that the owner names, as JSON Web Tokens (RFC 7519). One is accepted if that
// server has signed it, for us, and it is valid now.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::mcp {

// The one algorithm with which a key may be used: the token's own header never chooses it.
enum class SigningAlgorithm { kRs256, kEs256 };

struct SigningKey {
  std::string id;
  SigningAlgorithm algorithm = SigningAlgorithm::kRs256;
  std::shared_ptr<EVP_PKEY> key;
};

// The keys of a JWK set (RFC 7517) that can be used: RSA of 2048 bits at least, and P-256, each with an id. Others are
// left out.
Result<std::vector<SigningKey>> read_key_set(std::string_view json);

struct TokenTerms {
  std::string issuer;
  std::string audience;
};
struct TokenClaims {
  std::string subject;
  std::int64_t expires = 0;  // seconds since 1970
  std::string scope{};       // space-separated words (RFC 8693)

  bool has_scope(const std::string& word) const {
    return (" " + scope + " ").find(" " + word + " ") != std::string::npos;
  }
};

// kNotFound: there is no key of this id, and the server may have rotated its keys. kInvalidArgument: it is not
// accepted.
Result<TokenClaims> verify_token(std::string_view token, const std::vector<SigningKey>& keys, const TokenTerms& terms,
                                 std::int64_t now);

}  // namespace glovebox::mcp
