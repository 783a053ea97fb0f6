#include "policy/ip_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace glovebox::policy {

IpAddress IpAddress::v4(std::array<std::uint8_t, 4> bytes) {
  IpAddress address;
  std::copy(bytes.begin(), bytes.end(), address.bytes_.begin());
  return address;
}

IpAddress IpAddress::v6(std::array<std::uint8_t, 16> bytes) {
  IpAddress address;
  address.is_v6_ = true;
  address.bytes_ = bytes;
  return address;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  // The C function would stop at a zero byte and see another address than the given one.
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  IpAddress address;
  address.is_v6_ = text.find(':') != std::string_view::npos;
  if (::inet_pton(address.is_v6_ ? AF_INET6 : AF_INET, terminated.c_str(), address.bytes_.data()) != 1) {
    return std::nullopt;
  }
  return address;
}

std::optional<IpAddress> IpAddress::from_sockaddr(const sockaddr* address, std::size_t length) {
  IpAddress result;
  if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    sockaddr_in v4;
    std::memcpy(&v4, address, sizeof v4);
    std::memcpy(result.bytes_.data(), &v4.sin_addr, 4);
    return result;
  }
  if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    sockaddr_in6 v6;
    std::memcpy(&v6, address, sizeof v6);
    result.is_v6_ = true;
    std::memcpy(result.bytes_.data(), &v6.sin6_addr, 16);
    return result;
  }
  return std::nullopt;
}

IpAddress IpAddress::unmapped() const {
  static constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (!is_v6_ || !std::equal(kMapped.begin(), kMapped.end(), bytes_.begin())) return *this;
  return v4({bytes_[12], bytes_[13], bytes_[14], bytes_[15]});
}

std::string IpAddress::text() const {
  char buffer[INET6_ADDRSTRLEN];
  return ::inet_ntop(is_v6_ ? AF_INET6 : AF_INET, bytes_.data(), buffer, sizeof buffer);
}

std::string IpAddress::host_text() const {
  return is_v6_ ? "[" + text() + "]" : text();
}

}  // namespace glovebox::policy
