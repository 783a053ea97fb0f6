// Secrets that show what they are: keys with a provider's prefix, JSON web tokens, private keys.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// Which first two bytes a secret may have. Almost no word of a text passes, so this is looked at before anything is
// called.
using FirstTwo = std::array<std::array<std::uint64_t, 2>, 128>;
extern const FirstTwo kSecretBegins;
inline bool may_be_secret(char first, char second) {
  const auto one = static_cast<unsigned char>(first);
  const auto two = static_cast<unsigned char>(second);
  return one < 128 && two < 128 && (kSecretBegins[one][two / 64] >> (two % 64) & 1) != 0;
}

// `at` is where a word begins; `may_be_secret` holds of it.
std::optional<Finding> find_secret(std::string_view text, std::size_t at);
// `at` is the colon behind the scheme of a URL: of one whose path is the secret, all of it.
std::optional<Finding> find_secret_url(std::string_view text, std::size_t at);
// `at` is the first of five dashes.
std::optional<Finding> find_private_key(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
