// Secrets that are recognized by their form: keys with a provider's prefix, JSON web tokens, private keys.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// The first two bytes that a secret may have. Almost no word of a text passes, so this is checked before any call.
using FirstTwo = std::array<std::array<std::uint64_t, 2>, 128>;
extern const FirstTwo kSecretBegins;
inline bool may_be_secret(char first, char second) {
  const auto one = static_cast<unsigned char>(first);
  const auto two = static_cast<unsigned char>(second);
  return one < 128 && two < 128 && (kSecretBegins.data()[one].data()[two / 64] >> (two % 64) & 1) != 0;
}

// `at` is where a word begins for which `may_be_secret` is true.
std::optional<Finding> find_secret(std::string_view text, std::size_t at);
// A word whose mark comes after it: XXXXXXXXXXXXXX.atlasv1.…, XXX8Q~….
std::optional<Finding> find_marked_secret(std::string_view text, std::size_t begin, std::size_t end);
// `at` is the colon after the scheme of a URL: if its path is the secret, all of it.
std::optional<Finding> find_secret_url(std::string_view text, std::size_t at);
// `at` is the first of five dashes.
std::optional<Finding> find_private_key(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
