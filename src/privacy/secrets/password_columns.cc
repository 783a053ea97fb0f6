#include "privacy/secrets/password_columns.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_names.h"
#include "privacy/secrets/secret_values.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestHeader = 256;
constexpr std::size_t kLongestRow = 4096;
constexpr std::size_t kMostColumns = 64;

constexpr std::string_view kAround = " \t\r\"'`";  // a field

struct Field {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The fields of a row, without the spaces and quotes around them.
struct Row {
  std::array<Field, kMostColumns> fields{};
  std::size_t count = 0;  // 0: there are none, or too many
  std::size_t end = 0;    // behind what closes it
};

// Up to `close`, which ends the row. A separator within quotes separates nothing.
Row row_at(std::string_view text, std::size_t begin, char separator, char close) {
  Row row;
  char quote = '\0';
  std::size_t from = begin;
  const auto add = [&](std::size_t to) {
    Field field{from, to};
    while (field.begin < field.end && kAround.find(text[field.begin]) != std::string_view::npos) ++field.begin;
    while (field.begin < field.end && kAround.find(text[field.end - 1]) != std::string_view::npos) --field.end;
    if (row.count < kMostColumns) row.fields[row.count++] = field;
    from = to + 1;
  };
  std::size_t i = begin;
  for (; i < text.size() && i - begin < kLongestRow; ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == '\n') return {};
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') && i == from + (i > from && text[from] == ' ' ? 1 : 0)) {
      quote = c;
    } else if (c == separator) {
      add(i);
      if (row.count == kMostColumns) return {};
    } else if (c == close || c == '\n') {
      break;
    }
  }
  const bool closed = close == '\n' ? i == text.size() || privacy::at(text, i) == '\n' : privacy::at(text, i) == close;
  add(i);
  if (!closed || row.count == kMostColumns || i - begin == kLongestRow) return {};
  row.end = std::min(i + 1, text.size());
  return row;
}

std::string_view text_of(std::string_view text, const Field& field) {
  return text.substr(field.begin, field.end - field.begin);
}

bool names_password(std::string_view name) {
  return may_be_secret_key(name) && is_password_key(PlainKey(name));
}

// Whether the line has nothing that no header has, as far as it goes: most lines with such a name are no header, and a
// row is long.
bool may_be_header(std::string_view text, std::size_t line, char separator, char close) {
  std::size_t end = line;
  while (end < text.size() && end - line < kLongestRow && !is_digit(text[end]) &&
         (is_of_key(text[end]) || text[end] == separator || kAround.find(text[end]) != std::string_view::npos))
    ++end;
  return end == text.size() || text[end] == '\n' || text[end] == close;
}

// Words alone, from the beginning of the line to its end: not "bob@example.com,hunter22", nor a list in a program.
bool is_header(std::string_view text, const Row& row) {
  for (std::size_t i = 0; i < row.count; ++i) {
    const std::string_view name = text_of(text, row.fields[i]);
    const bool outside = name.empty() && (i == 0 || i + 1 == row.count) && row.count > 3;  // | a | b |
    if (name.empty() && !outside) return false;
    if (name.size() >= 40 || std::any_of(name.begin(), name.end(), [](char c) { return !is_of_key(c) && c != ' '; }) ||
        std::any_of(name.begin(), name.end(), is_digit))
      return false;
  }
  return row.count > 1;
}

// Whether the row is one of the table. A password in it is added to `found`.
bool take(std::string_view text, const Row& header, const Row& row, std::vector<Finding>& found) {
  if (row.count != header.count) return false;
  for (std::size_t i = 0; i < row.count; ++i)
    if (names_password(text_of(text, row.fields[i]))) return false;  // another header
  for (std::size_t i = 0; i < row.count; ++i) {
    if (!names_password(text_of(text, header.fields[i]))) continue;
    const Field& field = row.fields[i];
    if (field.begin == field.end) continue;
    const std::string_view until = text.substr(0, field.end);
    auto secret = secret_at(until, field.begin, '\0', Named::kInSentence);
    if (!secret) secret = plain_word_at(until, field.begin, '\0', "");
    if (secret) found.push_back(*secret);
  }
  return true;
}

}  // namespace

void find_password_column(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found) {
  constexpr std::string_view kSeparators = ",;\t|";
  constexpr std::string_view kBehind = ",;\t|\n\r\"`)_-. ";  // or another word of the name
  const char behind = at(text, end);
  if ((behind != '\0' && kBehind.find(behind) == std::string_view::npos) ||
      !names_password(text.substr(begin, end - begin)))
    return;
  const std::size_t lowest = begin - std::min(begin, kLongestHeader);
  std::size_t line = begin;
  while (line > lowest && text[line - 1] != '\n' && text[line - 1] != '(') --line;
  const bool list = before(text, line) == '(';
  if (!list && (text[line] == ' ' || text[line] == '\t')) return;
  if (text.substr(line, begin - line).find(text.substr(begin, end - begin)) != std::string_view::npos) return;
  if (line == lowest && line > 0 && !list && text[line - 1] != '\n') return;
  std::size_t mark = end;
  while (is_of_key(at(text, mark)) || at(text, mark) == '"' || at(text, mark) == '`' || at(text, mark) == ' ') ++mark;
  // The separator behind the name, or before it if it is the last.
  char separator = at(text, mark);
  if (kSeparators.find(separator) == std::string_view::npos || separator == '\0') {
    const std::size_t last = text.substr(line, begin - line).find_last_of(kSeparators);
    if (last == std::string_view::npos) return;
    separator = text[line + last];
  }
  const char close = list ? ')' : '\n';
  if (!may_be_header(text, line, separator, close)) return;
  const Row header = row_at(text, line, separator, close);
  if (!is_header(text, header)) return;
  // Once for each header: at its first name of a password.
  for (std::size_t i = 0; i < header.count; ++i) {
    if (!names_password(text_of(text, header.fields[i]))) continue;
    if (header.fields[i].begin > begin || header.fields[i].end < end) return;
    break;
  }
  if (!list) {
    for (Row row = row_at(text, header.end, separator, '\n'); row.count > 0 && take(text, header, row, found);)
      row = row.end < text.size() ? row_at(text, row.end, separator, '\n') : Row();
    return;
  }
  const auto skip = [&](std::size_t from, std::string_view some) {
    while (from < text.size() && some.find(text[from]) != std::string_view::npos) ++from;
    return from;
  };
  std::size_t next = skip(header.end, " \n");
  for (const char letter : std::string_view("values"))
    if (to_lower(at(text, next++)) != letter) return;
  while (at(text, next = skip(next, " \n,")) == '(') {
    const Row row = row_at(text, next + 1, ',', ')');
    if (row.count == 0 || !take(text, header, row, found)) return;
    next = row.end;
  }
}

}  // namespace glovebox::privacy
