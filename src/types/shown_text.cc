#include "types/shown_text.h"

#include "base/characters/code_point.h"
#include "base/text/utf8.h"

namespace glovebox::types {
namespace {

// Without invisible characters, and with \n as the only line break.
std::string visible(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = base::next_code_point(utf8, at);
    const bool is_break = c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 || c == 0x85 || c == 0x0b || c == 0x0c;
    if (c == '\r' && at < utf8.size() && utf8[at] == '\n') continue;
    if (is_break) {
      out += '\n';
    } else if (is_unwelcome(c)) {
      if (c == '\t') out += ' ';
    } else {
      base::append_code_point(out, c);
    }
  }
  return out;
}

// Cuts at the end of a sentence if enough is kept, or else of a word.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  text.resize(base::beginning_of(text, most).size());
  for (std::size_t at = text.rfind(". "); at != text.npos && at >= most / 3;
       at = at == 0 ? text.npos : text.rfind(". ", at - 1)) {
    // "e.g. " ends no sentence.
    if (at >= 2 && text[at - 2] == '.') continue;
    return text.substr(0, at + 1);
  }
  if (const std::size_t space = text.find_last_of(" \n"); space != text.npos && space >= most / 2) text.resize(space);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\\' || text.back() == '\n')) text.pop_back();
  return text + "…";
}

}  // namespace

bool is_unwelcome(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xfff0 && c <= 0xffff) || (c >= 0xe0000 && c <= 0xe0fff);
}

std::string shown_text(std::string_view utf8, std::size_t most) {
  std::string text = shortened(visible(utf8.substr(0, 4 * most + 16)), most);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.pop_back();
  const std::size_t start = text.find_first_not_of(" \n");
  return start == text.npos ? "" : text.substr(start);
}

std::string shown_line(std::string_view utf8, std::size_t most) {
  std::string one;
  for (const char c : visible(utf8.substr(0, 4 * most + 16))) {
    const bool is_space = c == ' ' || c == '\n';
    if (is_space && (one.empty() || one.back() == ' ')) continue;
    one += is_space ? ' ' : c;
  }
  while (!one.empty() && one.back() == ' ') one.pop_back();
  return shortened(std::move(one), most);
}

}  // namespace glovebox::types
