#include "privacy/secrets/named_codes.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/code_phrase.h"
#include "privacy/secrets/stating_verbs.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kCodeReach = 72;  // between a name and its code

bool has_digit(std::string_view text, std::size_t from, std::size_t to) {
  return std::any_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(to, text.size())), is_digit);
}

// Past marks, quotes and tags of HTML between a name and its code. `sign` becomes true at what assigns.
std::size_t past_marks(std::string_view text, std::size_t at, bool& sign) {
  constexpr std::size_t kMostMarks = 12, kLongestTag = 64;
  constexpr std::string_view kMarks = " \t\"'`*_()[]#\\:=|>\n\r";
  const std::size_t begin = at;
  while (at - begin < kMostMarks + kLongestTag) {
    const char c = privacy::at(text, at);
    if (c == '<') {
      const std::size_t close = text.substr(0, at + kLongestTag).find_first_of("<>\n", at + 1);
      if (close == std::string_view::npos || text[close] != '>') return at;
      at = close + 1;
      continue;
    }
    if (c == '\0' || (kMarks.find(c) == std::string_view::npos && !(c == '-' && before(text, at) == ' '))) return at;
    if (c == '\n' && !sign) return at;
    sign |= c == ':' || c == '=' || c == '|';
    ++at;
  }
  return at;
}

bool keep_code(std::string_view text, std::size_t begin, const CodeForm& form, std::vector<Finding>& found) {
  const std::size_t end = code_end(text, begin, form);
  if (end == begin) return false;
  found.push_back({Entity::kSecret, begin, end, 0.7, "code"});
  return true;
}

// "backup codes: a b c": the others have the same size.
void keep_list(std::string_view text, const CodePhrase& phrase, std::vector<Finding>& found) {
  constexpr std::size_t kMostCodes = 32;
  for (std::size_t i = 1; phrase.plural && i < kMostCodes; ++i) {
    const Finding& last = found.back();
    std::size_t next = last.end;
    while (next - last.end < 5 &&
           std::string_view(" ,;\n\t-*|").find(privacy::at(text, next)) != std::string_view::npos)
      ++next;
    const std::size_t size = last.end - last.begin;
    if (next == last.end || code_end(text, next, phrase.form) != next + size ||
        !keep_code(text, next, phrase.form, found))
      return;
  }
}

bool find_behind(std::string_view text, const CodePhrase& phrase, std::vector<Finding>& found) {
  bool sign = false;
  std::size_t at = past_marks(text, phrase.end, sign);
  if (const std::size_t verb = after_verb(text, at); verb > at) {
    sign = true;
    at = past_marks(text, verb, sign);
  }
  if (sign || phrase.trust == Trust::kBare) {
    // "recovery code 3BP9K-FDQT3", but not "login code E4821"
    const std::size_t end = code_end(text, at, phrase.form);
    const std::size_t dash = text.substr(at, end - at).find('-');
    const bool grouped = dash != std::string_view::npos && dash >= 4;
    CodeForm digits = phrase.form;
    digits.letters = false;
    if ((sign || grouped || code_end(text, at, digits) > at) && keep_code(text, at, phrase.form, found)) return true;
  }
  // "the PIN for the new card is …", "code to log in: …"
  constexpr std::array<std::string_view, 11> kCopulas = {" is ", " was ", " ist ", " lautet ", " est ",  " es ",
                                                         " é ",  " è ",   " är ",  " jest ",   " c'est "};
  for (std::size_t i = phrase.end; i - phrase.end < kCodeReach && i < text.size(); ++i) {
    const char c = text[i];
    const char next = privacy::at(text, i + 1);
    if (c == '\n' || c == ';' || c == '<' || c == '{' || ((c == '.' || c == '?' || c == '!') && next == ' ')) break;
    std::size_t begin = 0;
    if (c == ':' && std::string_view(" \n\"").find(next) != std::string_view::npos) begin = i + 1;  // auth.cc:48
    if (c == ' ' && std::string_view("iwlejc\xc3").find(next) != std::string_view::npos)
      for (const std::string_view copula : kCopulas)
        if (text.substr(i, copula.size()) == copula) begin = i + copula.size();
    if (begin == 0) continue;
    sign = true;
    if (keep_code(text, past_marks(text, begin, sign), phrase.form, found)) return true;
    if (c == ':') break;
  }
  return false;
}

// "482913 is your verification code", "use 482913 as the code to sign in".
bool find_before(std::string_view text, const CodePhrase& phrase, std::vector<Finding>& found) {
  constexpr std::string_view kCopulas = " is as ist als est comme es como e come jest jako ar som olarak to ";
  std::size_t begin = phrase.begin;
  for (int words = 0; words < 4 && before(text, begin) == ' '; ++words) {
    const WholeWord word = word_before(text, begin - 1);
    if (word.begin == word.end || std::any_of(word.of(text).begin(), word.of(text).end(), is_digit)) return false;
    begin = word.begin;
    if (!is_one_of(kCopulas, FoldedWord(word.of(text)).view())) continue;
    std::size_t end = begin;
    while (begin - end < 10 && std::string_view(" *\"'`>").find(before(text, end)) != std::string_view::npos) --end;
    if (end >= 4 && text[end - 1] == 'b' && text[end - 2] == '/') end -= 3;  // </b>
    CodeForm form = phrase.form;
    form.letters = false;
    const std::size_t code = code_begin(text, end, form);
    if (code == end) return false;
    found.push_back({Entity::kSecret, code, end, 0.7, "code"});
    return true;
  }
  return false;
}

}  // namespace

void find_named_codes(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found) {
  const std::size_t lowest = begin - std::min(begin, kCodeReach / 2);
  if (!has_digit(text, lowest, end + kCodeReach + 16)) return;
  const CodePhrase phrase = code_phrase_at(text, begin, end);
  if (phrase.form.letters && phrase.trust == Trust::kNone) {
    // "use code 482913 to sign in"
    bool sign = false;
    const std::size_t code = past_marks(text, phrase.end, sign);
    const std::size_t behind = code_end(text, code, phrase.form);
    if (behind == code) return;
    CodePhrase purpose{phrase.begin, behind, phrase.form, Trust::kNone, false};
    take_words_behind(text, purpose);
    if (purpose.trust != Trust::kNone) keep_code(text, code, phrase.form, found);
    return;
  }
  if (phrase.trust == Trust::kNone) return;
  if (find_behind(text, phrase, found)) return keep_list(text, phrase, found);
  find_before(text, phrase, found);
}

}  // namespace glovebox::privacy
