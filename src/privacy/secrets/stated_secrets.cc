#include "privacy/secrets/stated_secrets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "privacy/characters.h"
#include "privacy/secrets/login_pairs.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_names.h"
#include "privacy/secrets/secret_values.h"
#include "privacy/secrets/stating_verbs.h"

namespace glovebox::privacy {
namespace {

// "for", "du", "d'": what a password is for follows.
bool is_preposition(std::string_view text, std::size_t at) {
  constexpr std::string_view kPrepositions =
      " for of on to at from per por f\xc3\xbcr zum zur vom von im f\xc3\xbcrs des der pour du de la les para del do "
      "da dos di "
      "della "
      "al voor van het dla od na till til av af от для к на k pro ";
  const std::string_view reach = text.substr(std::min(at, text.size()), 8);
  const std::string_view word = reach.substr(0, reach.find_first_of(" '"));
  if (privacy::at(text, at + word.size()) == '\'') return word.size() <= 4;
  std::string wanted = " ";
  for (const char c : word) wanted += to_lower(c);
  return !word.empty() && kPrepositions.find(wanted + ' ') != std::string_view::npos;
}

struct Statement {
  std::size_t begin = 0;  // of the value
  bool stated = false;    // as that of something; otherwise it must look like a password
  bool verb = false;
};

// "for the vault is …", "vom Router: …": past the words that say what it is for.
Statement past_purpose(std::string_view text, std::size_t at) {
  constexpr std::size_t kReach = 48;
  const bool purpose = is_preposition(text, at);
  for (std::size_t i = at; i - at < kReach; ++i) {
    const char c = privacy::at(text, i);
    if (c == ':' || c == '=') {
      std::size_t begin = i + 1;
      while (begin - i < 4 && privacy::at(text, begin) == ' ') ++begin;
      return {begin, purpose};
    }
    if (c != ' ' && c != '\'' && c != '@' && c != '+' && !is_of_key(c)) break;
    if (c != ' ') continue;
    if (purpose && text.substr(i + 1, 2) == "- ") return {i + 3, true};
    if (const std::size_t begin = after_verb(text, i + 1); begin > i + 1) return {begin, purpose, true};
  }
  return {at, false};
}

std::optional<Finding> value_at(std::string_view text, std::size_t at, Named named, Around around) {
  const Quoted value = quoted_at(text, at);
  return secret_at(value.text, value.begin, value.quote, named, around);
}

// "пароль от вайфая …", where no verb is needed: a word with a capital or a mark, that looks like nothing else.
std::optional<Finding> find_password_among_words(std::string_view text, std::size_t at) {
  constexpr std::size_t kReach = 48;
  for (std::size_t i = at; i - at < kReach && (is_of_key(privacy::at(text, i)) || privacy::at(text, i) == ' '); ++i) {
    if (text[i] != ' ') continue;
    const auto found = value_at(text, i + 1, Named::kInSentence, Around::kWords);
    if (!found) continue;
    const std::string_view value = text.substr(found->begin, found->end - found->begin);
    const auto is_usual = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); };
    return std::all_of(value.begin(), value.end(), is_usual) ? std::nullopt : found;
  }
  return std::nullopt;
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
      std::size_t begin = after_verb(text, end + 1);
      if (begin == end + 1) begin = past_purpose(text, begin).begin;
      auto found = value_at(text, begin, Named::kSecret, Around::kWords);
      return found && found->end - found->begin >= 16 ? found : std::nullopt;
    }
    ++end;
  }
  return std::nullopt;
}

// WIFI:S:name;T:WPA;P:…;;
std::optional<Finding> find_in_wifi_code(std::string_view text, std::size_t at) {
  constexpr std::size_t kReach = 128;
  const std::size_t mark = text.substr(0, at + kReach).find(";P:", at);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::size_t begin = mark + 3;
  const std::size_t size = text.substr(begin, 64).find_first_of(";\n\"");
  if (size < 8 || size == std::string_view::npos) return std::nullopt;  // 8 to 63, as WPA wants it
  const std::size_t end = begin + size;
  return Finding{Entity::kSecret, begin, end, 0.9, "password"};
}

