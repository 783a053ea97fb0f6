#include "mcp/http/connection_places.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

class Places : public testing::Test {
 protected:
  // The number of the connection that must be closed for this one; -1: none.
  long enter(std::size_t connection, const std::string& address) {
    const auto leaves = places.enter(&connections[connection], boost::asio::ip::make_address(address));
    return leaves ? static_cast<const char*>(*leaves) - connections.data() : -1;
  }
  bool admit(std::size_t connection, const std::string& holder = "http:ann") {
    return places.admit(&connections[connection], holder);
  }

  std::array<char, 2000> connections{};
  ConnectionPlaces places;
};

TEST_F(Places, TheStrangerWhoCameFirstLeavesForTheNextOfHisAddress) {
  for (std::size_t i = 0; i < kMaxUnknownOfOneAddress; ++i) EXPECT_EQ(enter(i, "10.0.0.1"), -1);
  EXPECT_EQ(enter(500, "10.0.0.2"), -1) << "another address has places of its own";
  EXPECT_EQ(enter(501, "10.0.0.1"), 0);
  EXPECT_EQ(enter(502, "10.0.0.1"), 1);
}

TEST_F(Places, ManyAddressesDoNotShutOutOne) {
  EXPECT_EQ(enter(0, "10.0.0.1"), -1);
  std::size_t next = 1;
  for (int address = 2; next < kMaxUnknown; ++address)
    for (std::size_t i = 0; i < kMaxUnknownOfOneAddress && next < kMaxUnknown; ++i)
      enter(next++, "10.0.0." + std::to_string(address));
  EXPECT_GT(enter(next, "10.0.0.99"), 0) << "one of the crowd leaves, not the one who is alone";
  EXPECT_TRUE(admit(0));
}

TEST_F(Places, NoStrangerTakesThePlaceOfTheKnown) {
  EXPECT_EQ(enter(0, "127.0.0.1"), -1);
  EXPECT_TRUE(admit(0));
  for (std::size_t i = 1; i < 1000; ++i) EXPECT_NE(enter(i, "127.0.0.1"), 0);
  EXPECT_TRUE(admit(0));
  EXPECT_TRUE(admit(999)) << "a client that sends at once is admitted";
  EXPECT_FALSE(admit(1)) << "it was cut off";
}

TEST_F(Places, TheKnownAreBoundedForOneAddressAndForAll) {
  std::size_t next = 0;
  const auto token = [&next] { return "http:" + std::to_string(next % 2); };
  for (; next < kMaxConnectionsOfOneAddress; ++next) {
    enter(next, "10.0.0.1");
    EXPECT_TRUE(admit(next, token()));
  }
  enter(next, "10.0.0.1");
  EXPECT_FALSE(admit(next, token()));
  ++next;
  for (int address = 2; next < kMaxConnections + 1; ++next) {
    enter(next, "10.0.0." + std::to_string(next % 10 == 0 ? ++address : address));
    EXPECT_TRUE(admit(next, token()));
  }
  enter(next, "10.0.1.1");
  EXPECT_FALSE(admit(next, token()));
  places.leave(&connections[0]);
  EXPECT_TRUE(admit(next, token()));
}

// On one machine all come from one address, or from as many as a client likes: 127.0.0.1, 127.0.0.2, …
TEST_F(Places, OneTokenDoesNotShutOutTheOwners) {
  std::size_t next = 0;
  for (; next < kMaxConnectionsOfOneToken; ++next) {
    enter(next, "127.0.0." + std::to_string(1 + next % 2));
    ASSERT_TRUE(admit(next, "http:eve"));
  }
  enter(next, "127.0.0.3");
  EXPECT_FALSE(admit(next++, "http:eve"));
  enter(next, "127.0.0.1");
  EXPECT_TRUE(admit(next, "http:owner"));
  EXPECT_TRUE(admit(0, "http:owner")) << "a connection may show another token";
  EXPECT_FALSE(admit(next, "http:eve") && admit(0, "http:eve"));
}

TEST_F(Places, TheAddressesOfOneHostAreOne) {
  for (std::size_t i = 0; i < kMaxUnknownOfOneAddress; ++i) enter(i, "2001:db8::" + std::to_string(1 + i));
  EXPECT_EQ(enter(500, "2001:db8::ffff"), 0);
  EXPECT_EQ(enter(501, "2001:db8:0:1::1"), -1);
  places = ConnectionPlaces();
  for (std::size_t i = 600; i < 600 + kMaxUnknownOfOneAddress; ++i) enter(i, "::ffff:10.0.0.1");
  EXPECT_EQ(enter(900, "10.0.0.1"), 600);
}

TEST_F(Places, WhatRequestsHoldIsBoundedByToken) {
  std::vector<base::ByteShares::Held> held;
  while (auto one = places.hold("http:ann", kMaxRequestBytes)) held.push_back(std::move(one));
  EXPECT_EQ(held.size(), 16u);
  EXPECT_NE(places.hold("http:bob", kMaxRequestBytes), nullptr);
  held.pop_back();
  EXPECT_NE(places.hold("http:ann", kMaxRequestBytes), nullptr);
}

TEST_F(Places, WhatAnswersHoldIsBoundedByToken) {
  std::vector<base::ByteShares::Held> held;
  while (auto one = places.hold_answer("http:ann", kMaxResponseBytes)) held.push_back(std::move(one));
  EXPECT_EQ(held.size() * kMaxResponseBytes, kMaxAnswerBytesOfOneToken);
  EXPECT_NE(places.hold_answer("http:bob", kMaxResponseBytes), nullptr);
  EXPECT_NE(places.hold("http:ann", kMaxRequestBytes), nullptr);
}

}  // namespace
}  // namespace glovebox::mcp
