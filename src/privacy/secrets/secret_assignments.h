// Values that are named as secrets: password=…, "api_key": "…", Authorization: Bearer …; in sentences, "the password is
// …", "login: bob / …"; and on command lines, --token …, mysql -p….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {

// Whether any value of this key is a secret.
bool looks_like_secret_key(std::string_view key);

// In each the finding is the value alone. `at` is a colon or an equals sign.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);
// `at` is where a word begins for which may_name_password is true: "password is …", "the API key is …", "login: bob /
// …", and "login … password …" of .netrc. Or where one of another script begins: "пароль …".
std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at);
// `at` is a dash preceded by a space, or by nothing.
std::optional<Finding> find_option_secret(std::string_view text, std::size_t at);

// `at` is where a password's name in Chinese, Japanese or Korean may begin: no spaces follow it.
std::optional<Finding> find_password_in_other_script(std::string_view text, std::size_t at);

// Of names of passwords, keys and logins.
inline constexpr Trigrams kPasswordBegins = [] {
  Trigrams bits{};
  for (const std::string_view name :
       {"password",     "passwort", "kennwort",    "contrasena",      "senha",        "wachtwoord", "haslo",
        "mot de passe", "heslo",    "adgangskode", "l\xc3\xb6senord", "token",        "api key",    "access key",
        "secret",       "login",    "user",        "credentials",     "zugangsdaten", "benutzer"})
    add_trigram(bits, name);
  return bits;
}();

// By its first letters: cheap enough for each word of a text.
inline bool may_name_password(std::string_view text, std::size_t at) {
  return at + 3 <= text.size() && has_trigram(kPasswordBegins, text.data() + at);
}

}  // namespace glovebox::privacy
