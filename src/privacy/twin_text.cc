#include "privacy/twin_text.h"

#include <algorithm>

#include "privacy/byte_search.h"
#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::string_view kText = R"("content":[{"type":"text","text":")";
constexpr std::string_view kStructured = R"("}],"structuredContent":{)";
constexpr std::string_view kResult = R"("result":)";
constexpr std::size_t kWorthwhile = 512;

// What stands for itself or a line's end; others are rare, and make two texts differ.
char meant_by_escape(char letter) {
  switch (letter) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"':
    case '\\':
    case '/': return letter;
    default: return '\0';
  }
}

// Whether `quoted`, the inside of a JSON string that begins at `begin`, says `plain` and then ends. Returns where.
std::optional<std::size_t> end_of_same(std::string_view quoted, std::size_t begin, std::string_view plain) {
  std::size_t position = begin;
  std::size_t same = 0;
  while (true) {
    const std::size_t stop = next_of<HighBytes::kPassed, '"', '\\'>(quoted, position);
    const std::size_t size = stop - position;
    if (plain.substr(same, size) != quoted.substr(position, size)) return std::nullopt;
    same += size;
    if (stop == quoted.size()) return std::nullopt;
    if (quoted[stop] == '"') return same == plain.size() ? std::optional(stop) : std::nullopt;
    const char meant = meant_by_escape(at(quoted, stop + 1));
    if (meant == '\0' || at(plain, same) != meant) return std::nullopt;
    ++same;
    position = stop + 2;
  }
}

// Where the string that begins at `begin` ends: at its closing quote, or with the text.
std::size_t end_of_string(std::string_view json, std::size_t begin) {
  std::size_t position = next_of<HighBytes::kPassed, '"', '\\'>(json, begin);
  while (at(json, position) == '\\') position = next_of<HighBytes::kPassed, '"', '\\'>(json, position + 2);
  return std::min(position, json.size());
}

// Where the JSON object or list that begins at `begin` ends.
std::size_t end_of_value(std::string_view json, std::size_t begin) {
  std::size_t depth = 0;
  std::size_t i = begin;
  while ((i = next_of<HighBytes::kPassed, '"', '{', '}', '[', ']'>(json, i)) < json.size()) {
    const char c = json[i++];
    if (c == '"') {
      i = std::min(end_of_string(json, i) + 1, json.size());
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return i;
    }
  }
  return json.size();
}

}  // namespace

std::optional<TwinText> TwinText::of(std::string_view answer) {
  const std::size_t content = answer.find(kText);
  if (content == answer.npos) return std::nullopt;
  TwinText twin;
  twin.begin = content + kText.size();
  // The text's own end, and not a search for what follows it: an answer is searched from behind byte by byte.
  const std::size_t structured = end_of_string(answer, twin.begin);
  if (structured < twin.begin + kWorthwhile || !answer.substr(structured).starts_with(kStructured)) return std::nullopt;
  const std::size_t result = answer.find(kResult, structured);
  if (result == answer.npos) return std::nullopt;
  twin.json_begin = result + kResult.size();
  if (at(answer, twin.json_begin) != '{' && at(answer, twin.json_begin) != '[') return std::nullopt;
  twin.json_end = end_of_value(answer, twin.json_begin);
  const auto end = end_of_same(answer, twin.begin, answer.substr(twin.json_begin, twin.json_end - twin.json_begin));
  if (!end || *end != structured) return std::nullopt;
  twin.end = *end;
  return twin;
}

std::string TwinText::without_text(std::string_view answer) const {
  std::string rest;
  rest.reserve(answer.size() - (end - begin));
  rest.append(answer, 0, begin);
  rest.append(answer, end);
  return rest;
}

}  // namespace glovebox::privacy
