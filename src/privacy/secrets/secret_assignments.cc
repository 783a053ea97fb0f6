#include "privacy/secrets/secret_assignments.h"

#include <algorithm>
#include <string>

#include "privacy/characters.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_names.h"
#include "privacy/secrets/secret_values.h"

namespace glovebox::privacy {
namespace {

// forgotPassword, a label or a page of a form.
bool is_of_form(const PlainKey& key) {
  constexpr std::array<std::string_view, 12> kParts = {"forgot",  "reset",    "change", "confirm",
                                                       "repeat",  "enter",    "show",   "invalid",
                                                       "require", "generate", "policy", "strength"};
  return key.has_any(kParts);
}

// {"name": "DB_PASSWORD", "value": "…"}, <add key="DbPassword" value="…">: where the name ends whose value it is.
std::size_t end_of_sibling(std::string_view text, std::size_t key_at) {
  constexpr std::size_t kWidest = 24;
  std::size_t end = key_at;
  while (end > 0 && key_at - end < kWidest &&
         std::string_view("\"' \n\t-<>,").find(text[end - 1]) != std::string_view::npos)
    --end;
  return end;
}

// <wsse:Password Type="…">: where the name of the element ends whose tag ends at `close`.
std::size_t end_of_element_name(std::string_view text, std::size_t close) {
  constexpr std::size_t kLongestTag = 160;
  std::size_t open = close;
  while (open > 0 && close - open < kLongestTag && text[open] != '<' && text[open - 1] != '>') --open;
  // <parameter name="password">
  const std::size_t attribute = key_begin(text, close - 1);
  for (const std::string_view of : {"name=\"", "key=\"", "name='"})
    if (attribute >= of.size() && text.substr(attribute - of.size(), of.size()) == of) return close - 1;
  std::size_t end = open + 1;
  while (text[open] == '<' && (is_of_key(privacy::at(text, end)) || privacy::at(text, end) == ':')) ++end;
  return privacy::at(text, end) == ' ' ? end : close;
}

// Past <b>, </strong> <code class="x"> and the like: not past <token>, which stands for a value.
std::size_t past_tags(std::string_view text, std::size_t at) {
  constexpr std::string_view kTags =
      " a b br code dd div dt em font i kbd label li mark p pre samp small span strong td th tr tt u ";
  constexpr std::size_t kLongestTag = 96;
  for (int tags = 0; tags < 4 && privacy::at(text, at) == '<'; ++tags) {
    std::size_t end = at + 1;
    if (privacy::at(text, end) == '/') ++end;
    std::string name = " ";
    while (name.size() < 8 && is_letter(privacy::at(text, end))) name += to_lower(text[end++]);
    const std::size_t close = text.substr(0, at + kLongestTag).find_first_of("<>", end);
    if (kTags.find(name + ' ') == std::string_view::npos || close == std::string_view::npos || text[close] != '>')
      break;
    at = close + 1;
    while (privacy::at(text, at) == ' ' || privacy::at(text, at) == '\n') ++at;
  }
  return at;
}

// The end of what is before such tags that end at `end`.
std::size_t before_tags(std::string_view text, std::size_t end) {
  constexpr std::size_t kLongestTag = 48;
  for (int tags = 0; tags < 3 && before(text, end) == '>'; ++tags) {
    std::size_t open = end - 1;
    while (open > 0 && end - open < kLongestTag && text[open] != '<' && text[open - 1] != '>') --open;
    if (text[open] != '<' || past_tags(text, open) < end) break;
    end = open;
    while (before(text, end) == ' ' || before(text, end) == '\n') --end;
  }
  return end;
}

// Of a wallet: twelve words or more, as its owner writes them down.
std::optional<Finding> seed_phrase_at(std::string_view text, std::size_t begin) {
  constexpr std::size_t kFewestWords = 12, kMostWords = 24, kLongestWord = 8;
  std::size_t words = 0;
  std::size_t end = begin;
  for (std::size_t word = begin; words < kMostWords;) {
    std::size_t letter = word;
    while (letter - word <= kLongestWord && at(text, letter) >= 'a' && at(text, letter) <= 'z') ++letter;
    if (letter - word < 3 || letter - word > kLongestWord) break;
    ++words;
    end = letter;
    if (at(text, letter) != ' ') break;
    word = letter + 1;
  }
  if (words < kFewestWords) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.8, "seed-phrase"};
}

// Where the name of what follows `at` ends: <td>Password</td><td>…, <b>Password</b>: …, <Password Type="…">….
std::size_t end_before_tags(std::string_view text, std::size_t at, bool& is_cell) {
  if (text[at] != '>') return before_tags(text, at);
  std::size_t end = before_tags(text, at + 1);
  is_cell = end < at;
  if (is_cell) return before(text, end) == ':' ? end - 1 : end;
  return is_quote(before(text, at)) ? end_of_element_name(text, at) : at;
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
  if (quote == '\0' && privacy::at(text, begin) == '<') begin = past_tags(text, begin);
  if (begin + 6 > text.size() || static_cast<unsigned char>(text[begin]) <= ' ') return std::nullopt;

  std::size_t end = at;
  bool is_cell = false;
  if (text[at] == '>' || before(text, at) == '>') end = end_before_tags(text, at, is_cell);
  for (const std::size_t farthest = end;
       end > 0 && farthest - end < 4 && (is_quote(text[end - 1]) || text[end - 1] == ' ');)
    --end;
  std::size_t key_at = key_begin(text, end);
  if (end - key_at == 5 && text[key_at] == 'v' && text.substr(key_at, 5) == "value") {
    end = end_of_sibling(text, key_at);
    key_at = key_begin(text, end);
  }
  // setPassword("…"), but not password.encode("…")
  if (text[at] == '(') key_at += text.substr(key_at, end - key_at).rfind('.') + 1;
  if (end - key_at < 2) return std::nullopt;
  const std::string_view name = text.substr(key_at, end - key_at);
  const auto may_be_key = [&] {
    switch (to_lower(name.back())) {
      case 'y': return ends_phrase(name);
      case 'w': return ends_in_word(name, "pw");
      case 'e': return name.ends_with("phrase");
      case 'c': return name.ends_with("mnemonic");
      default: return false;
    }
  };
  if (!may_be_secret_key(name) && !may_be_key()) return std::nullopt;
  const PlainKey key(name);
  if (key.view() == "mnemonic" || key.view().ends_with("phrase"))
    if (auto phrase = seed_phrase_at(text, begin)) return phrase;
  const bool by_key = is_secret_key(key);
  const bool by_words = !by_key && (key.view() == "key" || key.view() == "passe") && is_named_in_words(text, end);
  if ((!by_key && !by_words) || is_cursor(key) || is_about_secret(key)) return std::nullopt;

  // $pw = ConvertTo-SecureString '…'
  if (quote == '\0') {
    std::size_t word = begin;
    while (is_letter(privacy::at(text, word)) || privacy::at(text, word) == '-' || privacy::at(text, word) == '_')
      ++word;
    if (word > begin && privacy::at(text, word) == ' ' && is_quote(privacy::at(text, word + 1))) {
      quote = text[word + 1];
      begin = word + 2;
    }
  }
  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "})
    if (text.substr(begin, scheme.size()) == scheme) begin += scheme.size();
  // a:secrets:b is a path.
  if (text[at] == ':' && before(text, key_at) == ':') return std::nullopt;
  if (quote == '\0') {
    const Quoted value = quoted_at(text, begin);
    text = value.text;
    begin = value.begin;
  }
  const Named named = by_words && key.view() == "passe" ? Named::kPassword : named_by_key(key);
  // On a line of its own it must look like one: under a key, YAML has anything.
  if (next_line || is_cell) {
    if (named != Named::kPassword) return std::nullopt;
    if (auto found = secret_at(text, begin, quote, named, Around::kWords)) return found;
    return is_cell ? word_of_pair_at(text, begin) : std::nullopt;
  }
  // user=bob;pwd=…;
  const bool is_member = before(text, key_at) == ';' && named == Named::kPassword;
  if (auto found = secret_at(text, begin, quote, named, is_member ? Around::kMembers : Around::kAnything)) return found;
  // DB_PASS=swordfish, but not pass=through.
  const bool setting = named == Named::kPass && text[at] == '=' &&
                       (name.ends_with("_PASS") || name.ends_with("_pass") || before(text, key_at) == '?' ||
                        before(text, key_at) == '&');
  if ((named != Named::kPassword && named != Named::kPassphrase && !setting) || text[at] == '(') return std::nullopt;
  // password = swordfish may be a statement of a program, password=swordfish rarely is.
  const bool tight = text[at] == '=' && begin == at + 1 && end == at;
  auto word = plain_word_at(text, begin, quote, is_member ? ";" : text[at] == '>' ? "<" : tight ? "\r\n &" : kEndsLine);
  return word && !is_of_form(key) ? word : std::nullopt;
}

}  // namespace glovebox::privacy
