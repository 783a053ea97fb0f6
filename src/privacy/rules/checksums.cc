#include "privacy/rules/checksums.h"

#include <nettle/sha2.h>
#include <nettle/sha3.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::string_view kBase58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
constexpr std::string_view kBech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

constexpr std::array<std::int8_t, 256> values_of(std::string_view alphabet) {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
  return values;
}
constexpr auto kBase58Values = values_of(kBase58);
constexpr auto kBech32Values = values_of(kBech32);

std::uint32_t bech32_step(std::uint32_t sum, std::uint32_t value) {
  constexpr std::array<std::uint32_t, 5> kGenerator = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
  const std::uint32_t top = sum >> 25;
  sum = ((sum & 0x1ffffff) << 5) ^ value;
  for (std::size_t i = 0; i < kGenerator.size(); ++i)
    if ((top >> i) & 1) sum ^= kGenerator[i];
  return sum;
}

}  // namespace

bool all_alike(std::string_view digits) {
  return digits.find_first_not_of(digits.front()) == std::string_view::npos;
}

bool luhn_holds(std::string_view digits) {
  unsigned sum = 0;
  bool doubled = false;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, doubled = !doubled) {
    unsigned value = static_cast<unsigned>(*digit - '0');
    if (doubled) value = value * 2 > 9 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return !digits.empty() && sum % 10 == 0;
}

bool mod97_holds(std::string_view iban) {
  if (iban.size() < 5) return false;
  unsigned rest = 0;
  const auto take = [&](char c) {
    const unsigned value = static_cast<unsigned>(is_digit(c) ? c - '0' : to_lower(c) - 'a' + 10);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  };
  for (const char c : iban.substr(4)) take(c);
  for (const char c : iban.substr(0, 4)) take(c);
  return rest == 1;
}

bool verhoeff_holds(std::string_view digits) {
  constexpr std::uint8_t kTimes[10][10] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5},
                                           {2, 3, 4, 0, 1, 7, 8, 9, 5, 6}, {3, 4, 0, 1, 2, 8, 9, 5, 6, 7},
                                           {4, 0, 1, 2, 3, 9, 5, 6, 7, 8}, {5, 9, 8, 7, 6, 0, 4, 3, 2, 1},
                                           {6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3},
                                           {8, 7, 6, 5, 9, 3, 2, 1, 0, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}};
  constexpr std::uint8_t kPlace[8][10] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4},
                                          {5, 8, 0, 3, 7, 9, 6, 1, 4, 2}, {8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
                                          {9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1},
                                          {2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8}};
  std::uint8_t sum = 0;
  std::size_t place = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
    sum = kTimes[sum][kPlace[place++ % 8][static_cast<std::size_t>(*digit - '0')]];
  return !digits.empty() && sum == 0;
}

bool base58check_holds(std::string_view address) {
  std::array<std::uint8_t, 25> bytes{};
  for (const char c : address) {
    const int value = kBase58Values[static_cast<unsigned char>(c)];
    if (value < 0) return false;
    unsigned carry = static_cast<unsigned>(value);
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
      carry += static_cast<unsigned>(*byte) * 58;
      *byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) return false;
  }
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, 21, bytes.data());
  sha256_digest(&context, digest.size(), digest.data());
  sha256_update(&context, digest.size(), digest.data());
  sha256_digest(&context, digest.size(), digest.data());
  return std::memcmp(digest.data(), bytes.data() + 21, 4) == 0;
}

bool bech32_holds(std::string_view address) {
  const std::size_t one = address.rfind('1');
  if (one == std::string_view::npos || one == 0 || address.size() - one < 8 || address.size() > 90) return false;
  bool upper = false;
  bool lower = false;
  for (const char c : address) {
    upper |= c >= 'A' && c <= 'Z';
    lower |= c >= 'a' && c <= 'z';
  }
  if (upper && lower) return false;
  std::uint32_t sum = 1;
  for (const char c : address.substr(0, one)) sum = bech32_step(sum, static_cast<std::uint32_t>(to_lower(c)) >> 5);
  sum = bech32_step(sum, 0);
  for (const char c : address.substr(0, one)) sum = bech32_step(sum, static_cast<std::uint32_t>(to_lower(c)) & 31);
  for (const char c : address.substr(one + 1)) {
    const int value = kBech32Values[static_cast<unsigned char>(to_lower(c))];
    if (value < 0) return false;
    sum = bech32_step(sum, static_cast<std::uint32_t>(value));
  }
  return sum == 1 || sum == 0x2bc830a3;
}

bool eip55_holds(std::string_view hex) {
  if (hex.size() != 40) return false;
  // Keccak-256 as it was before it became SHA-3: the address fits into one block, so the permutation alone is needed.
  constexpr std::size_t kRate = 136;
  std::array<std::uint8_t, kRate> block{};
  for (std::size_t i = 0; i < hex.size(); ++i) block[i] = static_cast<std::uint8_t>(to_lower(hex[i]));
  block[hex.size()] = 0x01;
  block[kRate - 1] |= 0x80;
  sha3_state state{};
  for (std::size_t lane = 0; lane < kRate / 8; ++lane)
    for (std::size_t i = 0; i < 8; ++i) state.a[lane] |= static_cast<std::uint64_t>(block[lane * 8 + i]) << (8 * i);
  sha3_permute(&state);
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const unsigned byte = static_cast<unsigned>(state.a[i / 16] >> (8 * (i / 2 % 8))) & 0xff;
    const bool raised = ((i % 2 == 0 ? byte >> 4 : byte & 15) & 8) != 0;
    if (is_letter(hex[i]) && raised != (hex[i] <= 'Z')) return false;
  }
  return true;
}

}  // namespace glovebox::privacy
