#include "mcp/oauth/json_web_token.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/try.h"
#include "mcp/json/base64.h"
#include "mcp/json/json_tree.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kMostTokenBytes = 8192;
constexpr std::size_t kMostKeys = 64;
constexpr int kLeastRsaBits = 2048;
constexpr std::size_t kCoordinateBytes = 32;  // of P-256
// Clocks differ.
constexpr double kLeeway = 60;

template <typename T, void (*Free)(T*)>
struct Freed {
  void operator()(T* what) const { Free(what); }
};
using Number = std::unique_ptr<BIGNUM, Freed<BIGNUM, BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM, OSSL_PARAM_free>>;
using Context = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX, EVP_PKEY_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG, ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Number number_of(std::string_view bytes) {
  return Number(BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::shared_ptr<EVP_PKEY> key_of(const char* kind, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const Context context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* made = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  std::shared_ptr<EVP_PKEY> key(made, EVP_PKEY_free);
  const Context check(EVP_PKEY_CTX_new(key.get(), nullptr));
  return check && EVP_PKEY_public_check(check.get()) == 1 ? key : nullptr;
}

std::optional<std::string> member_bytes(const json::object& key, const char* name) {
  const auto text = string_member(key, name);
  return text ? from_base64_url(*text) : std::nullopt;
}

std::shared_ptr<EVP_PKEY> rsa_key(const json::object& jwk) {
  const auto modulus = member_bytes(jwk, "n");
  const auto exponent = member_bytes(jwk, "e");
  if (!modulus || !exponent || modulus->size() > 2048 || exponent->size() > 8) return nullptr;
  const Number n = number_of(*modulus);
  const Number e = number_of(*exponent);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!n || !e || BN_num_bits(n.get()) < kLeastRsaBits || !builder ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return nullptr;
  }
  return key_of("RSA", builder.get());
}

std::shared_ptr<EVP_PKEY> p256_key(const json::object& jwk) {
  const auto x = member_bytes(jwk, "x");
  const auto y = member_bytes(jwk, "y");
  if (string_member(jwk, "crv") != "P-256" || !x || !y || x->size() != kCoordinateBytes ||
      y->size() != kCoordinateBytes) {
    return nullptr;
  }
  const std::string point = "\x04" + *x + *y;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (!builder || OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1) {
    return nullptr;
  }
  return key_of("EC", builder.get());
}

std::string_view name_of(SigningAlgorithm algorithm) {
  return algorithm == SigningAlgorithm::kRs256 ? "RS256" : "ES256";
}

std::optional<SigningKey> signing_key(const json::object& jwk) {
  SigningKey made;
  made.id = string_member(jwk, "kid").value_or("");
  const std::string kind = string_member(jwk, "kty").value_or("");
  if (kind != "RSA" && kind != "EC") return std::nullopt;
  made.algorithm = kind == "RSA" ? SigningAlgorithm::kRs256 : SigningAlgorithm::kEs256;
  const bool is_for_this =
      string_member(jwk, "use").value_or("sig") == "sig" &&
      string_member(jwk, "alg").value_or(std::string(name_of(made.algorithm))) == name_of(made.algorithm);
  if (made.id.empty() || !is_for_this) return std::nullopt;
  made.key = kind == "RSA" ? rsa_key(jwk) : p256_key(jwk);
  return made.key ? std::optional(std::move(made)) : std::nullopt;
}

// A token has two numbers side by side, OpenSSL expects them as DER.
std::string der_of(std::string_view signature) {
  if (signature.size() != 2 * kCoordinateBytes) return "";
  Number r = number_of(signature.substr(0, kCoordinateBytes));
  Number s = number_of(signature.substr(kCoordinateBytes));
  const Signature made(ECDSA_SIG_new());
  if (!r || !s || !made || ECDSA_SIG_set0(made.get(), r.get(), s.get()) != 1) return "";
  (void)r.release();
  (void)s.release();
  unsigned char* bytes = nullptr;
  const int size = i2d_ECDSA_SIG(made.get(), &bytes);
  if (size <= 0) return "";
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

bool is_signed(std::string_view text, std::string_view signature, const SigningKey& by) {
  const std::string form = by.algorithm == SigningAlgorithm::kEs256 ? der_of(signature) : std::string(signature);
  const Digest digest(EVP_MD_CTX_new());
  return digest && !form.empty() &&
         EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, by.key.get()) == 1 &&
         EVP_DigestVerify(digest.get(), bytes_of(form), form.size(), bytes_of(text), text.size()) == 1;
}

Failure not_believed(std::string why) {
  return {ErrorCode::kInvalidArgument, "the access token " + std::move(why)};
}

Result<json::object> part_of(std::string_view text) {
  const auto decoded = from_base64_url(text);
  if (!decoded) return not_believed("is not base64url");
  auto object = parse_object(*decoded);
  return object ? std::move(object) : Result<json::object>(not_believed("is not JSON"));
}

bool is_meant_for(const json::object& claims, const std::string& audience) {
  if (const auto one = string_member(claims, "aud")) return *one == audience;
  const json::array* several = array_member(claims, "aud");
  return several && std::any_of(several->begin(), several->end(), [&](const json::value& item) {
           return item.is_string() && std::string_view(item.get_string()) == audience;
         });
}

Result<TokenClaims> claims_of(const json::object& claims, const TokenTerms& terms, std::int64_t now) {
  if (string_member(claims, "iss") != terms.issuer) return not_believed("comes from another issuer");
  if (!is_meant_for(claims, terms.audience)) return not_believed("is not meant for this gateway");
  const auto expires = number_member(claims, "exp");
  if (!expires || !std::isfinite(*expires) || *expires > 1e12) return not_believed("does not say when it expires");
  if (*expires + kLeeway <= static_cast<double>(now)) return not_believed("has expired");
  const auto begins = number_member(claims, "nbf");
  if (member(claims, "nbf") && (!begins || *begins - kLeeway > static_cast<double>(now)))
    return not_believed("is not valid yet");
  const auto subject = string_member(claims, "sub");
  if (!subject || subject->empty()) return not_believed("does not say whose it is");
  return TokenClaims{*subject, static_cast<std::int64_t>(*expires), string_member(claims, "scope").value_or("")};
}

}  // namespace

