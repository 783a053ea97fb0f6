#include "privacy/rules/network_addresses.h"

#include <arpa/inet.h>

#include <array>
#include <cstring>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"

namespace glovebox::privacy {
namespace {

// Whether a word that is no word for an address is directly before `at`: foo 1.2.3.4, "foo": "1.2.3.4", foo@1.2.3.4.
bool is_behind_name(std::string_view text, std::size_t at) {
  constexpr std::string_view kMarks = " \"':=@_-(>.";
  std::size_t end = at;
  while (end > 0 && at - end < 4 && kMarks.find(text[end - 1]) != std::string_view::npos) --end;
  if (end == at || !is_word(before(text, end))) return false;
  std::size_t begin = end;
  while (begin > 0 && end - begin < 32 && is_word(text[begin - 1])) --begin;
  constexpr auto kOfAddress = static_cast<std::uint32_t>(Topic::kAddress) | static_cast<std::uint32_t>(Topic::kPeer) |
                              static_cast<std::uint32_t>(Topic::kMachine);
  return end - begin > 1 && (topics_of(text.substr(begin, end - begin)) & kOfAddress) == 0 &&
         !is_named_before(text, at, Topic::kAddress);
}

// Four numbers with dots between them may be a version too.
bool is_version(std::string_view text, std::size_t at, std::size_t end, const std::array<unsigned, 4>& numbers) {
  const char previous = before(text, at);
  if (previous == 'v' || previous == 'V' || previous == '^' || previous == '~') return true;
  // Chrome/120.0.0.0, but not http://120.0.0.1
  if (previous == '/' && at > 1 && is_word(text[at - 2])) return true;
  if (privacy::at(text, end) == '-' && is_letter(privacy::at(text, end + 1))) return true;
  const std::size_t sign = previous == ' ' ? at - 1 : at;  // >= 4.18.2.1
  if (before(text, sign) == '=' && sign > 1 &&
      (text[sign - 2] == '=' || text[sign - 2] == '>' || text[sign - 2] == '<'))
    return true;
  const bool small = numbers[0] < 30 && numbers[0] != 10;
  // "openssl 1.4.97.16"; names of services precede addresses, too.
  if (small && is_named_by_last_word(text, at, Topic::kProgram)) return true;
  // "Chrome 120.0.6.1"; but "chrome 18.204.10.5" opens a page.
  const bool dotted_zero = numbers[0] >= 30 && numbers[1] == 0;
  if (dotted_zero && is_named_by_last_word(text, at, Topic::kBrowser)) return true;
  // "Git 2.45.2.1", foo=1.2.3.40, <Version>4.6.1.55: hardly one address in a thousand has such numbers. One with a port
  // or a net is an address.
  const char next = privacy::at(text, end);
  const bool tiny = small && numbers[1] < 40 && numbers[2] < 40 && next != ':' && next != '/';
  if (tiny && is_behind_name(text, at)) return true;
  // "upgrade from 4.18.2.1"; a record may be updated from 203.0.113.7 as well.
  const bool update = small && is_named_before(text, at, Topic::kUpdate);
  if (!update && !is_named_before(text, at, Topic::kVersion)) return false;
  // "server v=7.2.4.1"
  return is_named_by_last_word(text, at, Topic::kVersion) || !is_named_before(text, at, Topic::kAddress);
}

// 001b.4411.3ab7
std::optional<Finding> find_dotted_mac(std::string_view text, std::size_t at) {
  constexpr std::size_t kSize = 14;
  bool letter = false;
  bool digit = false;
  for (std::size_t i = 0; i < kSize; ++i) {
    const char c = privacy::at(text, at + i);
    if (i % 5 == 4 ? c != '.' : !is_hex(c)) return std::nullopt;
    letter |= is_letter(c);
    digit |= is_digit(c);
  }
  const char next = privacy::at(text, at + kSize);
  if (!letter || !digit || is_word(next) || (next == '.' && is_word(privacy::at(text, at + kSize + 1))))
    return std::nullopt;
  if (before(text, at) == '.' || before(text, at) == '-') return std::nullopt;
  return Finding{Entity::kMacAddress, at, at + kSize, 0.9, {}};
}

}  // namespace

std::optional<Finding> find_ipv4(std::string_view text, std::size_t at) {
  std::array<unsigned, 4> octets{};
  std::size_t position = at;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) {
      if (privacy::at(text, position) != '.') return std::nullopt;
      ++position;
    }
    const std::size_t begin = position;
    unsigned value = 0;
    while (position - begin < 4 && is_digit(privacy::at(text, position)))
      value = value * 10 + static_cast<unsigned>(text[position++] - '0');
    const std::size_t size = position - begin;
    if (size == 0 || size > 3 || value > 255 || (size > 1 && text[begin] == '0')) return std::nullopt;
    octets[i] = value;
  }
  const char next = privacy::at(text, position);
  if (is_word(next) || next == '_' || (next == '.' && is_digit(privacy::at(text, position + 1)))) return std::nullopt;
  const char previous = before(text, at);
  if ((previous == '.' || previous == '-') && at > 1 && is_word(text[at - 2])) return std::nullopt;
  // Not private: this machine, any machine, masks.
  if (octets[0] == 127 || octets[0] == 0 || octets[0] == 255) return std::nullopt;
  if (is_version(text, at, position, octets)) return std::nullopt;
  const bool named = is_named_before(text, at, Topic::kAddress) || is_named_before(text, at, Topic::kPeer) ||
                     privacy::at(text, position) == ':';
  if (octets[0] < 10 && octets[1] < 10 && octets[2] < 10 && octets[3] < 10 && !named) return std::nullopt;
  return Finding{Entity::kIpAddress, at, position, named ? 0.95 : 0.8, {}};
}

