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

// Names of passwords, keys and logins, as they begin.
inline constexpr std::string_view kPasswordNames[] = {
    "password", "passwd", "passphrase", "passcode", "passord", "kennwort", "contrasena", "senha", "wachtwoord", "haslo",
    "has\xc5\x82o", "mot de passe", "motdepasse", "heslo", "adgangskode", "l\xc3\xb6senord", "losenord", "token",
    "api key", "api_key", "api-key", "apikey", "access key", "access_key", "accesskey", "secret", "login", "username",
    "credentials", "creds", "zugangsdaten", "benutzer", "clave", "parola", "ifresi", "sifre", "salasana", "lozinka",
    "jelszo", "identified by",
    // whose login it is
    "utilisateur", "identifiant", "usuario", "utente", "gebruiker", "kullan", "bruker", "anv\xc3\xa4ndare", "ytkownik",
    "login", "logon", "anmeld", "einlogg", "connect", "entra", "accede", "melde", "acced", "zaloguj", "inlog", "logga"};
inline constexpr std::string_view kShortPasswordNames[] = {"pass", "pwd", "pw ",  "user", "wifi", "wlan", "ifre",
                                                           "mdp",  "psk", "log ", "sign", "usu",  "meld"};
inline constexpr Trigrams kPasswordBegins = [] {
  Trigrams bits{};
  for (const std::string_view name : kPasswordNames) add_trigram(bits, name);
  for (const std::string_view name : kShortPasswordNames) add_trigram(bits, name);
  return bits;
}();
// Their third to fifth letters.
inline constexpr Trigrams kPasswordMiddles = [] {
  Trigrams bits{};
  for (const std::string_view name : kPasswordNames) add_trigram(bits, name.substr(2));
  return bits;
}();

// By its letters: cheap enough for each word of a text. `size` is that of the word.
inline bool may_name_password(std::string_view text, std::size_t at, std::size_t size) {
  if (at + 3 > text.size() || !has_trigram(kPasswordBegins, text.data() + at)) return false;
  return size <= 4 || at + 5 > text.size() || has_trigram(kPasswordMiddles, text.data() + at + 2);
}

}  // namespace glovebox::privacy
