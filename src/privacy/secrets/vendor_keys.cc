#include "privacy/secrets/vendor_keys.h"

#include <array>
#include <cstdint>

#include "privacy/characters.h"
#include "privacy/secrets/command_arguments.h"
#include "privacy/secrets/key_pattern.h"
#include "privacy/secrets/stated_secrets.h"
#include "privacy/secrets/vendor_key_table.h"

namespace glovebox::privacy {
namespace {

constexpr Trigrams first_letters() {
  Trigrams bits{};
  add_trigram(bits, "eyJ");  // a JSON web token
  for (const VendorKey& key : kVendorKeys) {
    const std::string_view beginning = literal_beginning(key.pattern);
    if (beginning.size() < 2) throw "a key without a beginning";
    if (beginning.size() > 2) {
      add_trigram(bits, beginning);
      continue;
    }
    for (char third = 0; third < 32; ++third) {
      const char letters[] = {beginning[0], beginning[1], third};
      add_trigram(bits, {letters, 3});
    }
  }
  return bits;
}

// Where the keys that begin with a character are in the table: first[c] to first[c + 1] of `rows`.
struct ByFirst {
  std::array<std::uint8_t, 129> first{};
  std::array<std::uint8_t, std::size(kVendorKeys)> rows{};
  constexpr ByFirst() {
    std::size_t count = 0;
    for (std::size_t c = 0; c < 128; ++c) {
      first[c] = static_cast<std::uint8_t>(count);
      for (std::size_t i = 0; i < std::size(kVendorKeys); ++i)
        if (static_cast<std::size_t>(kVendorKeys[i].pattern[0]) == c) rows[count++] = static_cast<std::uint8_t>(i);
    }
    first[128] = static_cast<std::uint8_t>(count);
  }
};
static_assert(std::size(kVendorKeys) < 256);
constexpr ByFirst kByFirst;

// Names in programs have the same prefixes as keys: sk-learn, npm_config_cache. Keys have digits, or capitals in their
// middle. Bytes in base64 may begin alike too, and are mostly zeros.
bool looks_random(std::string_view value, std::size_t beginning) {
  bool digit = false;
  bool upper = false;
  bool lower = false;
  std::size_t zeros = 0;
  for (const char c : value) {
    digit |= is_digit(c);
    upper |= c >= 'A' && c <= 'Z';
    lower |= c >= 'a' && c <= 'z';
    zeros += c == 'A';
  }
  if (value.size() >= 40 && zeros * 4 > value.size()) return false;
  return digit || (upper && lower && beginning + value.size() >= 22);
}

std::size_t url_word_end(std::string_view text, std::size_t from) {
  while (from < text.size() && (is_word(text[from]) || text[from] == '-' || text[from] == '_')) ++from;
  return from;
}

// Three parts with dots between them, of which two are JSON objects in base64: they begin with eyJ.
std::optional<Finding> find_web_token(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "eyJ") return std::nullopt;
  const std::size_t head = url_word_end(text, at);
  if (head - at < 10 || privacy::at(text, head) != '.' || text.substr(head + 1, 3) != "eyJ") return std::nullopt;
  const std::size_t body = url_word_end(text, head + 1);
  if (privacy::at(text, body) != '.') return std::nullopt;
  return Finding{Entity::kSecret, at, url_word_end(text, body + 1), 1.0, "jwt"};
}

// 123456789:AAE… of a Telegram bot.
std::optional<Finding> find_bot_token(std::string_view text, std::size_t at) {
  std::size_t colon = at;
  while (colon - at < 11 && is_digit(privacy::at(text, colon))) ++colon;
  if (colon - at < 8 || privacy::at(text, colon) != ':') return std::nullopt;
  const std::size_t end = url_word_end(text, colon + 1);
  if (end - colon - 1 != 35) return std::nullopt;
  return Finding{Entity::kSecret, at, end, 0.9, "telegram"};
}

}  // namespace

