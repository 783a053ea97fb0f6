#include "privacy/secrets/secret_assignments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestKey = 48;
constexpr std::size_t kLongestValue = 512;
// Characters of passwords that do not occur in sentences.
constexpr std::string_view kMarks = "!@#$%^&*+=?~";

// Lower case, without accents and word separators.
struct PlainKey {
  FoldedWord folded;
  std::array<char, kLongestKey> bytes{};
  std::size_t size = 0;
  explicit PlainKey(std::string_view key) : folded(key) {
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

// English, German, French, Spanish, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Turkish,
// Russian, Chinese, Japanese, Korean, Croatian, Hungarian.
constexpr std::array<std::string_view, 22> kPasswords = {
    "passw",    "passphrase",  "kennwort",   "motdepasse", "contrasena", "senha", "wachtwoord", "haslo",
    "losenord", "adgangskode", "passord",    "salasana",   "heslo",      "sifre", "parola",     "пароль",
    "密码",     "密碼",        "パスワード", "비밀번호",   "lozinka",    "jelszo"};
constexpr std::array<std::string_view, 9> kSecrets = {
    "secret", "token", "apikey", "credential", "authorization", "privatekey", "accesskey", "cookie", "sessionid"};
// As a whole, or at the end.
constexpr std::array<std::string_view, 5> kShortNames = {"pass", "pwd", "mdp", "auth", "pin"};

// The first three letters of names of secrets, anywhere in a key: most keys contain none of them, and a text has a key
// every few words.
constexpr std::size_t trigram(const char* c) {
  return (c[0] & 31u) << 10 | (c[1] & 31u) << 5 | (c[2] & 31u);  // whatever its case
}
constexpr auto kTrigrams = [] {
  std::array<std::uint64_t, 512> bits{};
  const auto add = [&](std::string_view name) {
    bits[trigram(name.data()) / 64] |= 1ull << (trigram(name.data()) % 64);
  };
  for (const std::string_view name : kPasswords) add(name);
  for (const std::string_view name : kSecrets) add(name);
  for (const std::string_view name : kShortNames) add(name);
  return bits;
}();

bool may_be_secret_key(std::string_view key) {
  for (std::size_t i = 0; i + 3 <= key.size(); ++i) {
    const std::size_t place = trigram(key.data() + i);
    if ((kTrigrams[place / 64] >> (place % 64) & 1) != 0 || static_cast<unsigned char>(key[i]) >= 0x80) return true;
  }
  return false;
}

bool is_password_key(const PlainKey& key) {
  const std::string_view name = key.view();
  return name == "pass" || name == "mdp" || name.ends_with("pwd") || key.has_any(kPasswords);
}

bool is_secret_key(const PlainKey& key) {
  const std::string_view name = key.view();
  if (!may_be_secret_key(name)) return false;
  return name == "auth" || name == "pin" || is_password_key(key) || key.has_any(kSecrets);
}

// Names of two or three words: "API key: …", "mot de passe : …".
bool is_secret_phrase(const PlainKey& phrase) {
  constexpr std::array<std::string_view, 9> kPhrases = {"apikey",     "accesskey",   "secretkey",
                                                        "privatekey", "accesstoken", "clientsecret",
                                                        "motdepasse", "authtoken",   "apitoken"};
  return std::any_of(kPhrases.begin(), kPhrases.end(),
                     [&](std::string_view known) { return phrase.view().ends_with(known); });
}

// A cursor in a listing is named a token too, and agents need it.
bool is_cursor(const PlainKey& key) {
  return key.has("page") || key.has("next") || key.has("cursor") || key.has("continu") || key.has("sync") ||
         key.has("public");
}

// A property of a secret, rather than a secret: tokenUrl, secretName.
bool is_about_secret(const PlainKey& key) {
  constexpr std::array<std::string_view, 12> kEndings = {"url",  "uri",  "endpoint", "server", "servers", "schema",
                                                         "type", "name", "path",     "file",   "version", "manager"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) { return key.view().ends_with(end); });
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

// What the key says about a value. `pass` is the result of a test more often than a password.
enum class Named { kSecret, kPassword, kPassphrase, kPass, kInSentence };

Named named_by_key(const PlainKey& key) {
  if (key.view() == "pass") return Named::kPass;
  if (key.has("passphrase")) return Named::kPassphrase;
  return is_password_key(key) ? Named::kPassword : Named::kSecret;
}

// params2.sameSite; or list[0]: an expression in a program, if a statement ends after it.
bool is_expression(std::string_view value, char next) {
  if (next == '[' || next == '(' || value.find('[') != std::string_view::npos) return true;
  if (next != ';' && next != ',' && next != ')' && next != '}') return false;
  std::size_t digits = 0;
  for (const char c : value) {
    if (!is_word(c) && c != '_' && c != '$' && c != '.') return false;
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > 2) return false;
  }
  return !is_digit(value.front());
}

bool is_secret_value(std::string_view value, Named named) {
  const bool password = named != Named::kSecret;
  if (value.size() < (password ? 6u : 12u)) return false;
  // A placeholder: ${TOKEN}, <token>, %TOKEN%, ****; or a location: /run/secrets/x.
  constexpr std::string_view kPlaces = "$<{%*[(";
  if (kPlaces.find(value.front()) != std::string_view::npos || value.front() == '/') return false;
  bool digit = false;
  bool letter = false;
  bool other = false;
  for (const char c : value) {
    digit |= is_digit(c);
    letter |= is_letter(c);
    // add_password and options.password are names.
    other |=
        named == Named::kInSentence ? kMarks.find(c) != std::string_view::npos : !is_word(c) && c != '_' && c != '.';
    if (c == '(' || (c == ' ' && !password)) return false;  // a call in a program; a sentence
  }
  if (!letter) return false;
  if (named == Named::kPass)
    return digit && value.find(' ') == std::string_view::npos && bits_per_character(value) >= 2.2;
  // A description, and not a password; but a passphrase has words.
  if (std::count(value.begin(), value.end(), ' ') > (named == Named::kPassphrase ? 8 : 3)) return false;
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

namespace {

bool is_of_key(char c) {
  return is_word(c) || c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

// The beginning of the word before `end`, as far as a key may reach.
std::size_t key_begin(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < kLongestKey && is_of_key(text[begin - 1])) --begin;
  return begin;
}

// Whether & at `position` begins the next member of a query: a password may contain one too.
bool begins_member(std::string_view text, std::size_t position) {
  std::size_t end = position + 1;
  while (end - position < kLongestKey && is_of_key(privacy::at(text, end))) ++end;
  return end > position + 1 && privacy::at(text, end) == '=';
}

// Where the value that begins at `begin` ends.
std::size_t value_end(std::string_view text, std::size_t begin, char quote, Named named) {
  const std::string_view ends = named == Named::kInSentence ? "<>\"'`" : ",;<>)}]\"'`\\";
  std::size_t end = begin;
  while (end < text.size() && end - begin < kLongestValue) {
    const char c = text[end];
    if (quote != '\0' ? c == quote || is_quote(c) || c == '\n'
                      : static_cast<unsigned char>(c) <= ' ' || ends.find(c) != std::string_view::npos ||
                            (c == '=' && is_word(privacy::at(text, end + 1))) || (c == '&' && begins_member(text, end)))
      break;
    ++end;
  }
  // Punctuation that ends a sentence, or encloses the value.
  constexpr std::string_view kBehind = ".,;:)]}";
  while (named == Named::kInSentence && quote == '\0' && end > begin &&
         kBehind.find(text[end - 1]) != std::string_view::npos)
    --end;
  return end;
}

std::optional<Finding> secret_at(std::string_view text, std::size_t begin, char quote, Named named) {
  const std::size_t end = value_end(text, begin, quote, named);
  const std::string_view value = text.substr(begin, end - begin);
  if (!is_secret_value(value, named)) return std::nullopt;
  if (quote == '\0' && is_expression(value, privacy::at(text, end))) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.8, named == Named::kSecret ? "assignment" : "password"};
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

}  // namespace

std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at) {
  // The value first: most colons have none that counts.
  std::size_t begin = at + 1;
  if (privacy::at(text, begin) == '=' || privacy::at(text, begin) == '>') ++begin;
  while (begin < text.size() && begin - at < 8 && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  char quote = '\0';
  while (begin - at < 8 && is_quote(privacy::at(text, begin))) quote = text[begin++];
  if (begin + 6 > text.size() || static_cast<unsigned char>(text[begin]) <= ' ') return std::nullopt;

  std::size_t end = at;
  while (end > 0 && at - end < 4 && (is_quote(text[end - 1]) || text[end - 1] == ' ')) --end;
  const std::size_t key_at = key_begin(text, end);
  if (end - key_at < 3) return std::nullopt;
  const std::string_view name = text.substr(key_at, end - key_at);
  if (!may_be_secret_key(name) && !ends_phrase(name)) return std::nullopt;
  const PlainKey key(name);
  const bool by_key = is_secret_key(key);
  const bool by_words = !by_key && (key.view() == "key" || key.view() == "passe") && is_named_in_words(text, end);
  if ((!by_key && !by_words) || is_cursor(key) || is_about_secret(key)) return std::nullopt;

  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "})
    if (text.substr(begin, scheme.size()) == scheme) begin += scheme.size();
  // a:secrets:b is a path.
  if (text[at] == ':' && before(text, key_at) == ':') return std::nullopt;
  return secret_at(text, begin, quote, by_words && key.view() == "passe" ? Named::kPassword : named_by_key(key));
}

std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestName = 16;
  std::size_t end = at;
  while (end < text.size() && end - at < kLongestName && is_of_key(text[end]) && text[end] != '.') ++end;
  if (text.substr(at, 11) == "mot de pass" || text.substr(at, 11) == "Mot de pass") end = at + 12;
  if (privacy::at(text, end) != ' ' || !is_password_key(PlainKey(text.substr(at, end - at)))) return std::nullopt;
  std::size_t begin = end + 1;
  bool is_stated = false;
  constexpr std::array<std::string_view, 16> kVerbs = {"is now ", "is ",   "was ",    "set to ", "changed to ", "to ",
                                                       "= ",      "ist ",  "lautet ", "est ",    "es ",         "é ",
                                                       "is: ",    "ist: ", "to: ",    "est : "};
  for (const std::string_view verb : kVerbs) {
    if (text.substr(begin, verb.size()) != verb) continue;
    begin += verb.size();
    is_stated = true;
    break;
  }
  // machine … login … password …
  if (!is_stated) {
    const std::size_t lowest = at > 80 ? at - 80 : 0;
    const std::string_view line = text.substr(lowest, at - lowest);
    is_stated = line.find("login ") != std::string_view::npos || line.find("machine ") != std::string_view::npos;
  }
  if (!is_stated) return std::nullopt;
  char quote = '\0';
  if (is_quote(privacy::at(text, begin))) quote = text[begin++];
  return secret_at(text, begin, quote, Named::kInSentence);
}

std::optional<Finding> find_option_secret(std::string_view text, std::size_t at) {
  const char previous = before(text, at);
  if (previous != ' ' && previous != '\0' && previous != '"' && previous != '\n') return std::nullopt;
  const auto value_behind = [&](std::size_t begin, Named named) {
    char quote = '\0';
    if (is_quote(privacy::at(text, begin))) quote = text[begin++];
    return privacy::at(text, begin) == '-' ? std::nullopt : secret_at(text, begin, quote, named);
  };
  if (privacy::at(text, at + 1) == '-') {
    std::size_t end = at + 2;
    while (end < text.size() && end - at < 32 && is_of_key(text[end])) ++end;
    if (privacy::at(text, end) != ' ') return std::nullopt;
    const PlainKey key(text.substr(at + 2, end - at - 2));
    if (!is_secret_key(key) || is_cursor(key) || is_about_secret(key)) return std::nullopt;
    return value_behind(end + 1, is_password_key(key) ? Named::kInSentence : Named::kSecret);
  }
  // The command before it: mysql -p…, sshpass -p …, curl -u name:….
  const std::size_t lowest = at > 64 ? at - 64 : 0;
  const std::string_view before_it = text.substr(lowest, at - lowest);
  const auto follows = [&](std::string_view command) { return before_it.find(command) != std::string_view::npos; };
  std::size_t begin = at + 2;
  if (privacy::at(text, at + 1) == 'p') {
    if (privacy::at(text, begin) == ' ' && follows("sshpass")) return value_behind(begin + 1, Named::kInSentence);
    if (follows("mysql") || follows("mariadb") || follows("sshpass")) return value_behind(begin, Named::kInSentence);
  } else if (privacy::at(text, at + 1) == 'u' && follows("curl")) {
    if (privacy::at(text, begin) == ' ') ++begin;
    const std::string_view value = text.substr(begin, value_end(text, begin, '\0', Named::kInSentence) - begin);
    const std::size_t colon = value.find(':');
    if (colon != std::string_view::npos && colon > 0) return value_behind(begin + colon + 1, Named::kInSentence);
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
