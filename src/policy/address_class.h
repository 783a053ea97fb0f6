// What kind of place an IP address leads to. Names that a run was granted may lead to public addresses only; anything
// else is a way into the owner's own machine and network.
#pragma once

#include <string_view>

#include "policy/ip_address.h"

namespace glovebox::policy {

enum class AddressClass {
  kPublic,
  kUnspecified,  // 0.0.0.0/8 and ::, which the kernel takes for this machine
  kLoopback,
  kPrivate,  // RFC 1918, unique local, site local, local NAT64
  kLinkLocal,
  kMetadata,    // where clouds hand out a machine's credentials
  kCarrierNat,  // 100.64.0.0/10
  kMulticast,
  kBroadcast,
  kDocumentation,
  kReserved,  // anything else that no public server uses
};

// An address with an embedded IPv4 address (mapped, NAT64, 6to4) has the class of that one. Fails closed: an IPv6 range
// that is not known to be public is reserved.
AddressClass classify(const IpAddress& address);

// For a sentence: "a loopback address".
std::string_view describe(AddressClass kind);

}  // namespace glovebox::policy