Result<std::vector<SigningKey>> read_key_set(std::string_view text) {
  const auto set = GLOVEBOX_TRY(parse_object(text));
  const json::array* keys = array_member(set, "keys");
  if (!keys) return Failure{ErrorCode::kProtocol, "a key set has \"keys\""};
  std::vector<SigningKey> usable;
  for (const json::value& item : *keys) {
    auto key = item.is_object() ? signing_key(item.get_object()) : std::nullopt;
    if (key && usable.size() < kMostKeys) usable.push_back(std::move(*key));
  }
  return usable;
}

Result<TokenClaims> verify_token(std::string_view token, const std::vector<SigningKey>& keys, const TokenTerms& terms,
                                 std::int64_t now) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (token.size() > kMostTokenBytes || second == token.npos || token.find('.', second + 1) != token.npos)
    return not_believed("is not a JSON Web Token");
  const auto header = GLOVEBOX_TRY(part_of(token.substr(0, first)));
  const auto signature = from_base64_url(token.substr(second + 1));
  if (!signature || member(header, "crit")) return not_believed("has a header that is not understood");
  const auto id = string_member(header, "kid");
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const SigningKey& known) { return id == known.id; });
  if (!id || key == keys.end()) return Failure{ErrorCode::kNotFound, "the access token is signed with an unknown key"};
  if (string_member(header, "alg") != name_of(key->algorithm))
    return not_believed("is signed with an algorithm that its key is not for");
  if (!is_signed(token.substr(0, second), *signature, *key)) return not_believed("has a wrong signature");
  return claims_of(GLOVEBOX_TRY(part_of(token.substr(first + 1, second - first - 1))), terms, now);
}

}  // namespace glovebox::mcp
