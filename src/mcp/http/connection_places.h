// ConnectionPlaces: how many may be connected at once, so that connections without a token do not keep out those with
// one.
//
// A connection is unauthenticated at first. Those have few places, fewer of them for one address, and the one that came
// first leaves for the next: a client that holds a hundred silent connections shuts out itself. One that has been let
// in has a place that no unauthenticated one takes.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace glovebox::mcp {

class ConnectionPlaces {
 public:
  using Connection = const void*;

  // Who must be cut off for this one, if anybody; that one has left.
  std::optional<Connection> enter(Connection connection, const boost::asio::ip::address& address);
  // It has shown that it may speak here. False: there are too many of those, and it stays a stranger.
  bool admit(Connection connection);
  void leave(Connection connection);

 private:
  struct Place {
    std::string network;  // an IPv4 address, or the network of an IPv6 one: a host has 2^64 of those
    bool known = false;
    std::uint64_t number = 0;  // in the order of arrival
  };

  std::size_t count(bool known, const std::string* network = nullptr) const;
  Connection oldest_stranger(const std::string& network) const;
  std::string most_crowded_network() const;

  std::map<Connection, Place> places_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace glovebox::mcp
