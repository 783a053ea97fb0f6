// ConnectionPlaces: limits how many connections there are at once, so that those without a token do not keep out those
// with one.
//
// A connection is unauthenticated at first. Those have few places, fewer of them for one address, and the oldest gives
// way to a new one: a client that holds a hundred silent connections shuts out only itself. An authenticated connection
// has a place that no unauthenticated one can take; those of one token have not all of them, from however many
// addresses they come.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/bounds/byte_shares.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

class ConnectionPlaces {
 public:
  using Connection = const void*;
  explicit ConnectionPlaces(std::size_t answer_bytes_of_one_token = kMaxAnswerBytesOfOneToken)
      : answers_(std::make_shared<base::ByteShares>(
            base::ByteShares::Limits{answer_bytes_of_one_token, 2 * answer_bytes_of_one_token})) {}

  // Which connection must be closed for this one, if any; its place is already free.
  std::optional<Connection> enter(Connection connection, const boost::asio::ip::address& address);
  // It has shown a valid token of `holder`. False: there are too many of those, and it stays unauthenticated.
  bool admit(Connection connection, const std::string& holder);
  void leave(Connection connection);
  // Counts the bytes of a request, by whose token it came with; null: there is no room for it now.
  base::ByteShares::Held hold(const std::string& holder, std::size_t bytes) { return requests_->hold(holder, bytes); }
  // The same for an answer, which waits for a client that may read as slowly as it likes.
  base::ByteShares::Held hold_answer(const std::string& holder, std::size_t bytes) {
    return answers_->hold(holder, bytes);
  }
  const std::shared_ptr<base::ByteShares>& answers() const { return answers_; }

 private:
  struct Place {
    std::string network;  // an IPv4 address, or the network of an IPv6 one: a host has 2^64 of those
    bool known = false;
    std::string holder{};      // of the token that it has shown last
    std::uint64_t number = 0;  // in the order of arrival
  };

  std::size_t count(bool known, const std::string* network = nullptr) const;
  Connection oldest_stranger(const std::string& network) const;
  std::string most_crowded_network() const;

  std::shared_ptr<base::ByteShares> requests_ = std::make_shared<base::ByteShares>(base::ByteShares::Limits{});
  std::shared_ptr<base::ByteShares> answers_;
  std::map<Connection, Place> places_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace glovebox::mcp
