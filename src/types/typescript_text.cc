#include "types/typescript_text.h"

#include <algorithm>
#include <array>

#include "base/characters/ascii.h"
#include "base/characters/code_point.h"
#include "base/text/hex.h"
#include "types/shown_text.h"

namespace glovebox::types {
namespace {

constexpr std::array<std::string_view, 49> kReservedWords = {
    "arguments", "await",  "break",    "case",    "catch",      "class",     "const",  "continue",   "debugger",
    "default",   "delete", "do",       "else",    "enum",       "eval",      "export", "extends",    "false",
    "finally",   "for",    "function", "if",      "implements", "import",    "in",     "instanceof", "interface",
    "let",       "new",    "null",     "package", "private",    "protected", "public", "return",     "static",
    "super",     "switch", "this",     "throw",   "true",       "try",       "typeof", "undefined",  "var",
    "void",      "while",  "with",     "yield"};

bool is_word_byte(char c) {
  return base::is_alnum(c) || c == '_';
}

void append_escape(std::string& out, char32_t c) {
  base::each_utf16_unit(c, [&out](char16_t unit) { out += "\\u" + base::hex_number(unit, 4); });
}

// Breaks up what would end a comment, and directives to the compiler within one: @ts-ignore and the like.
std::string defused(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' && i > 0 && text[i - 1] == '*') out += '\\';
    out += text[i];
    if (text[i] == '@' && text.substr(i + 1, 3) == "ts-") out += ' ';
  }
  return out;
}

}  // namespace

std::string string_literal(std::string_view utf8) {
  std::string out = "\"";
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = base::next_code_point(utf8, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (is_unwelcome(c)) {
      append_escape(out, c);
    } else if (c == '/' && out.back() == '*') {
      out += "\\/";  // a declaration may be shown within a comment
    } else {
      base::append_code_point(out, c);
    }
  }
  return out + "\"";
}

bool is_identifier(std::string_view text) {
  if (text.empty() || base::is_digit(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_word_byte(c) || c == '$'; });
}

bool is_reserved_word(std::string_view text) {
  return std::binary_search(kReservedWords.begin(), kReservedWords.end(), text);
}

std::string property_name(std::string_view utf8) {
  // `new(…)` and `constructor(…)` would mean something else than a method.
  const bool means_more = utf8 == "new" || utf8 == "constructor" || utf8 == "__proto__";
  return is_identifier(utf8) && !means_more ? std::string(utf8) : string_literal(utf8);
}

std::string comment_text(std::string_view utf8, std::size_t most) {
  return defused(shown_text(utf8, most));
}

std::string comment_line(std::string_view utf8, std::size_t most) {
  return defused(shown_line(utf8, most));
}

std::string doc_comment(std::string_view text, int indent) {
  if (text.empty()) return "";
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  if (text.find('\n') == text.npos) return margin + "/** " + std::string(text) + " */\n";
  std::string out = margin + "/**\n";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += margin + (end == at ? " *" : " * ") + std::string(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out + margin + " */\n";
}

std::string plain_word(std::string_view text) {
  constexpr std::size_t kMostBytes = 48;
  std::string word(text.substr(0, kMostBytes));
  for (char& c : word)
    if (!is_word_byte(c)) c = '_';
  return word;
}

}  // namespace glovebox::types
