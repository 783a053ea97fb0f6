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

// English, German, French, Spanish, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian, Finnish, Czech, Turkish,
// Russian, Chinese, Japanese, Korean, Croatian, Hungarian.
constexpr std::array<std::string_view, 24> kPasswords = {
    "passw",  "passphrase", "passcode",    "kennwort",   "motdepasse", "contrasena", "senha",   "wachtwoord",
    "haslo",  "losenord",   "adgangskode", "passord",    "salasana",   "heslo",      "sifre",   "parola",
    "пароль", "密码",       "密碼",        "パスワード", "口令",       "비밀번호",   "lozinka", "jelszo"};
constexpr std::array<std::string_view, 9> kSecrets = {
    "secret", "token", "apikey", "credential", "authorization", "privatekey", "accesskey", "cookie", "sessionid"};
constexpr std::array<std::string_view, 5> kShortNames = {"pass", "pwd", "mdp", "auth", "pin"};

// pass, DB_PASS, smtp.pw, dbPass; but not bypass.
bool ends_in_word(std::string_view key, std::string_view word) {
  if (key.size() < word.size()) return false;
  const std::size_t begin = key.size() - word.size();
  for (std::size_t i = 0; i < word.size(); ++i)
    if (to_lower(key[begin + i]) != word[i]) return false;
  return begin == 0 || !is_letter(key[begin - 1]) || (key[begin] <= 'Z' && key[begin - 1] >= 'a');
}

// The first three letters of names of secrets, anywhere in a key: most keys contain none of them, and a text has a key
// every few words.
constexpr Trigrams kTrigrams = [] {
  Trigrams bits{};
  for (const std::string_view name : kPasswords) add_trigram(bits, name);
  for (const std::string_view name : kSecrets) add_trigram(bits, name);
  for (const std::string_view name : kShortNames) add_trigram(bits, name);
  return bits;
}();

bool may_be_secret_key(std::string_view key) {
  for (std::size_t i = 0; i + 3 <= key.size(); ++i)
    if (has_trigram(kTrigrams, key.data() + i) || static_cast<unsigned char>(key[i]) >= 0x80) return true;
  return false;
}

bool is_password_key(const PlainKey& key) {
  const std::string_view name = key.view();
  return name == "mdp" || name.ends_with("pwd") || key.has_any(kPasswords) || ends_in_word(key.written, "pass") ||
         ends_in_word(key.written, "pw");
}

bool is_secret_key(const PlainKey& key) {
  const std::string_view name = key.view();
  if (!may_be_secret_key(name)) return ends_in_word(key.written, "pw");
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
  constexpr std::array<std::string_view, 9> kCursors = {"pagetoken", "nexttoken",   "cursortoken",
                                                        "continu",   "synctoken",   "deltatoken",
                                                        "tokennext", "tokencursor", "public"};
  return key.has_any(kCursors);
}

