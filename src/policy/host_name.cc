#include "policy/host_name.h"

#include <dlfcn.h>
#include <idn2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "base/characters/ascii.h"
#include "base/text/hex.h"
#include "base/try.h"

namespace glovebox::policy {
namespace {

constexpr std::size_t kMaxNameBytes = 253;  // what DNS can carry
constexpr std::size_t kMaxLabelBytes = 63;
constexpr std::size_t kMaxInputBytes = 1024;  // an international name is longer before it is encoded

Failure not_a_host(std::string_view text, std::string_view why) {
  return {ErrorCode::kInvalidArgument, "\"" + printable(text) + "\" is not a host name: " + std::string(why)};
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Loaded with the first name that needs it: few programs use one, and loading it takes a tenth of their start time.
struct Idn2 {
  Idn2() {
    void* library = ::dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    to_ascii = reinterpret_cast<decltype(to_ascii)>(::dlsym(library, "idn2_to_ascii_8z"));
    free = reinterpret_cast<decltype(free)>(::dlsym(library, "idn2_free"));
    strerror = reinterpret_cast<decltype(strerror)>(::dlsym(library, "idn2_strerror"));
  }
  bool is_there() const { return to_ascii != nullptr && free != nullptr && strerror != nullptr; }

  decltype(&::idn2_to_ascii_8z) to_ascii = nullptr;
  decltype(&::idn2_free) free = nullptr;
  decltype(&::idn2_strerror) strerror = nullptr;
};

// International names as encoded in DNS. The mapping folds look-alike dots and full-width letters, so the result is
// checked as if it had been typed that way.
Result<std::string> to_ascii(std::string_view text) {
  static const Idn2 idn2;
  if (!idn2.is_there()) return not_a_host(text, "international names need libidn2, which is not installed");
  char* encoded = nullptr;
  const int status = idn2.to_ascii(std::string(text).c_str(), &encoded, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
  const std::unique_ptr<char, void (*)(void*)> owner(encoded, idn2.free);
  if (status != IDN2_OK) return not_a_host(text, idn2.strerror(status));
  return std::string(encoded);
}

// One part of an IPv4 address: decimal, 0 for octal, 0x for hexadecimal.
std::optional<std::uint64_t> parse_v4_part(std::string_view part) {
  int base = 10;
  if (part.size() >= 2 && part[0] == '0' && (part[1] == 'x' || part[1] == 'X')) {
    part.remove_prefix(2);
    base = 16;
    if (part.empty()) return 0;
  } else if (part.size() >= 2 && part[0] == '0') {
    part.remove_prefix(1);
    base = 8;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number, base);
  if (error != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return number;
}

std::string_view last_label(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

// As in the URL standard: a name whose last label is a number must be an address.
bool ends_in_a_number(std::string_view name) {
  const std::string_view label = last_label(name);
  if (base::is_number(label)) return true;
  return label.size() >= 2 && label[0] == '0' && label[1] == 'x' && parse_v4_part(label).has_value();
}

std::optional<IpAddress> parse_v4(std::string_view text) {
  std::array<std::uint64_t, 4> parts{};
  std::size_t count = 0;
  while (true) {
    if (count == parts.size()) return std::nullopt;
    const auto dot = text.find('.');
    const auto part = text.substr(0, dot);
    if (part.empty()) return std::nullopt;
    const auto number = parse_v4_part(part);
    if (!number) return std::nullopt;
    parts[count++] = *number;
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  // The last part fills all remaining bytes.
  std::uint64_t whole = parts[count - 1];
  if (whole >= std::uint64_t{1} << (8 * (5 - count))) return std::nullopt;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (parts[i] > 255) return std::nullopt;
    whole |= parts[i] << (8 * (3 - i));
  }
  return IpAddress::v4({static_cast<std::uint8_t>(whole >> 24), static_cast<std::uint8_t>(whole >> 16),
                        static_cast<std::uint8_t>(whole >> 8), static_cast<std::uint8_t>(whole)});
}

Result<void> check_labels(std::string_view shown, std::string_view name) {
  if (name.size() > kMaxNameBytes) return not_a_host(shown, "it is too long");
  while (true) {
    const auto dot = name.find('.');
    const auto label = name.substr(0, dot);
    if (label.empty()) return not_a_host(shown, "it has an empty label");
    if (label.size() > kMaxLabelBytes) return not_a_host(shown, "one of its labels is too long");
    const bool fits = std::all_of(label.begin(), label.end(), [](char c) {
      return base::is_lower(c) || base::is_digit(c) || c == '-' || c == '_';
    });
    if (!fits) return not_a_host(shown, "it contains a character that host names cannot have");
    if (dot == std::string_view::npos) return {};
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<Host> canonical_host(std::string_view text) {
  if (text.empty()) return not_a_host(text, "it is empty");
  if (text.size() > kMaxInputBytes) return not_a_host(text, "it is too long");
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return not_a_host(text, "it contains a control character");
  }
  if (text.front() == '[') {
    if (text.back() != ']') return not_a_host(text, "a bracket is not closed");
    const auto inner = text.substr(1, text.size() - 2);
    if (inner.find('%') != std::string_view::npos) return not_a_host(text, "zones are not supported");
    const auto address = IpAddress::parse(inner);
    if (!address || !address->is_v6()) return not_a_host(text, "only an IPv6 address may be in brackets");
    return Host{address->host_text(), address};
  }
  if (text.find(':') != std::string_view::npos) {
    return not_a_host(text, "an IPv6 address must be in brackets, such as [::1]");
  }
  std::string name = base::lower_case(is_ascii(text) ? std::string(text) : GLOVEBOX_TRY(to_ascii(text)));
  if (name.size() > 1 && name.back() == '.') name.pop_back();
  GLOVEBOX_TRY_VOID(check_labels(text, name));
  if (ends_in_a_number(name)) {
    const auto address = parse_v4(name);
    if (!address) return not_a_host(text, "it ends in a number but is not an IPv4 address");
    return Host{address->host_text(), address};
  }
  return Host{std::move(name), std::nullopt};
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  if (text.size() > 5 || !base::is_number(text) || text[0] == '0') {
    return std::nullopt;
  }
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  if (number > 65535) return std::nullopt;
  return static_cast<std::uint16_t>(number);
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    const bool is_plain = c >= ' ' && c < 0x7f;
    shown += is_plain ? std::string(1, c) : "\\x" + base::hex(std::string_view(&c, 1));
  }
  if (text.size() > kLongest) shown += "...";
  return shown;
}

}  // namespace glovebox::policy
