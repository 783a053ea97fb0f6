#include "mcp/oauth/json_web_token.h"

#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/rsa.h>

#include "mcp/json/base64.h"

namespace glovebox::mcp {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;

Key made(EVP_PKEY* key) {
  return {key, EVP_PKEY_free};
}

std::string number_in(const Key& key, const char* name, int bytes) {
  BIGNUM* number = nullptr;
  EXPECT_EQ(EVP_PKEY_get_bn_param(key.get(), name, &number), 1);
  std::string text(static_cast<std::size_t>(bytes == 0 ? BN_num_bytes(number) : bytes), '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(text.data()), static_cast<int>(text.size()));
  BN_free(number);
  return base64_url(text);
}

std::string rsa_jwk(const Key& key, const std::string& more = R"("kid":"r","kty":"RSA")") {
  return "{" + more + R"(,"n":")" + number_in(key, OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
         number_in(key, OSSL_PKEY_PARAM_RSA_E, 0) + "\"}";
}

std::string ec_jwk(const Key& key) {
  return R"({"kid":"e","kty":"EC","crv":"P-256","x":")" + number_in(key, OSSL_PKEY_PARAM_EC_PUB_X, 32) + R"(","y":")" +
         number_in(key, OSSL_PKEY_PARAM_EC_PUB_Y, 32) + "\"}";
}

std::string signature_of(const Key& key, const std::string& text) {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key.get());
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  EVP_DigestSign(context, nullptr, &size, bytes, text.size());
  std::string made(size, '\0');
  EVP_DigestSign(context, reinterpret_cast<unsigned char*>(made.data()), &size, bytes, text.size());
  made.resize(size);
  EVP_MD_CTX_free(context);
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC) return made;
  const auto* der = reinterpret_cast<const unsigned char*>(made.data());
  ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(made.size()));
  std::string both(64, '\0');
  BN_bn2binpad(ECDSA_SIG_get0_r(pair), reinterpret_cast<unsigned char*>(both.data()), 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair), reinterpret_cast<unsigned char*>(both.data()) + 32, 32);
  ECDSA_SIG_free(pair);
  return both;
}

class JsonWebTokenTest : public testing::Test {
 protected:
  static std::string token(const Key& key, const std::string& header, const std::string& claims) {
    const std::string text = base64_url(header) + "." + base64_url(claims);
    return text + "." + base64_url(signature_of(key, text));
  }
  std::string signed_token(const std::string& claims,
                           const std::string& header = R"({"alg":"RS256","kid":"r"})") const {
    return token(rsa_, header, claims);
  }
  Result<TokenClaims> verify(const std::string& token, std::int64_t now = 1000) const {
    return verify_token(token, keys_, {"https://id.example", "https://gw.example/mcp"}, now);
  }
  bool believes(const std::string& claims, std::int64_t now = 1000) const {
    return verify(signed_token(claims), now).ok();
  }

  const Key rsa_ = made(EVP_RSA_gen(2048));
  const Key ec_ = made(EVP_EC_gen("P-256"));
  const std::vector<SigningKey> keys_ =
      read_key_set(R"({"keys":[)" + rsa_jwk(rsa_) + "," + ec_jwk(ec_) + R"(,{"kty":"oct","kid":"o","k":"AA"},1]})")
          .value();
  const std::string good_ = R"({"iss":"https://id.example","aud":"https://gw.example/mcp","exp":2000,"sub":"ann"})";
};

TEST_F(JsonWebTokenTest, ABelievedOneSaysWhoseItIs) {
  ASSERT_EQ(keys_.size(), 2u);
  const auto claims = verify(signed_token(good_));
  ASSERT_TRUE(claims.ok()) << claims.failure().message;
  EXPECT_EQ(claims->subject, "ann");
  EXPECT_EQ(claims->expires, 2000);
  const auto by_curve = verify(token(ec_, R"({"alg":"ES256","kid":"e","typ":"at+jwt"})", good_));
  EXPECT_TRUE(by_curve.ok()) << by_curve.failure().message;
}

