#include "policy/address_class.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace glovebox::policy {
namespace {

struct V4Range {
  std::array<std::uint8_t, 4> start;
  int bits;
  AddressClass kind;
};

// IANA's IPv4 special-purpose registry, and addresses that clouds use. The first match counts.
constexpr V4Range kV4Ranges[] = {
    {{169, 254, 169, 254}, 32, AddressClass::kMetadata},  // AWS, Azure, Google and most others
    {{168, 63, 129, 16}, 32, AddressClass::kMetadata},    // Azure's platform service, in a public range
    {{100, 100, 100, 200}, 32, AddressClass::kMetadata},  // Alibaba
    {{192, 0, 0, 192}, 32, AddressClass::kMetadata},      // Oracle
    {{0, 0, 0, 0}, 8, AddressClass::kUnspecified},
    {{10, 0, 0, 0}, 8, AddressClass::kPrivate},
    {{100, 64, 0, 0}, 10, AddressClass::kCarrierNat},
    {{127, 0, 0, 0}, 8, AddressClass::kLoopback},
    {{169, 254, 0, 0}, 16, AddressClass::kLinkLocal},
    {{172, 16, 0, 0}, 12, AddressClass::kPrivate},
    {{192, 0, 0, 0}, 24, AddressClass::kReserved},  // protocol assignments
    {{192, 0, 2, 0}, 24, AddressClass::kDocumentation},
    {{192, 88, 99, 0}, 24, AddressClass::kReserved},  // relays to 6to4, switched off
    {{192, 168, 0, 0}, 16, AddressClass::kPrivate},
    {{198, 18, 0, 0}, 15, AddressClass::kReserved},  // benchmarks inside a laboratory
    {{198, 51, 100, 0}, 24, AddressClass::kDocumentation},
    {{203, 0, 113, 0}, 24, AddressClass::kDocumentation},
    {{224, 0, 0, 0}, 4, AddressClass::kMulticast},
    {{255, 255, 255, 255}, 32, AddressClass::kBroadcast},
    {{240, 0, 0, 0}, 4, AddressClass::kReserved},
};

struct V6Range {
  std::array<std::uint8_t, 16> start;
  int bits;
  AddressClass kind;
  int v4_at = -1;  // offset of an embedded IPv4 address, whose class counts then
};

// Only 2000::/3 is allocated to the public; the table names ranges outside of it, for a better message, and special
// ones within.
constexpr V6Range kV6Ranges[] = {
    {{}, 128, AddressClass::kUnspecified},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressClass::kLoopback},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, AddressClass::kReserved, 12},  // mapped
    {{0x00, 0x64, 0xff, 0x9b}, 96, AddressClass::kReserved, 12},                    // NAT64, well-known prefix
    {{0x00, 0x64, 0xff, 0x9b, 0, 1}, 48, AddressClass::kPrivate},                   // NAT64, local prefixes
    // Amazon's and Google's metadata services on IPv6.
    {{0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, AddressClass::kMetadata},
    {{0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54}, 128, AddressClass::kMetadata},
    {{0xfc}, 7, AddressClass::kPrivate},  // unique local
    {{0xfe, 0x80}, 10, AddressClass::kLinkLocal},
    {{0xfe, 0xc0}, 10, AddressClass::kPrivate},  // site local, from before unique local
    {{0xff}, 8, AddressClass::kMulticast},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, AddressClass::kDocumentation},
    {{0x3f, 0xff}, 20, AddressClass::kDocumentation},
    {{0x20, 0x01}, 23, AddressClass::kReserved},     // protocol assignments: Teredo, ORCHID, benchmarks
    {{0x20, 0x02}, 16, AddressClass::kReserved, 2},  // 6to4
    {{0x20}, 3, AddressClass::kPublic},
};

template <std::size_t N>
bool begins_with(const std::array<std::uint8_t, 16>& bytes, const std::array<std::uint8_t, N>& start, int bits) {
  const int whole = bits / 8;
  if (!std::equal(start.begin(), start.begin() + whole, bytes.begin())) return false;
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xff << (8 - bits % 8));
  return (bytes[whole] & mask) == (start[whole] & mask);
}

AddressClass classify_v4(const std::array<std::uint8_t, 16>& bytes) {
  for (const V4Range& range : kV4Ranges) {
    if (begins_with(bytes, range.start, range.bits)) return range.kind;
  }
  return AddressClass::kPublic;
}

}  // namespace

AddressClass classify(const IpAddress& address) {
  const auto& bytes = address.bytes();
  if (!address.is_v6()) return classify_v4(bytes);
  for (const V6Range& range : kV6Ranges) {
    if (!begins_with(bytes, range.start, range.bits)) continue;
    if (range.v4_at < 0) return range.kind;
    std::array<std::uint8_t, 16> inner{};
    std::copy_n(bytes.begin() + range.v4_at, 4, inner.begin());
    return classify_v4(inner);
  }
  return AddressClass::kReserved;
}

std::string_view describe(AddressClass kind) {
  switch (kind) {
    case AddressClass::kPublic: return "a public address";
    case AddressClass::kUnspecified: return "an unspecified address";
    case AddressClass::kLoopback: return "a loopback address";
    case AddressClass::kPrivate: return "a private address";
    case AddressClass::kLinkLocal: return "a link-local address";
    case AddressClass::kMetadata: return "a cloud's metadata service";
    case AddressClass::kCarrierNat: return "a carrier's shared address";
    case AddressClass::kMulticast: return "a multicast address";
    case AddressClass::kBroadcast: return "a broadcast address";
    case AddressClass::kDocumentation: return "an address for documentation";
    case AddressClass::kReserved: return "a reserved address";
  }
  return "a reserved address";
}

}  // namespace glovebox::policy
