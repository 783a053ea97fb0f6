#include "check/agent_text.h"

#include <algorithm>

#include "base/text/log_text.h"

namespace glovebox::check {
namespace {

// Declared as any, so that the result is not checked: a program may return anything.
constexpr std::string_view kBodyBefore = "export default async function (): Promise<any> {\n";
constexpr std::string_view kBodyAfter = "\n}\n";
constexpr std::string_view kExpressionBefore = "export default async (): Promise<any> => (\n";
constexpr std::string_view kExpressionAfter = "\n);\n";

// Of a line that is shown, around the position.
constexpr std::size_t kMostShown = 160;

struct Character {
  std::size_t bytes;
  int units;  // of UTF-16
};

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return {std::min(bytes, text.size() - at), lead < 0xf0 ? 1 : 2};
}

int units_of(std::string_view line) {
  int units = 0;
  for (std::size_t at = 0; at < line.size();) {
    const Character character = character_at(line, at);
    units += character.units;
    at += character.bytes;
  }
  return units;
}

// Byte offset of a column.
std::size_t offset_of(std::string_view line, int column) {
  int unit = 1;
  std::size_t at = 0;
  while (at < line.size() && unit < column) {
    const Character character = character_at(line, at);
    unit += character.units;
    at += character.bytes;
  }
  return at;
}

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

// As wide as the neutralised `text` on a terminal.
std::string blanks_for(std::string_view text) {
  std::string blanks;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const std::string_view one = text.substr(at, character.bytes);
    const std::string shown = base::neutralise(one);
    blanks +=
        one == "\t" ? "\t" : std::string(shown != one ? shown.size() : static_cast<std::size_t>(character.units), ' ');
    at += character.bytes;
  }
  return blanks;
}

}  // namespace

AgentText::AgentText(std::string code) : code_(std::move(code)) {
  // Like the engine: ignores a byte order mark and a shebang. Lengths in UTF-16 stay the same.
  if (code_.starts_with("\xef\xbb\xbf")) code_.replace(0, 3, " ");
  if (code_.starts_with("#!")) code_.replace(0, 2, "//");
  program_ = program::read_agent_program(code_).value_or(program::AgentProgram{code_, ""});
  line_starts_.push_back(0);
  for (std::size_t at = 0; at < code_.size(); ++at) {
    const bool is_break = code_[at] == '\n' || (code_[at] == '\r' && code_.substr(at + 1, 1) != "\n");
    if (is_break) line_starts_.push_back(at + 1);
  }
}

std::string AgentText::in_form(AgentForm form) const {
  const bool body = form == AgentForm::kBody;
  const std::string tail = body && !program_.tail.empty() ? "\n" + program_.tail : "";
  return std::string(body ? kBodyBefore : kExpressionBefore) + program_.code + tail +
         std::string(body ? kBodyAfter : kExpressionAfter);
}

std::string_view AgentText::text_from(long line_number, long column) const {
  const SourcePosition at = position(line_number, column);
  const std::string_view whole = line(at.line);
  return whole.substr(offset_of(whole, at.column));
}

std::string_view AgentText::line(int number) const {
  const std::size_t from = line_starts_[static_cast<std::size_t>(number - 1)];
  const std::string_view rest = std::string_view(code_).substr(from);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

SourcePosition AgentText::position(long line_number, long column) const {
  const long lines = static_cast<long>(line_starts_.size());
  if (line_number < 1) return {1, 1};
  const int at = static_cast<int>(std::min(line_number, lines));
  const int most = units_of(line(at)) + 1;
  if (line_number > lines) return {at, most};
  return {at, static_cast<int>(std::clamp<long>(column + 1, 1, most))};
}

AgentText::Excerpt AgentText::excerpt(const SourcePosition& from, const SourcePosition& to) const {
  const std::string_view whole = line(from.line);
  const std::size_t begin = offset_of(whole, from.column);
  const std::size_t end = to.line == from.line ? std::max(begin, offset_of(whole, to.column)) : whole.size();
  std::size_t first = 0;
  if (whole.size() > kMostShown && begin > kMostShown / 2) first = begin - kMostShown / 2;
  while (is_inside_character(whole, first)) ++first;
  std::size_t last = std::min(whole.size(), first + kMostShown);
  while (is_inside_character(whole, last)) --last;
  const std::string lead = first > 0 ? "…" : "";
  Excerpt excerpt;
  excerpt.line = lead + base::neutralise(whole.substr(first, last - first)) + (last < whole.size() ? "…" : "");
  const std::size_t marked_end = std::min(std::max(end, begin), std::max(last, begin));
  const std::string marks = blanks_for(whole.substr(begin, marked_end - begin));
  excerpt.caret = std::string(first > 0 ? " " : "") + blanks_for(whole.substr(first, begin - first)) +
                  std::string(std::max<std::size_t>(marks.size(), 1), '^');
  return excerpt;
}

}  // namespace glovebox::check