TEST_F(JsonWebTokenTest, ItIsOfThisIssuerForUsAndForNow) {
  const std::string rest = R"(,"exp":2000,"sub":"ann"})";
  const std::string iss = R"({"iss":"https://id.example")";
  EXPECT_TRUE(believes(iss + R"(,"aud":["x","https://gw.example/mcp"])" + rest));
  for (const char* audience :
       {R"("https://gw.example")", R"("https://gw.example/mcp/")", R"(["x"])", "[]", "null", "{}"})
    EXPECT_FALSE(believes(iss + R"(,"aud":)" + audience + rest)) << audience;
  EXPECT_FALSE(believes(iss + rest));
  EXPECT_FALSE(believes(R"({"iss":"https://id.example/","aud":"https://gw.example/mcp")" + rest));
  EXPECT_FALSE(believes(R"({"aud":"https://gw.example/mcp")" + rest));
  EXPECT_TRUE(believes(good_, 2059));
  EXPECT_FALSE(believes(good_, 2060));
  const std::string both = iss + R"(,"aud":"https://gw.example/mcp")";
  EXPECT_FALSE(believes(both + R"(,"sub":"ann"})")) << "without an end";
  for (const char* end : {"\"2000\"", "1e300", "null"})
    EXPECT_FALSE(believes(both + R"(,"sub":"a","exp":)" + end + "}")) << end;
  EXPECT_TRUE(believes(both + R"(,"exp":2000,"sub":"a","nbf":1060})"));
  EXPECT_FALSE(believes(both + R"(,"exp":2000,"sub":"a","nbf":1061})"));
  EXPECT_FALSE(believes(both + R"(,"exp":2000,"sub":"a","nbf":"x"})"));
  EXPECT_FALSE(believes(both + R"(,"exp":2000,"sub":""})"));
  EXPECT_FALSE(believes(both + R"(,"exp":2000})"));
}

TEST_F(JsonWebTokenTest, TheKeyAndNotTheTokenSaysHowItIsSigned) {
  const std::string text = base64_url(R"({"alg":"none","kid":"r"})") + "." + base64_url(good_);
  EXPECT_FALSE(verify(text + ".").ok());
  EXPECT_FALSE(verify(text + "." + base64_url("x")).ok());
  for (const char* header :
       {R"({"alg":"none","kid":"r"})", R"({"alg":"HS256","kid":"r"})", R"({"alg":"ES256","kid":"r"})", R"({"kid":"r"})",
        R"({"alg":"RS512","kid":"r"})", R"({"alg":"RS256","kid":"r","crit":["x"]})", R"({"alg":"RS256","kid":"e"})"})
    EXPECT_FALSE(verify(signed_token(good_, header)).ok()) << header;
  EXPECT_FALSE(verify(token(ec_, R"({"alg":"RS256","kid":"r"})", good_)).ok());
  EXPECT_FALSE(verify(token(made(EVP_RSA_gen(2048)), R"({"alg":"RS256","kid":"r"})", good_)).ok());
}

TEST_F(JsonWebTokenTest, AnUnknownKeyMayBeANewOne) {
  EXPECT_EQ(verify(signed_token(good_, R"({"alg":"RS256","kid":"new"})")).failure().code, ErrorCode::kNotFound);
  EXPECT_EQ(verify(signed_token(good_, R"({"alg":"RS256"})")).failure().code, ErrorCode::kNotFound);
}

TEST_F(JsonWebTokenTest, WhatWasChangedIsNotBelieved) {
  const std::string whole = signed_token(good_);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string changed = whole;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(changed != whole && verify(changed).ok()) << at;
  }
  for (const std::string& odd : {std::string(), std::string("."), std::string(".."), whole + ".", whole + "=",
                                 "a." + whole, whole.substr(0, whole.rfind('.')), std::string(10'000, 'a') + whole})
    EXPECT_FALSE(verify(odd).ok());
}

TEST_F(JsonWebTokenTest, KeysThatAreTooWeakOrForSomethingElseAreLeftOut) {
  const auto usable = [](const std::string& jwk) { return read_key_set(R"({"keys":[)" + jwk + "]}")->size(); };
  EXPECT_EQ(usable(rsa_jwk(rsa_)), 1u);
  EXPECT_EQ(usable(rsa_jwk(made(EVP_RSA_gen(1024)))), 0u);
  EXPECT_EQ(usable(rsa_jwk(rsa_, R"("kid":"r","kty":"RSA","use":"enc")")), 0u);
  EXPECT_EQ(usable(rsa_jwk(rsa_, R"("kid":"r","kty":"RSA","alg":"RS512")")), 0u);
  EXPECT_EQ(usable(rsa_jwk(rsa_, R"("kty":"RSA")")), 0u);
  EXPECT_EQ(usable(R"({"kid":"e","kty":"EC","crv":"P-256","x":")" + base64_url(std::string(32, '\1')) + R"(","y":")" +
                   base64_url(std::string(32, '\1')) + "\"}"),
            0u)
      << "no point of the curve";
  EXPECT_FALSE(read_key_set("[]").ok());
  EXPECT_FALSE(read_key_set("{}").ok());
}

}  // namespace
}  // namespace glovebox::mcp
