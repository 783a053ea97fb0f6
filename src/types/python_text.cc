#include "types/python_text.h"

#include <set>

#include "base/characters/code_point.h"
#include "base/text/hex.h"
#include "types/shown_text.h"
#include "types/typescript_text.h"

namespace glovebox::types {

std::string python_string(std::string_view utf8) {
  std::string out = "\"";
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = base::next_code_point(utf8, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (is_unwelcome(c)) {
      out += c < 0x10000 ? "\\u" + base::hex_number(c, 4) : "\\U" + base::hex_number(c, 8);
    } else {
      base::append_code_point(out, c);
    }
  }
  return out + "\"";
}

bool is_python_name(std::string_view text) {
  static const std::set<std::string_view> keywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return is_identifier(text) && text.find('$') == text.npos && !text.starts_with("__") && !keywords.contains(text);
}

std::string python_doc(std::string_view utf8, std::size_t most, int indent) {
  const std::string text = shown_text(utf8, most);
  if (text.empty()) return "";
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out = margin + "\"\"\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
    if (c == '\n') out += margin;
  }
  return out + "\"\"\"\n";
}

}  // namespace glovebox::types
