// Names of passwords, keys and tokens: DB_PASSWORD, apiKey, mot de passe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"

namespace glovebox::privacy {

inline constexpr std::size_t kLongestKey = 48;

// Lower case, without accents and word separators.
struct PlainKey {
  std::string_view written;
  FoldedWord folded;
  std::array<char, kLongestKey> bytes{};
  std::size_t size = 0;
  explicit PlainKey(std::string_view key) : written(key), folded(key) {
    for (const char c : folded.view()) {
      if (size == bytes.size()) return;
      if (c != '_' && c != '-' && c != '.' && c != ' ') bytes[size++] = c;
    }
  }
  std::string_view view() const { return {bytes.data(), size}; }
  bool has(std::string_view part) const { return view().find(part) != std::string_view::npos; }
  template <std::size_t N>
  bool has_any(const std::array<std::string_view, N>& parts) const {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return has(part); });
  }
};

// By its letters: cheap enough for each colon of a text.
bool may_be_secret_key(std::string_view key);
// Whether any value of this key is a secret.
bool looks_like_secret_key(std::string_view key);
bool is_password_key(const PlainKey& key);
bool is_secret_key(const PlainKey& key);
bool is_secret_phrase(const PlainKey& phrase);
bool is_cursor(const PlainKey& key);
bool is_about_secret(const PlainKey& key);
bool ends_in_word(std::string_view key, std::string_view word);
bool ends_phrase(std::string_view name);
bool is_named_in_words(std::string_view text, std::size_t end);

inline bool is_of_key(char c) {
  return (classes_of(c) & kKey) != 0;
}
std::size_t key_begin(std::string_view text, std::size_t end);

}  // namespace glovebox::privacy
