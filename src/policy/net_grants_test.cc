#include "policy/net_grants.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

Host host(std::string_view text) {
  auto result = canonical_host(text);
  EXPECT_TRUE(result.ok()) << text;
  return result.ok() ? result.value() : Host{};
}
IpAddress ip(const char* text) {
  return IpAddress::parse(text).value();
}
NetGrants grants(std::vector<std::string> texts, bool allow_private = false) {
  auto result = NetGrants::parse(texts, allow_private);
  EXPECT_TRUE(result.ok()) << result.failure().message;
  return result.ok() ? result.value() : NetGrants{};
}

TEST(NetGrant, ReadsWhatPeopleWrite) {
  const struct {
    const char* written;
    const char* canonical;
  } rows[] = {
      {"example.com", "example.com"},
      {"Example.COM.:443", "example.com:443"},
      {"*.Example.com", "*.example.com"},
      {"*.example.com:8080", "*.example.com:8080"},
      {"*", "*"},
      {"*:443", "*:443"},
      {"127.0.0.1", "127.0.0.1"},
      {"127.1:80", "127.0.0.1:80"},
      {"[::1]", "[::1]"},
      {"[0::1]:80", "[::1]:80"},
      {"b\xc3\xbc"
       "cher.example:1",
       "xn--bcher-kva.example:1"},
      {"localhost:65535", "localhost:65535"},
  };
  for (const auto& row : rows) {
    const auto grant = NetGrant::parse(row.written);
    ASSERT_TRUE(grant.ok()) << grant.failure().message;
    EXPECT_EQ(grant.value().text(), row.canonical);
  }
}

TEST(NetGrant, SaysWhatIsWrongWithNonsense) {
  const struct {
    const char* written;
    const char* part_of_message;
  } rows[] = {
      {"", "a host is missing"},
      {"https://example.com", "write the host alone"},
      {"user@example.com", "no user name"},
      {"example.com/path", "without path"},
      {"10.0.0.0/8", "without path or range"},
      {"example.com\\evil", "without path"},
      {"a.com,b.com", "a grant names a single host"},
      {"a b", "a grant names a single host"},
      {"::1", "must be in brackets"},
      {"fe80::1:80", "must be in brackets"},
      {"example.com:", "from 1 to 65535"},
      {"example.com:0", "from 1 to 65535"},
      {"example.com:65536", "from 1 to 65535"},
      {"example.com:http", "from 1 to 65535"},
      {":80", "it is empty"},
      {"*.", "it is empty"},
      {"*.*", "a star stands alone"},
      {"**", "a star stands alone"},
      {"a.*.com", "a star stands alone"},
      {"*example.com", "a star stands alone"},
      {"*.127.0.0.1", "an address has no subdomains"},
      {"[::1", "must be in brackets"},
      {"[::1]80", "a bracket is not closed"},
      {"[fe80::1%eth0]", "zones are not supported"},
      {"1.2.3.4.5", "not an IPv4 address"},
      {"evil\r\nHost: x", "a grant names a single host"},
      {"evil\x01", "control character"},
  };
  for (const auto& row : rows) {
    const auto grant = NetGrant::parse(row.written);
    ASSERT_FALSE(grant.ok()) << row.written << " became " << grant.value().text();
    EXPECT_NE(grant.failure().message.find(row.part_of_message), std::string::npos) << grant.failure().message;
  }
  EXPECT_FALSE(NetGrants::parse({"good.com", "not good"}, false).ok());
  EXPECT_FALSE(NetGrant::parse(std::string_view("evil\0.good.com", 14)).ok());
}

