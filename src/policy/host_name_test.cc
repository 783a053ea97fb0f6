#include "policy/host_name.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

TEST(HostName, HasOneFormForEverySpelling) {
  const struct {
    const char* spelling;
    const char* canonical;
  } rows[] = {
      {"example.com", "example.com"},
      {"EXAMPLE.Com", "example.com"},
      {"example.com.", "example.com"},
      {"a_b.example", "a_b.example"},
      {"localhost", "localhost"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example"},
      {"b\xc3\xbc"
       "cher.example",
       "xn--bcher-kva.example"},
      {"B\xc3\x9c"
       "CHER.example",
       "xn--bcher-kva.example"},
      {"fa\xc3\x9f.de", "xn--fa-hia.de"},         // not fass.de
      {"\xd0\xb0pple.com", "xn--pple-43d.com"},   // a Cyrillic letter is not a Latin one
      {"\xef\xbd\x85xample.com", "example.com"},  // full width
      {"example\xe3\x80\x82"
       "com",
       "example.com"},                                              // ideographic full stop
      {"\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1", "127.0.0.1"},  // digits in circles
      {"127.0.0.1", "127.0.0.1"},
      {"127.0.0.1.", "127.0.0.1"},
      {"127.1", "127.0.0.1"},
      {"0x7f.1", "127.0.0.1"},
      {"0X7F000001", "127.0.0.1"},
      {"2130706433", "127.0.0.1"},
      {"017700000001", "127.0.0.1"},
      {"0177.0.0.01", "127.0.0.1"},
      {"0", "0.0.0.0"},
      {"0x", "0.0.0.0"},
      {"10.0x10.1", "10.16.0.1"},
      {"4294967295", "255.255.255.255"},
      {"[::1]", "[::1]"},
      {"[0:0:0:0:0:0:0:1]", "[::1]"},
      {"[::FFFF:127.0.0.1]", "[::ffff:127.0.0.1]"},
      {"[::ffff:7f00:1]", "[::ffff:127.0.0.1]"},
      {"1.2.3.example", "1.2.3.example"},
  };
  for (const auto& row : rows) {
    const auto host = canonical_host(row.spelling);
    ASSERT_TRUE(host.ok()) << host.failure().message;
    EXPECT_EQ(host.value().text, row.canonical) << row.spelling;
    const auto again = canonical_host(host.value().text);
    ASSERT_TRUE(again.ok()) << row.spelling;
    EXPECT_EQ(again.value(), host.value()) << "what is canonical stays so";
  }
}

TEST(HostName, RefusesWhatIsNone) {
  using namespace std::string_view_literals;
  for (const std::string_view bad : {""sv,
                                     "."sv,
                                     ".."sv,
                                     "a..b"sv,
                                     ".a"sv,
                                     "a.."sv,
                                     "evil\0.good.com"sv,
                                     "evil\r\n.good.com"sv,
                                     "a b"sv,
                                     "a\tb"sv,
                                     "good.com@evil"sv,
                                     "good.com#evil"sv,
                                     "good.com/evil"sv,
                                     "good.com\\evil"sv,
                                     "good.com?evil"sv,
                                     "%61.com"sv,
                                     "a:80"sv,
                                     "::1"sv,
                                     "[::1"sv,
                                     "::1]"sv,
                                     "[]"sv,
                                     "[127.0.0.1]"sv,
                                     "[fe80::1%25lo]"sv,
                                     "[fe80::1%lo]"sv,
                                     "[::1]x"sv,
                                     "256.256.256.256"sv,
                                     "1.2.3.4.5"sv,
                                     "4294967296"sv,
                                     "127.0.0.256"sv,
                                     "08.0.0.1"sv,
                                     "a.0x7f"sv,
                                     "a.1"sv,
                                     "1.2..3"sv,
                                     "*"sv,
                                     "*.a"sv,
                                     "a*b"sv,
                                     "a,b"sv,
                                     "a;b"sv,
                                     "\x7f.com"sv,
                                     "\xff.com"sv,
                                     "a\xe2\x80\x8b/b"sv,
                                     "a\xef\xbc\x8f"
                                     "evil.com"sv,
                                     "good.com\xef\xbc\xa0"
                                     "evil"sv}) {
    const auto host = canonical_host(bad);
    EXPECT_FALSE(host.ok()) << bad << " became " << host.value().text;
  }
  EXPECT_FALSE(canonical_host(std::string(64, 'a')).ok());
  EXPECT_TRUE(canonical_host(std::string(63, 'a')).ok());
  std::string long_name;
  while (long_name.size() < 254) long_name += "a.";
  EXPECT_FALSE(canonical_host(long_name + "a").ok());
  EXPECT_FALSE(canonical_host(std::string(100'000, 'a')).ok());
}

TEST(HostName, KnowsAddressesFromNames) {
  EXPECT_TRUE(canonical_host("0x7f.1").value().address);
  EXPECT_TRUE(canonical_host("[::1]").value().address);
  EXPECT_FALSE(canonical_host("127.0.0.1.nip.io").value().address);
}

TEST(Port, IsAPlainNumber) {
  EXPECT_EQ(parse_port("1"), 1);
  EXPECT_EQ(parse_port("65535"), 65535);
  for (const char* bad :
       {"", "0", "00", "080", "65536", "99999", "100000", "-1", "+1", " 1", "1 ", "0x50", "80a", "1e3"}) {
    EXPECT_FALSE(parse_port(bad)) << bad;
  }
}

TEST(Printable, ShowsNoControlBytes) {
  EXPECT_EQ(printable("a\r\n\x1b[0m\xff"), "a\\x0d\\x0a\\x1b[0m\\xff");
  EXPECT_LT(printable(std::string(1'000'000, 'a')).size(), 300u);
}

}  // namespace
}  // namespace glovebox::policy
