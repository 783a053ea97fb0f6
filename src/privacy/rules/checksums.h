// The checksums by which a number shows that it was issued. Pure functions; all take exactly the characters that count.
#pragma once

#include <string_view>

namespace glovebox::privacy {

// The same digit repeated, which passes many checksums.
bool all_alike(std::string_view digits);
bool luhn_holds(std::string_view digits);
// ISO 7064 mod 97-10 of an IBAN: letters of either case and digits, without spaces.
bool mod97_holds(std::string_view iban);
bool verhoeff_holds(std::string_view digits);
// A version byte, a payload of 20 bytes and four bytes of a double SHA-256.
bool base58check_holds(std::string_view address);
// `address` with its prefix, such as bc1q…; bech32 or bech32m.
bool bech32_holds(std::string_view address);
// EIP-55: the case of the 40 hexadecimal digits after 0x.
bool eip55_holds(std::string_view hex);

}  // namespace glovebox::privacy
