#include "net/request_url.h"

#include <gtest/gtest.h>

namespace glovebox::net {
namespace {

TEST(RequestUrl, IsParsedOnce) {
  const struct {
    const char* written;
    const char* host;
    int port;
    const char* text;
  } rows[] = {
      {"http://example.com", "example.com", 80, "http://example.com/"},
      {"HTTPS://Example.COM./a?b#c", "example.com", 443, "https://example.com/a?b"},
      {"https://example.com:443/", "example.com", 443, "https://example.com/"},
      {"http://example.com:8080", "example.com", 8080, "http://example.com:8080/"},
      {"http://example.com:080/", "example.com", 80, "http://example.com/"},
      {"http://example.com/../a/./b", "example.com", 80, "http://example.com/a/b"},
      {"http://0x7f.1/", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://2130706433/", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://017700000001/", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://127.1/", "127.0.0.1", 80, "http://127.0.0.1/"},
      {"http://[::1]:81/", "[::1]", 81, "http://[::1]:81/"},
      {"http://[0:0::1]/", "[::1]", 80, "http://[::1]/"},
      {"http://[::ffff:127.0.0.1]/", "[::ffff:127.0.0.1]", 80, "http://[::ffff:127.0.0.1]/"},
      {"http://b\xc3\xbc"
       "cher.example/\xc3\xbc",
       "xn--bcher-kva.example", 80, "http://xn--bcher-kva.example/%c3%bc"},
      {"http://\xd0\xb0pple.com/", "xn--pple-43d.com", 80, "http://xn--pple-43d.com/"},
      {"http://good.com/#@evil.com", "good.com", 80, "http://good.com/"},
      {"http://good.com?@evil.com", "good.com", 80, "http://good.com/?@evil.com"},
      {"http://good.com#@evil.com", "good.com", 80, "http://good.com/"},
      {"http://good.com/@evil.com", "good.com", 80, "http://good.com/@evil.com"},
  };
  for (const auto& row : rows) {
    const auto url = RequestUrl::parse(row.written);
    ASSERT_TRUE(url.ok()) << url.failure().message;
    EXPECT_EQ(url.value().host().text, row.host) << row.written;
    EXPECT_EQ(url.value().port(), row.port) << row.written;
    EXPECT_EQ(url.value().text(), row.text) << row.written;
    const auto again = RequestUrl::parse(url.value().text());
    ASSERT_TRUE(again.ok()) << again.failure().message;
    EXPECT_EQ(again.value().text(), url.value().text());
  }
}

TEST(RequestUrl, RefusesWhatParsersDisagreeAbout) {
  using namespace std::string_view_literals;
  for (const std::string_view bad : {""sv,
                                     "example.com"sv,
                                     "//example.com"sv,
                                     "/path"sv,
                                     "http:"sv,
                                     "http:/"sv,
                                     "http://"sv,
                                     "http:///x"sv,
                                     "http:/example.com"sv,
                                     "http:example.com"sv,
                                     "http:////example.com"sv,
                                     "http://?x"sv,
                                     "http://#x"sv,
                                     "http://:80"sv,
                                     "http://user@good.com/"sv,
                                     "http://good.com@evil.com/"sv,
                                     "http://u:p@good.com/"sv,
                                     "http://@good.com/"sv,
                                     "http://good.com\\@evil.com/"sv,
                                     "http:\\\\good.com"sv,
                                     "http://good.com\\.evil.com"sv,
                                     "http://good.com/\\"sv,
                                     "http://evil.com\0.good.com/"sv,
                                     "http://good.com/\0"sv,
                                     "http://good.com/\r\nX: y"sv,
                                     "http://go\tod.com/"sv,
                                     "http://good.com/a b"sv,
                                     " http://good.com/"sv,
                                     "http://good.com/ "sv,
                                     "http://go od.com/"sv,
                                     "http://%67ood.com/"sv,
                                     "http://good.com%00.evil.com/"sv,
                                     "http://good.com%2f@evil.com/"sv,
                                     "http://[fe80::1%25lo]/"sv,
                                     "http://[::1/"sv,
                                     "http://::1/"sv,
                                     "http://[127.0.0.1]/"sv,
                                     "http://good.com:0/"sv,
                                     "http://good.com:65536/"sv,
                                     "http://good.com:-1/"sv,
                                     "http://good.com:80a/"sv,
                                     "http://good.com:80:80/"sv,
                                     "http://1.2.3.4.5/"sv,
                                     "http://256.1.1.1/"sv,
                                     "http://a..b/"sv,
                                     "http://*/"sv,
                                     "file:///etc/passwd"sv,
                                     "ftp://good.com/"sv,
                                     "data:,x"sv,
                                     "gopher://good.com/"sv,
                                     "javascript:1"sv,
                                     "ws://good.com"sv,
                                     "unix:/run/x"sv,
                                     "httpx://good.com"sv}) {
    const auto url = RequestUrl::parse(bad);
    EXPECT_FALSE(url.ok()) << bad << " became " << url.value().text();
  }
  EXPECT_EQ(RequestUrl::parse("ftp://x/").failure().message, "Url scheme 'ftp' not supported");
  EXPECT_FALSE(RequestUrl::parse("http://good.com/" + std::string(100'000, 'a')).ok());
}

TEST(RequestUrl, FollowsLocations) {
  const struct {
    const char* location;
    const char* text;  // empty: refused
  } rows[] = {
      {"", "https://example.com:8443/a/b?c"},
      {"/x", "https://example.com:8443/x"},
      {"/x#//evil.com", "https://example.com:8443/x"},
      {"x", "https://example.com:8443/a/x"},
      {"../../x", "https://example.com:8443/x"},
      {"?q", "https://example.com:8443/a/b?q"},
      {"#f", "https://example.com:8443/a/b?c"},
      {"//other.com/x", "https://other.com/x"},
      {"//OTHER.com:99", "https://other.com:99/"},
      {"http://other.com/a b", "http://other.com/a%20b"},
      {"/\xc3\xbc", "https://example.com:8443/%c3%bc"},
      {"http://0x7f.1/", "http://127.0.0.1/"},
      {"file:///etc/passwd", ""},
      {"data:text/plain,x", ""},
      {"javascript:alert(1)", ""},
      {"http:relative", ""},
      {"https:/other.com", ""},
      {"//user@other.com/", ""},
      {"http://other.com\\@evil.com/", ""},
      {"\\\\evil.com", ""},
      {"/\\evil.com", ""},
      {"//evil .com/", ""},
      {"http://good.com:0/", ""},
      {"http://a\tb/", ""},
  };
  for (const auto& row : rows) {
    const auto url = RequestUrl::parse("https://example.com:8443/a/b?c").value().resolve(row.location);
    if (std::string_view(row.text).empty()) {
      EXPECT_FALSE(url.ok()) << row.location << " became " << url.value().text();
    } else {
      ASSERT_TRUE(url.ok()) << row.location << ": " << url.failure().message;
      EXPECT_EQ(url.value().text(), row.text) << row.location;
    }
  }
}

TEST(RequestUrl, KnowsItsOrigin) {
  const auto same = [](const char* left, const char* right) {
    return RequestUrl::parse(left).value().same_origin(RequestUrl::parse(right).value());
  };
  EXPECT_TRUE(same("http://a.com/x", "http://A.com:80/y"));
  EXPECT_FALSE(same("http://a.com/", "https://a.com/"));
  EXPECT_FALSE(same("http://a.com/", "http://a.com:81/"));
  EXPECT_FALSE(same("http://a.com/", "http://b.a.com/"));
}

}  // namespace
}  // namespace glovebox::net
