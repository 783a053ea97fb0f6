// Untrusted hosts, grants and URLs. Whatever is accepted has one form, which is stable; what is checked is what curl
// gets.
#include <cstdint>
#include <string>
#include <string_view>

#include "expect.h"
#include "net/request_headers.h"
#include "net/request_url.h"
#include "policy/address_class.h"
#include "policy/net_grants.h"

namespace fuzz_net_names {

namespace {

using namespace glovebox;

void expect_canonical(const policy::Host& host) {
  for (const char c : host.text) {
    FUZZ_EXPECT((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                std::string_view("-_.[]:").find(c) != std::string_view::npos);
  }
  const auto again = policy::canonical_host(host.text);
  FUZZ_EXPECT(again.ok() && again.value() == host);
  FUZZ_EXPECT(host.address.has_value() == (policy::IpAddress::parse(host.text).has_value() || host.text[0] == '['));
  if (host.address) FUZZ_EXPECT(!policy::describe(policy::classify(*host.address)).empty());
}

void check_url(const net::RequestUrl& url) {
  expect_canonical(url.host());
  FUZZ_EXPECT(url.port() != 0);
  FUZZ_EXPECT(url.text().starts_with(url.is_https() ? "https://" : "http://"));
  for (const char c : url.text()) FUZZ_EXPECT(static_cast<unsigned char>(c) > 0x20 && c != 0x7f);
  char* host = nullptr;
  FUZZ_EXPECT(::curl_url_get(url.handle(), CURLUPART_HOST, &host, 0) == CURLUE_OK);
  FUZZ_EXPECT(url.host().text == host);
  ::curl_free(host);
  const auto again = net::RequestUrl::parse(url.text());
  FUZZ_EXPECT(again.ok() && again.value().text() == url.text() && again.value().same_origin(url));
}

}  // namespace

FUZZ_TARGET(net_names) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto host = policy::canonical_host(text); host.ok()) {
    expect_canonical(host.value());
    FUZZ_EXPECT(!policy::NetGrants().check_name(host.value(), 80).ok());
  }
  if (const auto grant = policy::NetGrant::parse(text); grant.ok()) {
    const auto again = policy::NetGrant::parse(grant.value().text());
    FUZZ_EXPECT(again.ok() && again.value().text() == grant.value().text());
    FUZZ_EXPECT(grant.value().covers(again.value()));
  }
  if (const auto url = net::RequestUrl::parse(text); url.ok()) check_url(url.value());
  static const auto base = net::RequestUrl::parse("https://good.example:8443/a/b?c");
  if (const auto url = base.value().resolve(text); url.ok()) check_url(url.value());
  if (const auto method = net::checked_method(text); method.ok()) {
    FUZZ_EXPECT(method.value().find_first_of(" \r\n\t:") == std::string::npos);
  }
  return 0;
}

}  // namespace fuzz_net_names