// A property of a secret, rather than a secret: tokenUrl, secretName.
bool is_about_secret(const PlainKey& key) {
  constexpr std::array<std::string_view, 15> kEndings = {"url",     "uri",     "endpoint", "server", "servers",
                                                         "type",    "schema",  "name",     "path",   "file",
                                                         "version", "manager", "header",   "prefix", "field"};
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
  if (ends_in_word(key.written, "pass")) return Named::kPass;
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

// Digits and marks, or digits between letters of both cases: no word is written like this, so nothing need state that
// it is a password.
bool is_surely_password(std::string_view value) {
  std::size_t digits = 0;
  std::size_t runs = 0;  // of digits
  bool mark = false;
  bool upper = false;
  bool lower = false;
  char last = '\0';
  for (const char c : value) {
    digits += is_digit(c);
    runs += is_digit(c) && !is_digit(last);
    mark |= kMarks.find(c) != std::string_view::npos;
    upper |= c >= 'A' && c <= 'Z';
    lower |= c >= 'a' && c <= 'z';
    last = c;
  }
  const bool random = runs > 2 || (digits > 1 && upper && lower);
  return value.size() >= 8 && digits > 0 && (upper || lower) && (mark || random) && bits_per_character(value) >= 2.8;
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

// What is around a value: anything, members of a connection string, or words that do not state that it is a secret.
enum class Around { kAnything, kMembers, kWords };

std::optional<Finding> secret_at(std::string_view text, std::size_t begin, char quote, Named named,
                                 Around around = Around::kAnything) {
  const std::size_t end = value_end(text, begin, quote, named);
  const std::string_view value = text.substr(begin, end - begin);
  if (!is_secret_value(value, named)) return std::nullopt;
  if (around == Around::kWords && !is_surely_password(value)) return std::nullopt;
  const char next = privacy::at(text, end);
  const bool may_be_code = around == Around::kAnything && (named != Named::kInSentence || next == ';');
  if (quote == '\0' && (may_be_code ? is_expression(value, next) : next == '[' || next == '(')) return std::nullopt;
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
  const bool next_line = privacy::at(text, begin) == '\n' && text[at] == ':';
  while (next_line && begin - at < 12 && (privacy::at(text, begin) == ' ' || privacy::at(text, begin) == '\n')) ++begin;
  char quote = '\0';
  while (begin - at < 8 && is_quote(privacy::at(text, begin))) quote = text[begin++];
  if (begin + 6 > text.size() || static_cast<unsigned char>(text[begin]) <= ' ') return std::nullopt;

  std::size_t end = at;
  while (end > 0 && at - end < 4 && (is_quote(text[end - 1]) || text[end - 1] == ' ')) --end;
  const std::size_t key_at = key_begin(text, end);
  if (end - key_at < 2) return std::nullopt;
  const std::string_view name = text.substr(key_at, end - key_at);
  if (!may_be_secret_key(name) && !ends_phrase(name) && !ends_in_word(name, "pw")) return std::nullopt;
  const PlainKey key(name);
  const bool by_key = is_secret_key(key);
  const bool by_words = !by_key && (key.view() == "key" || key.view() == "passe") && is_named_in_words(text, end);
  if ((!by_key && !by_words) || is_cursor(key) || is_about_secret(key)) return std::nullopt;

  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "})
    if (text.substr(begin, scheme.size()) == scheme) begin += scheme.size();
  // a:secrets:b is a path.
  if (text[at] == ':' && before(text, key_at) == ':') return std::nullopt;
  const Named named = by_words && key.view() == "passe" ? Named::kPassword : named_by_key(key);
  // On a line of its own it must look like one: under a key, YAML has anything.
  if (next_line) return named == Named::kPassword ? secret_at(text, begin, quote, named, Around::kWords) : std::nullopt;
  // user=bob;pwd=…;
  const bool is_member = before(text, key_at) == ';' && named == Named::kPassword;
  return secret_at(text, begin, quote, named, is_member ? Around::kMembers : Around::kAnything);
}

namespace {

// "is", "lautet": where the value begins that is stated; `at` if nothing is.
std::size_t after_verb(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 18> kVerbs = {
      "is now ", "is ",   "is: ",    "was ", "set to ", "changed to ", "to ",       "to: ",      "= ",
      "ist ",    "ist: ", "lautet ", "est ", "est : ",  "es ",         "\xc3\xa9 ", "\xc3\xa8 ", "\xc3\xa4r "};
  for (const std::string_view verb : kVerbs)
    if (text.substr(at, verb.size()) == verb) return at + verb.size();
  return at;
}

// "for the vault is …": past the words that say what it is for.
std::size_t past_purpose(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 11> kPrepositions = {"for ",  "of ",   "on ",   "f\xc3\xbcr ", "zum ", "von ",
                                                              "pour ", "para ", "voor ", "от ",         "для "};
  constexpr std::size_t kReach = 40;
  if (std::none_of(kPrepositions.begin(), kPrepositions.end(),
                   [&](std::string_view word) { return text.substr(at, word.size()) == word; }))
    return at;
  for (std::size_t i = at; i - at < kReach && (is_of_key(privacy::at(text, i)) || privacy::at(text, i) == ' '); ++i)
    if (text[i] == ' ' && (after_verb(text, i + 1) > i + 1 || text.substr(i + 1, 2) == "- ")) return i + 1;
  return at;
}

// machine … login … password …
bool is_line_of_netrc(std::string_view text, std::size_t at) {
  const std::size_t lowest = at > 80 ? at - 80 : 0;
  const std::string_view line = text.substr(lowest, at - lowest);
  return line.find("login ") != std::string_view::npos || line.find("machine ") != std::string_view::npos;
}

// "The API key is …". The value must look random.
std::optional<Finding> find_stated_key(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int words = 1; words <= 3; ++words) {
    while (end - at < kLongestKey && is_of_key(privacy::at(text, end))) ++end;
    if (privacy::at(text, end) != ' ') return std::nullopt;
    const PlainKey phrase(text.substr(at, end - at));
    const bool single = phrase.view() == "token" || phrase.view() == "secret";
    if (single || is_secret_phrase(phrase)) {
      std::size_t begin = after_verb(text, past_purpose(text, end + 1));
      char quote = '\0';
      if (is_quote(privacy::at(text, begin))) quote = text[begin++];
      auto found = secret_at(text, begin, quote, Named::kSecret, Around::kWords);
      return found && found->end - found->begin >= 16 ? found : std::nullopt;
    }
    ++end;
  }
  return std::nullopt;
}

bool is_login_name(std::string_view name) {
  constexpr std::array<std::string_view, 8> kLogins = {"login", "logins",      "user",         "username",
                                                       "creds", "credentials", "zugangsdaten", "benutzer"};
  constexpr std::string_view kFirst = "lucbzLUCBZ";
  return !name.empty() && kFirst.find(name.front()) != std::string_view::npos &&
         std::find(kLogins.begin(), kLogins.end(), PlainKey(name).view()) != kLogins.end();
}

// "login: bob / …", where the name of the pair ends at `end`.
std::optional<Finding> find_password_of_pair(std::string_view text, std::size_t end) {
  constexpr std::size_t kLongestLogin = 64;
  std::size_t login = end;
  while (login - end < 4 &&
         (is_quote(at(text, login)) || at(text, login) == ':' || at(text, login) == '=' || at(text, login) == ' '))
    ++login;
  std::size_t slash = login;
  while (slash - login < kLongestLogin && (is_of_key(at(text, slash)) || at(text, slash) == '@')) ++slash;
  if (login == end || slash == login) return std::nullopt;
  const bool spaced = at(text, slash) == ' ';
  slash += spaced;
  if (at(text, slash) != '/' && at(text, slash) != '|') return std::nullopt;
  std::size_t begin = slash + 1;
  if (spaced != (at(text, begin) == ' ')) return std::nullopt;
  begin += spaced;
  if (auto found = secret_at(text, begin, '\0', Named::kInSentence, Around::kWords)) return found;
  auto found = spaced ? secret_at(text, begin, '\0', Named::kInSentence) : std::nullopt;
  const auto value = found ? text.substr(begin, found->end - begin) : std::string_view();
  return std::all_of(value.begin(), value.end(), is_word) ? found : std::nullopt;
}

}  // namespace

std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestName = 16;
  std::size_t end = at;
  while (end < text.size() && end - at < kLongestName && is_of_key(text[end]) && text[end] != '.') ++end;
  if (text.substr(at, 11) == "mot de pass" || text.substr(at, 11) == "Mot de pass") end = at + 12;
  const char next = privacy::at(text, end);
  if (next != ' ' && next != ':' && next != '=' && !is_quote(next)) return std::nullopt;
  if (is_login_name(text.substr(at, end - at))) return find_password_of_pair(text, end);
  if (next != ' ') return std::nullopt;
  if (!is_password_key(PlainKey(text.substr(at, end - at)))) return find_stated_key(text, at);
  const std::size_t verb = past_purpose(text, end + 1);
  std::size_t begin = after_verb(text, verb);
  const bool has_verb = begin > verb;
  if (text.substr(begin, 2) == "- ") begin += 2;
  char quote = '\0';
  if (is_quote(privacy::at(text, begin))) quote = text[begin++];
  const bool is_stated = has_verb || quote != '\0' || is_line_of_netrc(text, at);
  if (!is_stated && privacy::at(text, begin) == '-') return std::nullopt;
  if (!has_verb && quote != '\0' && text.substr(begin, 2) == "--") return std::nullopt;  // "Pass `--keyring=…`"
  return secret_at(text, begin, quote, Named::kInSentence, is_stated ? Around::kAnything : Around::kWords);
}

