// Host: the host of a URL or a grant in the one form that is compared, shown and connected to. Two spellings that lead
// to the same place are one Host, so a check cannot be passed in one spelling and connected in another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "policy/ip_address.h"

namespace glovebox::policy {

struct Host {
  std::string text;                  // lower-case ASCII name without a final dot, 192.0.2.1 or [2001:db8::1]
  std::optional<IpAddress> address;  // when the host is an address

  bool operator==(const Host&) const = default;
};

// Canonical form: case, a final dot, international names (as xn--…), and every way to write an IPv4 address that some
// resolver accepts (0x7f.1, 2130706433, 017700000001). Refuses control bytes and characters that no host name can hold.
Result<Host> canonical_host(std::string_view text);

// "443" → 443. Refuses 0, signs, spaces, leading zeros and what exceeds 65535.
std::optional<std::uint16_t> parse_port(std::string_view text);

// Untrusted text for a message: what is not printable ASCII is shown as \xNN, and long text is cut.
std::string printable(std::string_view text);

}  // namespace glovebox::policy
