// Secrets that a sentence states: "the password for the wifi is …", "the API key is …", "login: bob / …".
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {

// `at` is where a word begins for which may_name_password is true: "password is …", "the API key is …", "login: bob /
// …", and "login … password …" of .netrc. Or where one of another script begins: "пароль …".
std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at);
// `at` is where a password's name in Chinese, Japanese or Korean may begin: no spaces follow it.
std::optional<Finding> find_password_in_other_script(std::string_view text, std::size_t at);

// Of names of passwords, keys and logins.
inline constexpr Trigrams kPasswordBegins = [] {
  Trigrams bits{};
  for (const std::string_view name : {"password",        "passwort", "kennwort",     "contrasena", "senha",
                                      "wachtwoord",      "haslo",    "mot de passe", "heslo",      "adgangskode",
                                      "l\xc3\xb6senord", "token",    "api key",      "access key", "secret",
                                      "clave",           "pwd",      "pw ",          "wifi",       "wlan",
                                      "identified",      "parola",   "ifre",         "salasana",   "lozinka",
                                      "jelszo",          "passcode", "login",        "user",       "credentials",
                                      "zugangsdaten",    "benutzer"})
    add_trigram(bits, name);
  return bits;
}();

// By its first letters: cheap enough for each word of a text.
inline bool may_name_password(std::string_view text, std::size_t at) {
  return at + 3 <= text.size() && has_trigram(kPasswordBegins, text.data() + at);
}

}  // namespace glovebox::privacy
