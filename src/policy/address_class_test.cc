#include "policy/address_class.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace glovebox::policy {
namespace {

IpAddress parsed_ip(const char* text) {
  const auto address = IpAddress::parse(text);
  EXPECT_TRUE(address) << text;
  return address.value_or(IpAddress());
}

TEST(AddressClass, KnowsEveryRangeAtItsEdges) {
  using enum AddressClass;
  const struct {
    const char* address;
    AddressClass kind;
  } rows[] = {
      {"0.0.0.0", kUnspecified},
      {"0.255.255.255", kUnspecified},
      {"1.0.0.0", kPublic},
      {"8.8.8.8", kPublic},
      {"9.255.255.255", kPublic},
      {"10.0.0.0", kPrivate},
      {"10.255.255.255", kPrivate},
      {"11.0.0.0", kPublic},
      {"100.63.255.255", kPublic},
      {"100.64.0.0", kCarrierNat},
      {"100.100.100.200", kMetadata},
      {"100.127.255.255", kCarrierNat},
      {"100.128.0.0", kPublic},
      {"126.255.255.255", kPublic},
      {"127.0.0.1", kLoopback},
      {"127.255.255.255", kLoopback},
      {"128.0.0.0", kPublic},
      {"168.63.129.15", kPublic},
      {"168.63.129.16", kMetadata},
      {"169.253.255.255", kPublic},
      {"169.254.0.0", kLinkLocal},
      {"169.254.169.254", kMetadata},
      {"169.254.255.255", kLinkLocal},
      {"169.255.0.0", kPublic},
      {"172.15.255.255", kPublic},
      {"172.16.0.0", kPrivate},
      {"172.31.255.255", kPrivate},
      {"172.32.0.0", kPublic},
      {"192.0.0.8", kReserved},
      {"192.0.0.192", kMetadata},
      {"192.0.1.0", kPublic},
      {"192.0.2.1", kDocumentation},
      {"192.88.99.1", kReserved},
      {"192.167.255.255", kPublic},
      {"192.168.0.0", kPrivate},
      {"192.168.255.255", kPrivate},
      {"192.169.0.0", kPublic},
      {"198.17.255.255", kPublic},
      {"198.18.0.0", kReserved},
      {"198.19.255.255", kReserved},
      {"198.20.0.0", kPublic},
      {"198.51.100.7", kDocumentation},
      {"203.0.113.7", kDocumentation},
      {"223.255.255.255", kPublic},
      {"224.0.0.1", kMulticast},
      {"239.255.255.255", kMulticast},
      {"240.0.0.0", kReserved},
      {"255.255.255.254", kReserved},
      {"255.255.255.255", kBroadcast},

      {"::", kUnspecified},
      {"::1", kLoopback},
      {"::2", kReserved},
      {"::127.0.0.1", kReserved},
      {"::8.8.8.8", kReserved},
      {"::ffff:127.0.0.1", kLoopback},
      {"::ffff:10.0.0.1", kPrivate},
      {"::ffff:169.254.169.254", kMetadata},
      {"::ffff:8.8.8.8", kPublic},
      {"::ffff:0:127.0.0.1", kReserved},
      {"64:ff9b::127.0.0.1", kLoopback},
      {"64:ff9b::192.168.1.1", kPrivate},
      {"64:ff9b::8.8.8.8", kPublic},
      {"64:ff9b:1::8.8.8.8", kPrivate},
      {"64:ff9b:2::1", kReserved},
      {"100::1", kReserved},
      {"1fff:ffff::1", kReserved},
      {"2000::1", kPublic},
      {"2001::1", kReserved},
      {"2001:0:4136:e378:8000:63bf:3fff:fdd2", kReserved},
      {"2001:1ff:ffff::1", kReserved},
      {"2001:200::1", kPublic},
      {"2001:db7:ffff::1", kPublic},
      {"2001:db8::1", kDocumentation},
      {"2001:db9::1", kPublic},
      {"2002:7f00:1::1", kLoopback},
      {"2002:a00:1::1", kPrivate},
      {"2002:c0a8:101::1", kPrivate},
      {"2002:808:808::1", kPublic},
      {"2606:4700::1111", kPublic},
      {"3fff:0fff::1", kDocumentation},
      {"3fff:1000::1", kPublic},
      {"4000::1", kReserved},
      {"5f00::1", kReserved},
      {"fbff::1", kReserved},
      {"fc00::1", kPrivate},
      {"fd00::1", kPrivate},
      {"fd00:ec2::254", kMetadata},
      {"fd20:ce::254", kMetadata},
      {"fdff:ffff::1", kPrivate},
      {"fe00::1", kReserved},
      {"fe80::1", kLinkLocal},
      {"febf::1", kLinkLocal},
      {"fec0::1", kPrivate},
      {"ff02::1", kMulticast},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(describe(classify(parsed_ip(row.address))), describe(row.kind)) << row.address;
  }
}

TEST(IpAddress, ReadsOnlyTheStrictForms) {
  for (const char* bad : {"", "1.2.3", "1.2.3.4.5", "01.2.3.4", "0x7f.0.0.1", "256.0.0.1", " 1.2.3.4", "1.2.3.4 ",
                          "[::1]", "fe80::1%lo", "::1::", "localhost", "1.2.3.4:80"}) {
    EXPECT_FALSE(IpAddress::parse(bad)) << bad;
  }
  EXPECT_FALSE(IpAddress::parse(std::string_view("127.0.0.1\0.good.com", 18)));
}

TEST(IpAddress, ShowsItself) {
  EXPECT_EQ(parsed_ip("127.0.0.1").host_text(), "127.0.0.1");
  EXPECT_EQ(parsed_ip("2001:DB8:0:0::1").text(), "2001:db8::1");
  EXPECT_EQ(parsed_ip("::1").host_text(), "[::1]");
  EXPECT_EQ(parsed_ip("::ffff:10.1.2.3").unmapped(), parsed_ip("10.1.2.3"));
  EXPECT_EQ(parsed_ip("::fffe:10.1.2.3").unmapped(), parsed_ip("::fffe:10.1.2.3"));
}

TEST(IpAddress, ComesOutOfASocketAddress) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_addr.s_addr = htonl(0x7f000001);
  const auto* generic = reinterpret_cast<const sockaddr*>(&v4);
  EXPECT_EQ(IpAddress::from_sockaddr(generic, sizeof v4), parsed_ip("127.0.0.1"));
  EXPECT_FALSE(IpAddress::from_sockaddr(generic, sizeof v4 - 1));
  v4.sin_family = AF_UNIX;
  EXPECT_FALSE(IpAddress::from_sockaddr(generic, sizeof v4));
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_addr = in6addr_loopback;
  EXPECT_EQ(IpAddress::from_sockaddr(reinterpret_cast<const sockaddr*>(&v6), sizeof v6), parsed_ip("::1"));
}

}  // namespace
}  // namespace glovebox::policy
