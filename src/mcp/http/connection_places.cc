#include "mcp/http/connection_places.h"

#include <algorithm>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

namespace ip = boost::asio::ip;

std::string network_of(const ip::address& address) {
  if (address.is_v4()) return address.to_string();
  const ip::address_v6 six = address.to_v6();
  if (six.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, six).to_string();
  ip::address_v6::bytes_type bytes = six.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
  return ip::address_v6(bytes).to_string();
}

}  // namespace

std::optional<ConnectionPlaces::Connection> ConnectionPlaces::enter(Connection connection, const ip::address& address) {
  const std::string network = network_of(address);
  std::optional<Connection> leaves;
  if (count(false, &network) >= kMaxUnknownOfOneAddress) {
    leaves = oldest_stranger(network);
  } else if (count(false) >= kMaxUnknown) {
    leaves = oldest_stranger(most_crowded_network());
  }
  if (leaves) leave(*leaves);
  places_[connection] = {.network = network, .number = ++arrivals_};
  return leaves;
}

bool ConnectionPlaces::admit(Connection connection, const std::string& holder) {
  const auto found = places_.find(connection);
  if (found == places_.end()) return false;
  Place& place = found->second;
  if (place.known && place.holder == holder) return true;
  const auto own = std::count_if(places_.begin(), places_.end(), [&](const auto& entry) {
    return entry.second.known && entry.second.holder == holder;
  });
  if (static_cast<std::size_t>(own) >= kMaxConnectionsOfOneToken) return false;
  if (!place.known && (count(true) >= kMaxConnections || count(true, &place.network) >= kMaxConnectionsOfOneAddress))
    return false;
  place.known = true;
  place.holder = holder;
  return true;
}

void ConnectionPlaces::leave(Connection connection) {
  places_.erase(connection);
}

std::size_t ConnectionPlaces::count(bool known, const std::string* network) const {
  return static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), [&](const auto& entry) {
    return entry.second.known == known && (!network || entry.second.network == *network);
  }));
}

ConnectionPlaces::Connection ConnectionPlaces::oldest_stranger(const std::string& network) const {
  Connection oldest = nullptr;
  std::uint64_t number = arrivals_ + 1;
  for (const auto& [connection, place] : places_) {
    if (place.known || place.network != network || place.number >= number) continue;
    oldest = connection;
    number = place.number;
  }
  return oldest;
}

std::string ConnectionPlaces::most_crowded_network() const {
  std::map<std::string, std::size_t> unknown;
  for (const auto& [connection, place] : places_) {
    if (!place.known) ++unknown[place.network];
  }
  const auto most = std::max_element(unknown.begin(), unknown.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first;
}

}  // namespace glovebox::mcp