// "use hunter22 as the password", where the name of it is at `at`.
std::optional<Finding> find_password_used_as(std::string_view text, std::size_t at) {
  constexpr std::string_view kAs[] = {" as the ", " as your ", " as a ",     " as ",     " als ",
                                      " comme ",  " como ",    " come ",     " jako ",   " som ",
                                      " as my ",  " as our ",  " as their ", " as his ", " as her "};
  constexpr std::size_t kLongest = 48;
  for (const std::string_view as : kAs) {
    if (at <= as.size() || text.substr(at - as.size(), as.size()) != as) continue;
    const std::size_t end = at - as.size();
    std::size_t begin = end;
    while (begin > 0 && end - begin < kLongest && text[begin - 1] != ' ' && text[begin - 1] != '\n') --begin;
    // "use hunter2 as their password", but not "uses sha256 as a password hash"
    const bool counted = is_counted_name(text.substr(begin, end - begin));
    return value_at(text.substr(0, end), begin, Named::kInSentence, counted ? Around::kWords : Around::kAnything);
  }
  return std::nullopt;
}

// "set the password to …", "the password was changed to …"; but not "the password to authenticate".
bool is_set_to(std::string_view text, std::size_t name, std::size_t value) {
  constexpr std::size_t kBefore = 16;
  const std::size_t lowest = name - std::min(name, kBefore);
  const std::string_view around = text.substr(lowest, value - lowest);
  for (const std::string_view verb : {"set ", "hange", "pdate"})
    if (around.find(verb) != std::string_view::npos) return true;
  return false;
}

// '…', in a statement of SQL.
std::optional<Finding> stated_or_word(std::string_view text, std::size_t quote) {
  if (auto found = value_at(text, quote, Named::kInSentence, Around::kAnything)) return found;
  return plain_word_at(text, quote + 1, text[quote], kEndsLine);
}

bool is_in_both_cases(std::string_view value) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  // applyPolicy2 is a name in a program.
  return value.size() >= 8 && std::count_if(value.begin() + 1, value.end(), is_upper) > 2 &&
         std::any_of(value.begin(), value.end(), is_lower);
}

}  // namespace

