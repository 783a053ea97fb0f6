#include "types/shown_text.h"

namespace glovebox::types {
namespace {

// Without invisible characters, and with \n as the only line break.
std::string visible(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_point(utf8, at);
    const bool is_break = c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 || c == 0x85 || c == 0x0b || c == 0x0c;
    if (c == '\r' && at < utf8.size() && utf8[at] == '\n') continue;
    if (is_break) {
      out += '\n';
    } else if (is_unwelcome(c)) {
      if (c == '\t') out += ' ';
    } else {
      append_point(out, c);
    }
  }
  return out;
}

// Cuts at the end of a sentence if enough is kept, or else of a word.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
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

char32_t next_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at++);
  if (lead < 0x80) return lead;
  const std::size_t more = lead >= 0xf0 && lead < 0xf5   ? 3
                           : lead >= 0xe0 && lead < 0xf0 ? 2
                           : lead >= 0xc2 && lead < 0xe0 ? 1
                                                         : 0;
  if (more == 0 || at + more > text.size()) return 0xfffd;
  char32_t point = lead & (0x3f >> more);
  for (std::size_t i = 0; i < more; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0xfffd;
    point = (point << 6) | (byte(at + i) & 0x3f);
  }
  const bool overlong = (more == 2 && point < 0x800) || (more == 3 && point < 0x10000);
  if (overlong || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return 0xfffd;
  at += more;
  return point;
}

void append_point(std::string& out, char32_t c) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return add(c);
  if (c < 0x800) {
    add(0xc0 | (c >> 6));
  } else {
    if (c < 0x10000) {
      add(0xe0 | (c >> 12));
    } else {
      add(0xf0 | (c >> 18));
      add(0x80 | ((c >> 12) & 0x3f));
    }
    add(0x80 | ((c >> 6) & 0x3f));
  }
  add(0x80 | (c & 0x3f));
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
