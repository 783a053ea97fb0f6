#include "privacy/flows/value_prints.h"

#include <algorithm>

#include "base/text/json_scanner.h"
#include "privacy/characters.h"
#include "privacy/disguises/plain_form.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kMostPrints = 1'000'000;  // 50 MB; beyond it every value counts as seen
constexpr std::size_t kShortWord = 4;
constexpr std::size_t kLongWord = 10;
constexpr std::size_t kShortNumber = 5;

bool is_part(char c) {
  return is_word(c) || c == '@' || c == '.' || c == '_' || c == '-' || c == '+' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_edge(char c) {
  return c == '.' || c == '-' || c == '_' || c == '+';
}

// A typical name of a member, rather than data used as one.
bool is_member_name(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '_' || c == '-' || c == '$'; });
}

// FNV-1a, without regard to case.
std::uint64_t print_of(std::string_view word, std::uint64_t print = 14695981039346656037ull) {
  for (const char c : word) print = (print ^ static_cast<unsigned char>(to_lower(c))) * 1099511628211ull;
  return print;
}

// Two plain words that are glued together may form a word by coincidence.
constexpr std::size_t kShortestPair = 10;

// Calls `with` with the prints of a text until it returns true, and `glued` with what may be searched for in longer
// texts.
template <typename With, typename Glued>
bool each_print(std::string_view text, With with, Glued glued) {
  std::string_view last;
  for (std::size_t position = 0; position < text.size();) {
    if (!is_part(text[position])) {
      ++position;
      continue;
    }
    std::size_t end = position;
    while (end < text.size() && is_part(text[end])) ++end;
    std::string_view word = text.substr(position, end - position);
    position = end;
    while (!word.empty() && is_edge(word.back())) word.remove_suffix(1);
    while (!word.empty() && is_edge(word.front())) word.remove_prefix(1);
    bool marked = false;
    for (const char c : word) marked |= is_digit(c) || c == '@';
    if (word.size() >= kLongWord || (marked && word.size() >= kShortNumber)) {
      if (with(print_of(word))) return true;
      glued(word, std::string_view());
    }
    if (word.size() >= kShortWord) {
      if (!last.empty() && with(print_of(word, print_of(last) ^ 0x9e3779b97f4a7c15ull))) return true;
      if (last.size() + word.size() >= kShortestPair && !last.empty()) glued(last, word);
      last = word;
    }
  }
  return false;
}

// Calls `with` with each value of a JSON text and each name of a member, in plain form, until it returns true.
template <typename With>
bool each_value(std::string_view json, With with) {
  const auto pass = [&](std::string_view value, bool names) {
    const auto plain = PlainForm::of(value);
    return with(plain ? plain->text() : value, names);
  };
  for (std::size_t position = 0; position < json.size();) {
    if (json[position] != '"') {
      std::size_t end = position;
      while (end < json.size() && json[end] != '"') ++end;
      if (with(json.substr(position, end - position), false)) return true;
      position = end;
      continue;
    }
    const std::size_t end = base::closing_quote(json, position);
    std::size_t next = end + 1;
    while (next < json.size() && (json[next] == ' ' || json[next] == '\n' || json[next] == '\t' || json[next] == '\r'))
      ++next;
    const bool names = next < json.size() && json[next] == ':';
    if (pass(json.substr(position + 1, end - position - 1), names)) return true;
    position = end + 1;
  }
  return false;
}

}  // namespace

void ValuePrints::add(std::string_view json) {
  if (anything_) return;
  each_value(json, [&](std::string_view value, bool names) {
    if (names && is_member_name(value)) return false;
    return each_print(
        value,
        [&](std::uint64_t print) {
          prints_.insert(print);
          anything_ = prints_.size() + glued_.size() > kMostPrints;
          return anything_;
        },
        [&](std::string_view first, std::string_view second) {
          glued_.add(letters_and_digits(first) + letters_and_digits(second));
        });
  });
  if (!anything_) return;
  prints_.clear();
  glued_.clear();
}

void ValuePrints::add_value(std::string_view value) {
  if (anything_) return;
  const std::string letters = letters_and_digits(value);
  if (letters.size() < kShortNumber) return;
  prints_.insert(print_of(value));
  prints_.insert(print_of(letters));
  glued_.add(letters);
  anything_ = prints_.size() + glued_.size() > kMostPrints;
}

bool ValuePrints::overlap(std::string_view json) const {
  if (anything_) return true;
  if (prints_.empty()) return false;
  std::string all;
  const bool found = each_value(json, [&](std::string_view value, bool names) {
    if (!names) all += letters_and_digits(value);
    return glued_.occur_in(value) || each_print(
                                         value, [&](std::uint64_t print) { return prints_.contains(print); },
                                         [](std::string_view, std::string_view) {});
  });
  return found || glued_.occur_in(all);
}

}  // namespace glovebox::privacy