std::optional<Finding> find_password_in_other_script(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 5> kNames = {"密码", "密碼", "口令", "パスワード", "비밀번호"};
  constexpr std::array<std::string_view, 8> kIs = {"是", "为", "為", "は", "が", "는", "은", "가"};
  const auto size_of_one = [&](const auto& words, std::size_t position) {
    for (const std::string_view word : words)
      if (text.substr(position, word.size()) == word) return word.size();
    return std::size_t{0};
  };
  const std::size_t name = size_of_one(kNames, at);
  if (name == 0) return std::nullopt;
  const std::size_t is = size_of_one(kIs, at + name);
  std::size_t begin = at + name + is;
  if (privacy::at(text, begin) == ' ') ++begin;
  if (privacy::at(text, begin) == ':' || privacy::at(text, begin) == '=') return std::nullopt;  // an assignment
  char quote = '\0';
  if (is_quote(privacy::at(text, begin))) quote = text[begin++];
  // The sentence continues without a space: a password has letters of ASCII.
  std::size_t end = begin;
  while (end < text.size() && static_cast<unsigned char>(text[end]) < 0x80) ++end;
  return secret_at(text.substr(0, end), begin, quote, Named::kInSentence, is > 0 ? Around::kAnything : Around::kWords);
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
  } else if (privacy::at(text, at + 1) == 'a' && follows("redis-cli")) {
    return privacy::at(text, begin) == ' ' ? value_behind(begin + 1, Named::kInSentence) : std::nullopt;
  } else if (privacy::at(text, at + 1) == 'u' && follows("curl")) {
    if (privacy::at(text, begin) == ' ') ++begin;
    const std::string_view value = text.substr(begin, value_end(text, begin, '\0', Named::kInSentence) - begin);
    const std::size_t colon = value.find(':');
    if (colon != std::string_view::npos && colon > 0) return value_behind(begin + colon + 1, Named::kInSentence);
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
