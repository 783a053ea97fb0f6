// Certificates: who signed them, and for whom.
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <filesystem>

#include "net/fetch_sync.h"
#include "net/http_client.h"
#include "net/own_network.h"
#include "net/scripted_server.h"

namespace glovebox::net {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Self-signed, for one name.
struct Identity {
  explicit Identity(const std::string& name) {
    const Owned<EVP_PKEY_CTX> maker(::EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nullptr), ::EVP_PKEY_CTX_free);
    ::EVP_PKEY_keygen_init(maker.get());
    ::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker.get(), NID_X9_62_prime256v1);
    EVP_PKEY* made = nullptr;
    GLOVEBOX_CHECK(::EVP_PKEY_keygen(maker.get(), &made) == 1);
    key.reset(made);
    X509* x = certificate.get();
    ::X509_set_version(x, 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(x), 1);
    ::X509_gmtime_adj(::X509_getm_notBefore(x), -3600);
    ::X509_gmtime_adj(::X509_getm_notAfter(x), 3600);
    ::X509_set_pubkey(x, key.get());
    X509_NAME* subject = ::X509_get_subject_name(x);
    ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1,
                                 -1, 0);
    ::X509_set_issuer_name(x, subject);
    const Owned<X509_EXTENSION> names(
        ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + name).c_str()), ::X509_EXTENSION_free);
    ::X509_add_ext(x, names.get(), -1);
    const Owned<X509_EXTENSION> authority(::X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "CA:TRUE"),
                                          ::X509_EXTENSION_free);
    ::X509_add_ext(x, authority.get(), -1);
    GLOVEBOX_CHECK(::X509_sign(x, key.get(), ::EVP_sha256()) > 0);
  }

  void save(const std::string& path) const {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"), std::fclose);
    GLOVEBOX_CHECK(file && ::PEM_write_X509(file.get(), certificate.get()) == 1);
  }

  Owned<EVP_PKEY> key{nullptr, ::EVP_PKEY_free};
  Owned<X509> certificate{::X509_new(), ::X509_free};
};

ScriptedServer::Script tls(const Identity& identity, std::atomic<int>& requests, int max_version = 0) {
  return [&identity, &requests, max_version](Connection& connection) {
    const Owned<SSL_CTX> context(::SSL_CTX_new(::TLS_server_method()), ::SSL_CTX_free);
    ::SSL_CTX_use_certificate(context.get(), identity.certificate.get());
    ::SSL_CTX_use_PrivateKey(context.get(), identity.key.get());
    ::SSL_CTX_set_security_level(context.get(), 0);
    if (max_version) ::SSL_CTX_set_max_proto_version(context.get(), max_version);
    const Owned<SSL> ssl(::SSL_new(context.get()), ::SSL_free);
    ::SSL_set_fd(ssl.get(), connection.fd());
    if (::SSL_accept(ssl.get()) != 1) return;
    std::string head;
    while (head.find("\r\n\r\n") == std::string::npos) {
      char buffer[4096];
      const int count = ::SSL_read(ssl.get(), buffer, sizeof buffer);
      if (count <= 0) return;
      head.append(buffer, static_cast<std::size_t>(count));
    }
    ++requests;
    const std::string response = ok_response("private");
    ::SSL_write(ssl.get(), response.data(), static_cast<int>(response.size()));
    ::SSL_shutdown(ssl.get());
  };
}

class HttpTls : public ::testing::Test {
 protected:
  HttpTls() { identity_.save(path_); }
  ~HttpTls() override { std::filesystem::remove(path_); }

  FetchResult<Response> fetch(const ScriptedServer& server, const std::string& name, bool trusted) {
    const auto client = make_http_client({.look_up = [](const std::string&) -> Result<Addresses> {
                                            return Addresses{policy::IpAddress::v4({127, 0, 0, 1})};
                                          },
                                          .ca_file = trusted ? path_ : ""});
    const auto session = client->open(grants({name}, true));
    return fetch_all(*session, {.url = "https://" + name + ":" + std::to_string(server.port()) + "/"});
  }

  Identity identity_{"good.example"};
  std::string path_ = ::testing::TempDir() + "glovebox-ca-" + std::to_string(::getpid()) + ".pem";
  std::atomic<int> requests_ = 0;
};

TEST_F(HttpTls, TrustsWhatItsOwnerTrusts) {
  ScriptedServer server(tls(identity_, requests_));
  const auto response = fetch(server, "good.example", true);
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().body, "private");
}

TEST_F(HttpTls, RefusesACertificateThatNobodySigned) {
  ScriptedServer server(tls(identity_, requests_));
  const auto response = fetch(server, "good.example", false);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.failure().kind, FetchError::Kind::kNetwork);
  EXPECT_NE(response.failure().message.find("invalid peer certificate"), std::string::npos)
      << response.failure().message;
  EXPECT_EQ(requests_, 0) << "not a byte of the request is sent";
}

TEST_F(HttpTls, RefusesACertificateOfAnotherName) {
  ScriptedServer server(tls(identity_, requests_));
  const auto response = fetch(server, "other.example", true);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.failure().message.find("invalid peer certificate"), std::string::npos)
      << response.failure().message;
  EXPECT_EQ(requests_, 0);
}

TEST_F(HttpTls, RefusesOldVersions) {
  ScriptedServer server(tls(identity_, requests_, TLS1_1_VERSION));
  EXPECT_FALSE(fetch(server, "good.example", true).ok());
  EXPECT_EQ(requests_, 0);
}

TEST_F(HttpTls, PlainTextIsNoTls) {
  ScriptedServer server([](Connection& connection) {
    connection.send(ok_response("x"));
    connection.wait_until_closed();
  });
  const auto response = fetch(server, "good.example", true);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.failure().kind, FetchError::Kind::kNetwork);
}

}  // namespace
}  // namespace glovebox::net