std::optional<Finding> find_ipv6(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::size_t groups = 0;
  bool shortened = false;
  std::size_t digits = 0;
  bool point = false;
  while (end - at < 46) {
    const char c = privacy::at(text, end);
    if (is_hex(c)) {
      if (digits++ == 0) ++groups;
    } else if (c == ':') {
      if (digits == 0 && end > at && text[end - 1] == ':') shortened = true;
      digits = 0;
    } else if (c == '.' && is_digit(privacy::at(text, end + 1))) {
      point = true;
      digits = 0;
    } else {
      break;
    }
    ++end;
  }
  const char next = privacy::at(text, end);
  if (is_word(next) || next == '_') return std::nullopt;
  while (end > at && text[end - 1] == ':' && !(end - at > 1 && text[end - 2] == ':')) --end;
  if (end - at < 5 || end - at > 45 || (!shortened && groups < 7 && !point)) return std::nullopt;
  std::array<char, 48> name{};
  std::memcpy(name.data(), text.data() + at, end - at);
  std::array<std::uint8_t, 16> bytes{};
  if (inet_pton(AF_INET6, name.data(), bytes.data()) != 1) return std::nullopt;
  const unsigned first = static_cast<unsigned>(bytes[0]) << 8 | bytes[1];
  // std::cafe and dead::beef are names in programs; addresses in use begin like these.
  const bool in_use = (first >= 0x2000 && first <= 0x3fff) || (first >= 0xfc00 && first <= 0xfdff) ||
                      (first >= 0xfe80 && first <= 0xfebf) || (first == 0x64 && shortened) || (first == 0 && point);
  if (shortened && !in_use) return std::nullopt;
  // Eight pairs are a fingerprint.
  if (!shortened && end - at < 8 * 3 + 4 && !in_use) return std::nullopt;
  if (first == 0 && !point) return std::nullopt;
  return Finding{Entity::kIpAddress, at, end, 0.9, {}};
}

std::optional<Finding> find_mac(std::string_view text, std::size_t at) {
  const char separator = privacy::at(text, at + 2);
  if (separator != ':' && separator != '-')
    return privacy::at(text, at + 4) == '.' ? find_dotted_mac(text, at) : std::nullopt;
  bool zeros = true;
  bool ones = true;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t pair = at + 3 * i;
    if (pair + 2 > text.size() || !is_hex(text[pair]) || !is_hex(text[pair + 1])) return std::nullopt;
    if (i < 5 && privacy::at(text, pair + 2) != separator) return std::nullopt;
    zeros &= text[pair] == '0' && text[pair + 1] == '0';
    ones &= to_lower(text[pair]) == 'f' && to_lower(text[pair + 1]) == 'f';
  }
  const std::size_t end = at + 17;
  // More pairs are a fingerprint.
  if (is_word(privacy::at(text, end)) || (privacy::at(text, end) == separator && is_hex(privacy::at(text, end + 1))))
    return std::nullopt;
  if (at > 0 && text[at - 1] == separator) return std::nullopt;
  if (zeros || ones) return std::nullopt;
  return Finding{Entity::kMacAddress, at, end, 0.95, {}};
}

}  // namespace glovebox::privacy
