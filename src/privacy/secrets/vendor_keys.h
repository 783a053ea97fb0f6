// Secrets that are recognized by their form: keys with a provider's prefix, JSON web tokens, private keys.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {

// Of the keys of all vendors. Almost no word of a text has any of these beginnings, so this is checked before any call.
extern const Trigrams kSecretBegins;
extern const Trigrams kSecretOrPasswordBegins;  // also of what names a password: rules out most words at once
inline bool may_be_secret(std::string_view text, std::size_t at) {
  return at + 3 <= text.size() && has_trigram(kSecretBegins, text.data() + at);
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
