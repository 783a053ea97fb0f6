#include "privacy/secrets/secret_names.h"

#include <algorithm>

#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {
namespace {

// English, German, French, Spanish, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Turkish,
// Russian, Chinese, Japanese, Korean, Croatian, Hungarian.
constexpr auto kPasswords = std::to_array<std::string_view>(
    {"passw",  "passphrase", "passcode",     "kennwort",    "motdepasse", "contrasena", "senha",        "wachtwoord",
     "haslo",  "haslem",     "losenord",     "adgangskode", "passord",    "salasana",   "heslo",        "sifre",
     "parola", "пароль",     "密码",         "密碼",        "パスワード", "口令",       "비밀번호",     "lozinka",
     "jelszo", "wlanschl",   "netzwerkschl", "wifikey",     "wpakey",     "wpapsk",     "presharedkey", "sandi",
     "khẩu",   "पासवर्ड",     "المرور",       "السر",        "סיסמה",      "סיסמא",      "κωδικός",      "κωδικος"});
constexpr auto kSecrets = std::to_array<std::string_view>(
    {"secret", "token", "apikey", "credential", "authorization", "privatekey", "accesskey", "cookie", "sessionid",
     "encryptionkey", "signingkey", "masterkey", "functionskey", "accountkey", "storagekey", "hmackey"});
constexpr std::array<std::string_view, 8> kShortNames = {"pass", "pwd", "mdp", "psk", "auth", "pin", "sess", "sid"};

// The first three letters of names of secrets, anywhere in a key: most keys contain none of them, and a text has a key
// every few words.
constexpr Trigrams kTrigrams = [] {
  Trigrams bits{};
  for (const std::string_view name : kPasswords) add_trigram(bits, name);
  for (const std::string_view name : kSecrets) add_trigram(bits, name);
  for (const std::string_view name : kShortNames) add_trigram(bits, name);
  return bits;
}();

}  // namespace

bool may_be_secret_key(std::string_view key) {
  for (std::size_t i = 0; i + 3 <= key.size(); ++i)
    if (has_trigram(kTrigrams, key.data() + i) || static_cast<unsigned char>(key[i]) >= 0x80) return true;
  return false;
}

// pass, DB_PASS, smtp.pw, dbPass; but not bypass.
bool ends_in_word(std::string_view key, std::string_view word) {
  if (key.size() < word.size()) return false;
  const std::size_t begin = key.size() - word.size();
  for (std::size_t i = 0; i < word.size(); ++i)
    if (to_lower(key[begin + i]) != word[i]) return false;
  return begin == 0 || !is_letter(key[begin - 1]) || (key[begin] <= 'Z' && key[begin - 1] >= 'a');
}

bool is_password_key(const PlainKey& key) {
  const std::string_view name = key.view();
  if (!may_be_secret_key(name)) return ends_in_word(key.written, "pw");
  return name == "mdp" || name == "psk" || name.ends_with("pwd") || key.has_any(kPasswords) ||
         ends_in_word(key.written, "pass") || ends_in_word(key.written, "pw");
}

bool is_secret_key(const PlainKey& key) {
  const std::string_view name = key.view();
  if (!may_be_secret_key(name)) return ends_in_word(key.written, "pw");
  if (name.ends_with("session") || name.ends_with("sessid") || name == "connectsid") return true;  // of cookies
  return name == "auth" || name == "pin" || is_password_key(key) || key.has_any(kSecrets);
}

// Names of two or three words: "API key: …", "mot de passe : …".
bool is_secret_phrase(const PlainKey& phrase) {
  constexpr std::array<std::string_view, 12> kPhrases = {"licensekey",   "licencekey", "productkey", "apikey",
                                                         "accesskey",    "secretkey",  "privatekey", "accesstoken",
                                                         "clientsecret", "motdepasse", "authtoken",  "apitoken"};
  return std::any_of(kPhrases.begin(), kPhrases.end(),
                     [&](std::string_view known) { return phrase.view().ends_with(known); });
}

// A cursor in a listing is named a token too, and agents need it.
bool is_cursor(const PlainKey& key) {
  constexpr std::array<std::string_view, 9> kCursors = {"pagetoken", "nexttoken",   "cursortoken",
                                                        "continu",   "synctoken",   "deltatoken",
                                                        "tokennext", "tokencursor", "public"};
  return key.has_any(kCursors);
}

// A property of a secret, rather than a secret: tokenUrl, secretName.
bool is_about_secret(const PlainKey& key) {
  constexpr std::array<std::string_view, 16> kEndings = {"url",    "uri",    "endpoint", "server", "servers", "type",
                                                         "schema", "name",   "path",     "file",   "version", "manager",
                                                         "header", "prefix", "field",    "data"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) { return key.view().ends_with(end); });
}

// The beginning of the word before `end`, as far as a key may reach.
std::size_t key_begin(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < kLongestKey && is_of_key(text[begin - 1])) --begin;
  return begin;
}

// The last word of "API key" and "mot de passe".
bool ends_phrase(std::string_view name) {
  return name.size() >= 3 && name.size() <= 5 && (name[0] | 0x20) == (name.size() == 3 ? 'k' : 'p');
}

// "API key", "mot de passe": up to three words, of which the last ends at `end`.
bool is_named_in_words(std::string_view text, std::size_t end) {
  std::size_t begin = key_begin(text, end);
  for (int words = 1; words < 3 && before(text, begin) == ' ' && begin > 1 && is_of_key(text[begin - 2]); ++words) {
    begin = key_begin(text, begin - 1);
    if (end - begin > kLongestKey) return false;
    if (is_secret_phrase(PlainKey(text.substr(begin, end - begin)))) return true;
  }
  return false;
}

bool looks_like_secret_key(std::string_view key) {
  return is_secret_key(PlainKey(key));
}

}  // namespace glovebox::privacy
