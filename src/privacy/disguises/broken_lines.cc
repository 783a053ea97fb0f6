#include "privacy/disguises/broken_lines.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/uuid.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kReach = 256;     // longer than any value but keys, which have marks of their own
constexpr std::size_t kWordReach = 64;  // enough to decide whether joining is worth it

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool may_be_within(char c) {
  return is_word(c) || c == '@' || c == '.' || c == '-' || c == '+' || c == '_' || c == '/' || c == '=';
}

bool ends_line(char c) {
  return c == '\n' || c == '"';
}

// Between two strings of a list, and not between a value and the name of the next member.
std::optional<LineBreak> next_string(std::string_view text, std::size_t quote) {
  std::size_t position = quote + 1;
  while (is_blank(at(text, position))) ++position;
  if (at(text, position) != ',') return std::nullopt;
  ++position;
  while (is_blank(at(text, position))) ++position;
  if (at(text, position) != '"') return std::nullopt;
  const std::size_t begin = ++position;
  while (position < text.size() && position - begin < kReach && text[position] != '"') ++position;
  if (at(text, position++) == '"') {
    while (is_blank(at(text, position))) ++position;
    if (at(text, position) == ':') return std::nullopt;
  }
  return LineBreak{quote, begin};
}

struct WordMarks {
  std::size_t size = 0;
  bool digit = false;
  bool at_sign = false;
  bool joint = false;  // as in keys of providers: ghp_, sk-

  void take(char c) {
    ++size;
    digit |= is_digit(c) || c == '+';
    at_sign |= c == '@';
    joint |= c == '_' || c == '-';
  }
};

bool may_be_cut(const WordMarks& left, const WordMarks& right) {
  if (left.at_sign || right.at_sign) return true;
  if (left.digit && right.digit) return true;
  // DE and 21 digits, ghp_ and the key: nearly all of it may be in one of the two.
  if (right.digit && right.size >= 12) return true;
  return (left.digit || left.joint) && left.size >= 4 && right.size >= 6;
}

// 2026-11-19T, as a line of a log begins.
bool is_date(std::string_view text, std::size_t begin) {
  constexpr std::string_view kForm = "0000-00-00";
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? !is_digit(at(text, begin + i)) : at(text, begin + i) != '-') return false;
  return at(text, begin + kForm.size()) == 'T' || at(text, begin + kForm.size()) == ' ';
}

bool is_digits(std::string_view text) {
  return std::none_of(text.begin(), text.end(), is_letter);
}

bool ends_field(char c) {
  return c == ',' || c == ';' || c == '|' || c == '\t';
}

constexpr std::string_view kMargins = " \t>#/*|";

// Past what each line of a quotation or a comment begins with, and past its indentation.
std::size_t past_margin(std::string_view text, std::size_t line) {
  constexpr std::size_t kWidest = 24;
  std::size_t begin = line;
  while (begin - line < kWidest && at(text, begin) != '\0' && kMargins.find(text[begin]) != std::string_view::npos)
    ++begin;
  const char last = before(text, begin);
  return begin - line == kWidest || last == '/' || last == '*' ? line : begin;
}

}  // namespace

std::optional<LineBreak> line_break_at(std::string_view text, std::size_t at) {
  if (text[at] == '\n') return LineBreak{at > 0 && text[at - 1] == '\r' ? at - 1 : at, past_margin(text, at + 1)};
  return next_string(text, at);
}

std::optional<JoinedLines> JoinedLines::around(std::string_view text, LineBreak broken) {
  // One space on either side was there before the text was broken.
  if (before(text, broken.begin) == ' ') --broken.begin;
  if (at(text, broken.end) == ' ') ++broken.end;
  if (!may_be_within(before(text, broken.begin)) || !may_be_within(at(text, broken.end))) return std::nullopt;
  if (is_date(text, broken.end)) return std::nullopt;
  WordMarks left;
  WordMarks right;
  for (std::size_t i = broken.begin; i > 0 && left.size < kWordReach && may_be_within(text[i - 1]); --i)
    left.take(text[i - 1]);
  for (std::size_t i = broken.end; i < text.size() && right.size < kWordReach && may_be_within(text[i]); ++i)
    right.take(text[i]);
  if (!may_be_cut(left, right)) return std::nullopt;
  // Behind a margin only a number goes on: a word there begins a line of a program.
  const char edge = text[broken.end - 1];
  const bool margin = kMargins.find(edge) != std::string_view::npos && (edge != ' ' || text[broken.end - 2] != '\n');
  if (margin && !(left.digit && is_digit(at(text, broken.end)))) return std::nullopt;
  std::size_t begin = broken.begin;
  while (begin > 0 && broken.begin - begin < kReach && !ends_line(text[begin - 1])) --begin;
  // Must not begin with half a word.
  if (broken.begin - begin == kReach)
    while (begin < broken.begin && may_be_within(text[begin])) ++begin;
  std::size_t end = broken.end;
  while (end < text.size() && end - broken.end < kReach && !ends_line(text[end])) ++end;
  if (end - broken.end == kReach)
    while (end > broken.end && may_be_within(text[end - 1])) --end;
  if (begin == broken.begin || end == broken.end) return std::nullopt;
  return JoinedLines(text, broken, begin, end);
}

std::string JoinedLines::with(bool space) const {
  std::string joined(text_.substr(begin_, broken_.begin - begin_));
  if (space) joined += ' ';
  return joined.append(text_.substr(broken_.end, end_ - broken_.end));
}

std::optional<Finding> JoinedLines::across(const Finding& finding, bool space) const {
  const std::size_t seam = broken_.begin - begin_;
  const std::size_t next = seam + (space ? 1 : 0);
  if (finding.begin >= seam || finding.end <= next) return std::nullopt;
  Finding found = finding;
  found.begin = begin_ + finding.begin;
  found.end = broken_.end + (finding.end - next);
  // The last digits of a UUID, and the first of the next line.
  constexpr std::size_t kUuid = 36;
  const std::size_t last_word = broken_.begin - std::min(broken_.begin, kUuid);
  if (found.begin > last_word && uuid_end(text_, last_word) == broken_.begin) return std::nullopt;
  if (found.end < uuid_end(text_, broken_.end)) return std::nullopt;
  const std::string_view left = text_.substr(found.begin, broken_.begin - found.begin);
  const std::string_view right = text_.substr(broken_.end, found.end - broken_.end);
  if (is_digits(left) && is_digits(right)) {
    std::size_t margin = found.begin;
    while (margin > 0 && found.begin - margin < kReach && kMargins.find(text_[margin - 1]) != std::string_view::npos)
      --margin;
    const bool first = margin == 0 || text_[margin - 1] == '\n';
    const char outside_left = before(text_, first ? margin : found.begin);
    const char outside_right = at(text_, found.end);
    const bool fills_left = outside_left == '\0' || ends_line(outside_left) || ends_field(outside_left);
    const bool fills_right =
        outside_right == '\0' || outside_right == '\r' || ends_line(outside_right) || ends_field(outside_right);
    if (fills_left && fills_right) return std::nullopt;
  }
  return found;
}

std::string without_breaks(std::string_view value) {
  std::string whole;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (ends_line(value[i])) {
      if (const auto broken = line_break_at(value, i)) {
        while (whole.ends_with('\r') || whole.ends_with(' ')) whole.pop_back();
        i = at(value, broken->end) == ' ' ? broken->end : broken->end - 1;
        continue;
      }
    }
    whole += value[i];
  }
  return whole;
}

}  // namespace glovebox::privacy
