// IpAddress: an IPv4 or IPv6 address as a value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace glovebox::policy {

class IpAddress {
 public:
  static IpAddress v4(std::array<std::uint8_t, 4> bytes);
  static IpAddress v6(std::array<std::uint8_t, 16> bytes);
  // "192.0.2.1" with four decimal parts, or "2001:db8::1" without brackets and zone.
  static std::optional<IpAddress> parse(std::string_view text);
  // Empty for families other than IPv4 and IPv6.
  static std::optional<IpAddress> from_sockaddr(const sockaddr* address, std::size_t length);

  bool is_v6() const { return is_v6_; }
  // The first four for IPv4.
  const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }

  // ::ffff:a.b.c.d is the same destination as a.b.c.d, and becomes that.
  IpAddress unmapped() const;

  std::string text() const;       // 2001:db8::1
  std::string host_text() const;  // [2001:db8::1], as in a URL

  bool operator==(const IpAddress&) const = default;

 private:
  bool is_v6_ = false;
  std::array<std::uint8_t, 16> bytes_{};
};

}  // namespace glovebox::policy