constinit const Trigrams kSecretBegins = first_letters();
constinit const Trigrams kSecretOrPasswordBegins = [] {
  Trigrams bits = first_letters();
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] |= kPasswordBegins[i] | kCommandBegins[i];
  return bits;
}();

std::optional<Finding> find_secret(std::string_view text, std::size_t at) {
  if (is_digit(text[at])) {
    if (auto token = find_bot_token(text, at)) return token;
  }
  if (text[at] == 'e') {
    if (auto token = find_web_token(text, at)) return token;
  }
  const auto first = static_cast<std::size_t>(text[at]);
  for (std::size_t i = kByFirst.first[first]; i < kByFirst.first[first + 1]; ++i) {
    const VendorKey& key = kVendorKeys[kByFirst.rows[i]];
    if (key.pattern[1] != privacy::at(text, at + 1)) continue;
    const auto end = key_end(key.pattern, text, at);
    if (!end) continue;
    const std::size_t beginning = literal_beginning(key.pattern).size();
    if (!looks_random(text.substr(at + beginning, *end - at - beginning), beginning)) continue;
    return Finding{Entity::kSecret, at, *end, 0.95, key.kind};
  }
  return std::nullopt;
}

std::optional<Finding> find_marked_secret(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t size = end - begin;
  // The secret of an application in Entra ID (GL): three characters, a digit, Q~ and 31 to 34 more.
  if (text[end] == '~') {
    if (size < 2 || text[end - 1] != 'Q' || !is_digit(text[end - 2]) || end < 5) return std::nullopt;
    const auto is_part = [&](std::size_t i) { return is_of_kind(privacy::at(text, i), 'o') || text[i] == '~'; };
    std::size_t last = end + 1;
    while (last < text.size() && last - end <= 34 && is_part(last)) ++last;
    while (text[last - 1] == '.') --last;
    const bool whole = last - end > 31 && is_part(end - 3) && is_part(end - 4) && is_part(end - 5);
    return whole ? std::optional(Finding{Entity::kSecret, end - 5, last, 0.95, "azure-ad"}) : std::nullopt;
  }
  if (size != 14 && size != 32) return std::nullopt;
  for (const VendorKey& key : kMarkedKeys)
    if (const auto last = key_end(key.pattern, text, begin))
      return Finding{Entity::kSecret, begin, *last, 0.95, key.kind};
  return std::nullopt;
}

std::optional<Finding> find_secret_url(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "://") return std::nullopt;
  const std::size_t host = at + 3;
  for (const VendorKey& url : kSecretUrls) {
    const auto end = key_end(url.pattern, text, host);
    if (!end) continue;
    std::size_t begin = at;
    while (begin > 0 && at - begin < 5 && is_letter(text[begin - 1])) --begin;
    return Finding{Entity::kSecret, begin, *end, 0.95, url.kind};
  }
  return std::nullopt;
}

std::optional<Finding> find_private_key(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kPrivate = "PRIVATE KEY";
  constexpr std::size_t kLongestTitle = 48;
  constexpr std::size_t kLongestKey = 16384;
  if (text.substr(at, kBegin.size()) != kBegin) return std::nullopt;
  const std::string_view title = text.substr(at, kBegin.size() + kLongestTitle);
  const std::size_t word = title.find(kPrivate);
  if (word == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(at, kLongestKey);
  const std::size_t last = body.find("-----END ", word);
  std::size_t end = at + word + kPrivate.size();
  if (last != std::string_view::npos) {
    end = at + last + 9;
    while (end < text.size() && end - at - last < 64 && (is_word(text[end]) || text[end] == ' ')) ++end;
  } else {
    // Its end is missing: everything that may be part of it.
    while (end - at < body.size() && ((classes_of(text[end]) & kBase64) != 0 || text[end] == '\n' ||
                                      text[end] == '\r' || text[end] == ' ' || text[end] == ':' || text[end] == ','))
      ++end;
  }
  while (end < text.size() && text[end] == '-') ++end;
  return Finding{Entity::kSecret, at, end, 1.0, "private-key"};
}

}  // namespace glovebox::privacy
