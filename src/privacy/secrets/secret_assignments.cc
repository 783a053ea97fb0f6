#include "privacy/secrets/secret_assignments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestKey = 48;
constexpr std::size_t kLongestValue = 512;

// Lower case, without what stands between words.
struct PlainKey {
  std::array<char, kLongestKey> bytes{};
  std::size_t size = 0;
  explicit PlainKey(std::string_view key) {
    for (const char c : key) {
      if (size == bytes.size()) return;
      if (c != '_' && c != '-' && c != '.' && c != ' ') bytes[size++] = to_lower(c);
    }
  }
  std::string_view view() const { return {bytes.data(), size}; }
  bool has(std::string_view part) const { return view().find(part) != std::string_view::npos; }
};

bool is_password_key(const PlainKey& key) {
  return key.has("passw") || key.has("passphrase") || key.view() == "pwd" || key.view() == "pass" ||
         key.view().ends_with("pwd");
}

bool is_secret_key(const PlainKey& key) {
  constexpr std::array<std::string_view, 12> kParts = {"password",   "passwd",    "passphrase", "secret",
                                                       "token",      "apikey",    "credential", "authorization",
                                                       "privatekey", "accesskey", "cookie",     "sessionid"};
  return key.view() == "auth" || key.view() == "pwd" || key.view() == "pin" || key.view() == "pass" ||
         std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return key.has(part); });
}

// A cursor in a listing is called a token too, and agents need it.
bool is_cursor(const PlainKey& key) {
  return key.has("page") || key.has("next") || key.has("cursor") || key.has("continu") || key.has("sync") ||
         key.has("public");
}

double bits_per_character(std::string_view text) {
  std::array<unsigned, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const unsigned count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

bool is_secret_value(std::string_view value, bool password) {
  if (value.size() < (password ? 6u : 12u)) return false;
  // A place for a value: ${TOKEN}, <token>, %TOKEN%, ****.
  constexpr std::string_view kPlaces = "$<{%*[(";
  if (kPlaces.find(value.front()) != std::string_view::npos) return false;
  bool digit = false;
  bool letter = false;
  bool other = false;
  for (const char c : value) {
    digit |= is_digit(c);
    letter |= is_letter(c);
    other |= !is_word(c);
    if (c == '(' || (c == ' ' && !password)) return false;  // a call in a program; a sentence
  }
  if (!letter) return false;
  if (password) return (digit || other) && bits_per_character(value) >= 2.2;
  return digit && bits_per_character(value) >= 3.0;
}

bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`' || c == '\\';
}

}  // namespace

bool looks_like_secret_key(std::string_view key) {
  return is_secret_key(PlainKey(key));
}

std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at) {
  // The value first: most colons have none that counts.
  std::size_t begin = at + 1;
  const auto skip_spaces = [&] {
    while (begin < text.size() && begin - at < 8 && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  };
  if (privacy::at(text, begin) == '=' || privacy::at(text, begin) == '>') ++begin;
  skip_spaces();
  char quote = '\0';
  while (begin - at < 8 && is_quote(privacy::at(text, begin))) quote = text[begin++];
  if (begin + 6 > text.size() || static_cast<unsigned char>(text[begin]) <= ' ') return std::nullopt;

  std::size_t key_end = at;
  while (key_end > 0 && at - key_end < 4 && (is_quote(text[key_end - 1]) || text[key_end - 1] == ' ')) --key_end;
  std::size_t key_begin = key_end;
  const auto is_key = [](char c) { return is_word(c) || c == '_' || c == '-' || c == '.'; };
  while (key_begin > 0 && key_end - key_begin < kLongestKey && is_key(text[key_begin - 1])) --key_begin;
  if (key_end - key_begin < 3) return std::nullopt;
  const PlainKey key(text.substr(key_begin, key_end - key_begin));
  if (!is_secret_key(key) || is_cursor(key)) return std::nullopt;

  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "})
    if (text.substr(begin, scheme.size()) == scheme) begin += scheme.size();
  std::size_t end = begin;
  constexpr std::string_view kEnds = ",;&<>)}]\"'`\\";
  while (end < text.size() && end - begin < kLongestValue) {
    const char c = text[end];
    if (quote != '\0' ? c == quote || is_quote(c) || c == '\n'
                      : static_cast<unsigned char>(c) <= ' ' || kEnds.find(c) != std::string_view::npos ||
                            (c == '=' && is_word(privacy::at(text, end + 1))))
      break;
    ++end;
  }
  const bool password = is_password_key(key);
  if (!is_secret_value(text.substr(begin, end - begin), password)) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.8, password ? "password" : "assignment"};
}

}  // namespace glovebox::privacy
