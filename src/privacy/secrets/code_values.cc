#include "privacy/secrets/code_values.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestCode = 40;

// "six digits", "600 seconds": what is counted follows.
bool counts_something(std::string_view text, std::size_t at) {
  constexpr std::string_view kUnits =
      " digit digits character characters chars letter letters time times second seconds sec secs ms s minute minutes "
      "min mins hour hours day days line lines byte bytes kb mb px pixels row rows item items file files entry entries "
      "page pages test tests user users people percent errors warnings zeichen stellen ziffern sekunden minuten "
      "stunden zeilen chiffres lignes secondes dígitos cifras líneas segundos minutos cifre "
      "righe secondi cijfers tekens seconden cyfr sekund minut hane of ";
  if (privacy::at(text, at) == '%') return true;
  if (privacy::at(text, at) != ' ') return false;
  std::size_t end = at + 1;
  while (end - at < 12 && (is_letter(privacy::at(text, end)) || (privacy::at(text, end) & 0x80) != 0)) ++end;
  return is_one_of(kUnits, text.substr(at + 1, end - at - 1));
}

// 482913.5, 482913-1, 10:30, 4/5: the number goes on.
bool goes_on(std::string_view text, std::size_t end) {
  const char next = privacy::at(text, end);
  if (is_word(next) || next == '_' || next == '@') return true;
  if (next == ',') return is_digit(privacy::at(text, end + 1)) && is_digit(privacy::at(text, end + 2));
  return std::string_view(".:/-+").find(next) != std::string_view::npos && next != '\0' &&
         is_word(privacy::at(text, end + 1));
}

std::size_t digits_end(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at - begin < kLongestCode && is_digit(privacy::at(text, at))) ++at;
  return at;
}

// One run, or two groups of the same size with a dash or a space between them.
std::size_t number_end(std::string_view text, std::size_t at, const CodeForm& form) {
  const std::size_t first = digits_end(text, at);
  const std::size_t size = first - at;
  if (form.pairs) {
    const auto is_pair = [&](std::size_t i) { return digits_end(text, i) == i + 2; };
    const char mark = privacy::at(text, first);
    const bool three = size == 2 && (mark == '-' || mark == ' ') && is_pair(at + 3) &&
                       privacy::at(text, at + 5) == mark && is_pair(at + 6);
    return three ? at + 8 : at;
  }
  const char mark = privacy::at(text, first);
  if ((mark == '-' || mark == ' ') && size >= 3 && size <= 4 && 2 * size <= form.most) {
    const std::size_t second = digits_end(text, first + 1);
    if (second - first - 1 == size && !goes_on(text, second)) return second;
  }
  return size >= form.least && size <= form.most ? first : at;
}

// Capitals and digits, or groups of letters and digits: 7F3K9Q, 3bp9k-fdqt3.
std::size_t mixed_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  int digits = 0;
  bool lower = false;
  bool groups = false;
  while (end - at < kLongestCode && (is_word(privacy::at(text, end)) || privacy::at(text, end) == '-')) {
    digits += is_digit(text[end]);
    lower |= text[end] >= 'a' && text[end] <= 'z';
    groups |= text[end] == '-';
    ++end;
  }
  const bool whole = end > at && text[at] != '-' && text[end - 1] != '-';
  return whole && (digits > 1 || (digits == 1 && groups)) && end - at >= 5 && (!lower || (groups && end - at >= 8))
             ? end
             : at;
}

}  // namespace

std::size_t code_end(std::string_view text, std::size_t at, const CodeForm& form) {
  std::size_t digits = at;
  if (!form.pairs) {  // G-482913
    while (digits - at < 3 && privacy::at(text, digits) >= 'A' && privacy::at(text, digits) <= 'Z') ++digits;
    if (digits > at) digits = privacy::at(text, digits) == '-' ? digits + 1 : at;
  }
  std::size_t end = number_end(text, digits, form);
  if (end == digits || (digits > at && end - digits < 5)) end = at;  // RFC-2104
  if (end == at || goes_on(text, end)) end = form.letters ? mixed_end(text, at) : at;
  return end == at || goes_on(text, end) || counts_something(text, end) ? at : end;
}

std::size_t code_begin(std::string_view text, std::size_t end, const CodeForm& form) {
  std::size_t begin = end;
  while (end - begin < 12 && begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '-')) --begin;
  if (begin > 3 && end - begin == 3 && text[begin - 1] == ' ' && is_digit(text[begin - 2])) begin -= 4;  // 482 913
  constexpr std::string_view kNumberBefore = ".,:/_#$@";
  if (begin == end || (begin > 0 && kNumberBefore.find(text[begin - 1]) != std::string_view::npos && begin > 1 &&
                       is_word(text[begin - 2])))
    return end;
  return code_end(text.substr(0, end), begin, form) == end ? begin : end;
}

}  // namespace glovebox::privacy
