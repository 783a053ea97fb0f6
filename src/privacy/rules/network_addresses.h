// Addresses of machines: IPv4, IPv6 and MAC.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where digits begin, and no letter or digit precedes.
std::optional<Finding> find_ipv4(std::string_view text, std::size_t at);
// `at` is where a word of hexadecimal digits begins, or the first of two colons.
std::optional<Finding> find_ipv6(std::string_view text, std::size_t at);
std::optional<Finding> find_mac(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