TEST(NetGrants, DecideByNameAndPort) {
  const NetGrants some =
      grants({"api.example.com", "db.example.com:5432", "*.cdn.example", "[2606:4700::1]:443", "8.8.8.8"});
  const struct {
    const char* host;
    int port;
    bool allowed;
  } rows[] = {
      {"api.example.com", 443, true},
      {"API.example.com.", 80, true},
      {"xapi.example.com", 443, false},
      {"api.example.com.evil.test", 443, false},
      {"example.com", 443, false},
      {"a.api.example.com", 443, false},
      {"db.example.com", 5432, true},
      {"db.example.com", 5433, false},
      {"a.cdn.example", 1, true},
      {"a.b.cdn.example", 1, true},
      {"cdn.example", 1, false},
      {"evilcdn.example", 1, false},
      {"[2606:4700::1]", 443, true},
      {"[2606:4700:0::1]", 443, true},
      {"[2606:4700::1]", 80, false},
      {"[2606:4700::2]", 443, false},
      {"8.8.8.8", 53, true},
      {"0x08080808", 53, true},
      {"[::ffff:8.8.8.8]", 53, true},
      {"8.8.4.4", 53, false},
      {"8.8.8.8.nip.io", 53, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(some.check_name(host(row.host), row.port).ok(), row.allowed) << row.host << ":" << row.port;
  }
  EXPECT_TRUE(grants({"*"}).check_name(host("anything.example"), 1).ok());
  EXPECT_FALSE(grants({"*:443"}).check_name(host("anything.example"), 80).ok());
  EXPECT_FALSE(NetGrants().check_name(host("anything.example"), 443).ok());
}

TEST(NetGrants, DenyInDenosWords) {
  EXPECT_EQ(NetGrants().check_name(host("API.example.com"), 443).failure().message,
            "Requires net access to \"api.example.com:443\"");
  EXPECT_EQ(NetGrants().check_name(host("[::1]"), 80).failure().message, "Requires net access to \"[::1]:80\"");
  EXPECT_EQ(NetGrants().check_name(host("[::1]"), 80).failure().target, "[::1]:80");
}

TEST(NetGrants, LetNamesLeadOnlyToPublicAddresses) {
  const NetGrants by_name = grants({"example.com", "localhost"});
  EXPECT_TRUE(by_name.check_address(host("example.com"), ip("93.184.216.34"), 443).ok());
  EXPECT_TRUE(by_name.check_address(host("example.com"), ip("2606:4700::1"), 443).ok());
  for (const char* inside : {"127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "255.255.255.255",
                             "224.0.0.1", "192.0.2.1", "::1", "::", "fd00::1", "fe80::1", "::ffff:10.0.0.1",
                             "64:ff9b::10.0.0.1", "2002:a00:1::", "2001::1", "::10.0.0.1"}) {
    EXPECT_FALSE(by_name.check_address(host("example.com"), ip(inside), 443).ok()) << inside;
    EXPECT_TRUE(grants({"example.com"}, true).check_address(host("example.com"), ip(inside), 443).ok()) << inside;
    const std::string literal = ip(inside).host_text();
    EXPECT_TRUE(grants({"example.com", literal}).check_address(host("example.com"), ip(inside), 443).ok()) << inside;
    EXPECT_FALSE(grants({"example.com", literal + ":80"}).check_address(host("example.com"), ip(inside), 443).ok());
    EXPECT_FALSE(grants({"*"}).check_address(host(literal), ip(inside), 443).ok()) << "a star is not that very address";
  }
  EXPECT_EQ(
      by_name.check_address(host("localhost"), ip("127.0.0.1"), 8080).failure().message,
      "Requires net access to \"127.0.0.1:8080\". The name \"localhost\" resolves to a loopback address, which needs a "
      "grant for exactly that address, or --allow-net-private.");
  EXPECT_EQ(
      grants({"*"}).check_address(host("[::1]"), ip("::1"), 80).failure().message,
      "Requires net access to \"[::1]:80\". This is a loopback address, which needs a grant for exactly that address, "
      "or --allow-net-private.");
}

TEST(NetGrants, PrivateAddressesStillNeedAName) {
  EXPECT_FALSE(grants({"example.com"}, true).check_name(host("127.0.0.1"), 80).ok());
  EXPECT_FALSE(grants({"example.com"}, true).check_address(host("127.0.0.1"), ip("127.0.0.1"), 80).ok());
  EXPECT_FALSE(grants({}, true).check_address(host("example.com"), ip("127.0.0.1"), 80).ok());
}

TEST(NetGrants, AnAddressLeadsToItself) {
  const NetGrants all = grants({"*"}, true);
  EXPECT_TRUE(all.check_address(host("8.8.8.8"), ip("8.8.8.8"), 80).ok());
  EXPECT_TRUE(all.check_address(host("[::ffff:8.8.8.8]"), ip("8.8.8.8"), 80).ok());
  EXPECT_FALSE(all.check_address(host("8.8.8.8"), ip("8.8.4.4"), 80).ok());
}

TEST(NetGrants, AnswerQueries) {
  const auto covers = [](std::vector<std::string> owned, const char* wanted, bool allow_private = false) {
    return grants(std::move(owned), allow_private).covers(NetGrant::parse(wanted).value());
  };
  EXPECT_TRUE(covers({"example.com"}, "example.com"));
  EXPECT_TRUE(covers({"example.com"}, "example.com:443"));
  EXPECT_FALSE(covers({"example.com:443"}, "example.com"));
  EXPECT_TRUE(covers({"*.example.com"}, "a.example.com:1"));
  EXPECT_TRUE(covers({"*.example.com"}, "*.a.example.com"));
  EXPECT_TRUE(covers({"*.example.com"}, "*.example.com"));
  EXPECT_FALSE(covers({"*.a.example.com"}, "*.example.com"));
  EXPECT_FALSE(covers({"a.example.com"}, "*.example.com"));
  EXPECT_FALSE(covers({"*.example.com"}, "*"));
  EXPECT_TRUE(covers({"*"}, "*"));
  EXPECT_TRUE(covers({"*"}, "8.8.8.8"));
  EXPECT_FALSE(covers({"*"}, "127.0.0.1"));
  EXPECT_TRUE(covers({"*"}, "127.0.0.1", true));
  EXPECT_TRUE(covers({"*", "127.0.0.1"}, "127.0.0.1:80"));
}

}  // namespace
}  // namespace glovebox::policy