std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestName = 16;
  if (text[at] == 'i' && text.substr(at, 4) == "ifre" && at > 1 && text[at - 2] == '\xc5') at -= 2;  // şifre
  std::size_t end = at;
  while (end < text.size() && end - at < kLongestName && is_of_key(text[end]) && text[end] != '.') ++end;
  if ((text[at] | 0x20) == 'm' && text.substr(at + 1, 10) == "ot de pass") end = at + 12;
  const char next = privacy::at(text, end);
  constexpr std::string_view kMarksBehind = " :=\t|.,\n";
  if (next != '\0' && kMarksBehind.find(next) == std::string_view::npos && !is_quote(next)) return std::nullopt;
  // An assignment, unless it is of a login: "user: bob / …".
  if ((next == ':' || next == '=') && !may_name_login(text[at])) return std::nullopt;
  if (auto pair = find_login_pair(text, at, end)) return pair;
  const bool ends_clause = next == '.' || next == ',' || next == '\n' || next == '\0';
  if (ends_clause && !may_be_secret_key(text.substr(at, end - at))) return std::nullopt;
  const PlainKey name(text.substr(at, end - at));
  const bool password = is_password_key(name);
  const bool network = name.view() == "wifi" || name.view() == "wlan";  // "the wifi is …"
  if (network && (text.substr(end, 3) == ":S:" || text.substr(end, 3) == ":T:")) return find_in_wifi_code(text, end);
  if (is_login_name(name) && !network) return std::nullopt;
  if (const std::string_view by = text.substr(at, 14); by == "IDENTIFIED BY " || by == "identified by ")
    return privacy::at(text, at + 14) == '\'' || privacy::at(text, at + 14) == '"' ? stated_or_word(text, at + 14)
                                                                                   : std::nullopt;
  if (is_quote(next) && privacy::at(text, end + 1) == ',' && password) {  // define('DB_PASSWORD', '…')
    const std::size_t quote = privacy::at(text, end + 2) == ' ' ? end + 3 : end + 2;
    return is_quote(privacy::at(text, quote)) ? value_at(text, quote, Named::kInSentence, Around::kWords)
                                              : std::nullopt;
  }
  if (next != ' ' && next != '\t' && next != '|' && next != '.' && next != ',' && next != '\n' && next != '\0')
    return std::nullopt;
  if (password)
    if (auto found = find_password_used_as(text, at)) return found;
  if (next != ' ' && next != '\t' && next != '|') return std::nullopt;
  if (!password && name.view() != "clave" && !network) return find_stated_key(text, at);
  const std::size_t verb = end + 1;
  std::size_t begin = after_verb(text, verb);
  const bool is_stated = begin > verb;
  // | Password | … |
  if (!is_stated)
    while (begin - end < 6 && std::string_view(" \t|").find(privacy::at(text, begin)) != std::string_view::npos)
      ++begin;
  if (before(text, begin) == '|' || (begin > end + 1 && text[begin - 2] == '|'))
    text = text.substr(0, text.substr(0, begin + 64).find('|', begin));
  if (text.substr(begin, 2) == "- ") begin += 2;
  if (text.substr(begin, 3) == "-> ") begin += 3;
  const bool is_quoted = is_quote(privacy::at(text, begin));
  if (!is_stated && is_quoted && text.substr(begin + 1, 2) == "--") return std::nullopt;  // "Pass `--keyring=…`"
  if (name.view() == "password" && is_line_of_netrc(text, at)) {
    if (auto found = value_at(text, begin, Named::kInSentence, Around::kAnything)) return found;
    if (!is_stated && !is_quoted) return plain_word_at(text, begin, '\0', kEndsArgument);
  }
  if (is_quoted && name.written == "PASSWORD") return stated_or_word(text, begin);  // of SQL
  const bool jotted = name.view() == "pw";                                          // in notes: "pw hunter2"
  if (is_stated || is_quoted || privacy::at(text, begin) != '-') {
    const Around around = (is_stated || is_quoted || jotted) && !network ? Around::kAnything : Around::kWords;
    if (auto found = value_at(text, begin, Named::kInSentence, around)) return found;
  }
  if (network) return std::nullopt;
  const bool plural = text[end - 1] == 's';  // "passwords for these accounts: admin1, …"
  const auto word_at = [&](std::size_t from, std::size_t word) -> std::optional<Finding> {
    if (!password || plural || name.view().ends_with("pass")) return std::nullopt;
    const bool is_to = word > from && text.substr(0, word).ends_with(" to ");
    if (is_to && !(name.view() == "haslo" && word == begin) && !is_set_to(text, at, word)) return std::nullopt;
    if (is_quote(privacy::at(text, word))) return plain_word_at(text, word + 1, text[word], kEndsLine);
    return stated_word_at(text, from, word);
  };
  // "the password is …", "with password '…'"
  const auto follows = [&](std::string_view word) {
    return at >= word.size() && text.substr(at - word.size(), word.size()) == word;
  };
  if (text[at] == '\xd0')  // пароль swordfish
    if (auto word = word_of_pair_at(text, begin)) return word;
  if (is_stated || (is_quoted && (follows("with ") || follows("using ") || follows("mit "))))
    if (auto word = word_at(verb, begin)) return word;
  const Statement further = past_purpose(text, verb);
  if (further.begin > verb) {
    const auto found = value_at(text, further.begin, Named::kInSentence,
                                (further.stated || further.verb) && !plural ? Around::kAnything : Around::kWords);
    if (!found && further.verb)
      if (auto word = word_at(verb, further.begin)) return word;
    if (!found || further.stated || plural || is_in_both_cases(text.substr(found->begin, found->end - found->begin)))
      return found;
    return value_at(text, further.begin, Named::kInSentence, Around::kWords);
  }
  return is_preposition(text, verb) ? find_password_among_words(text, verb) : std::nullopt;
}

std::optional<Finding> find_password_in_other_script(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 5> kNames = {"密码", "密碼", "口令", "パスワード", "비밀번호"};
  constexpr std::array<std::string_view, 20> kIs = {"是",   "为",   "為",     "は",     "が",     "는",    "은",
                                                    "가",   "を",   "를",     "을",     "设为",   "設為",  "改为",
                                                    "改為", "改成", "设置为", "更新为", "已改为", "变更为"};
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

}  // namespace glovebox::privacy
