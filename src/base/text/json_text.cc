#include "base/text/json_text.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace glovebox::base {

namespace {

bool must_be_escaped(unsigned char c) {
  return c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
}

// The first character from `from` on that must be escaped. Eight at a time: most text has none.
std::size_t find_escape(std::string_view text, std::size_t from) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  while (from + sizeof(std::uint64_t) <= text.size()) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + from, sizeof word);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHighs;
    if (control | has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\') | has_zero(word ^ kOnes * 0x7f)) break;
    from += sizeof word;
  }
  while (from < text.size() && !must_be_escaped(static_cast<unsigned char>(text[from]))) ++from;
  return from;
}

}  // namespace

void append_json_string(std::string& out, std::string_view utf8) {
  out.push_back('"');
  std::size_t clean_from = 0;
  for (std::size_t i = find_escape(utf8, 0); i < utf8.size(); i = find_escape(utf8, i + 1)) {
    const unsigned char c = static_cast<unsigned char>(utf8[i]);
    out.append(utf8, clean_from, i - clean_from);
    clean_from = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default: {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
        out += escaped;
      }
    }
  }
  out.append(utf8, clean_from);
  out.push_back('"');
}

std::string json_string(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size() + 2);
  append_json_string(out, utf8);
  return out;
}

void append_json_millis(std::string& out, double value) {
  if (!std::isfinite(value)) value = 0;
  char text[320];  // the largest double has 309 digits before the point
  const int length = std::snprintf(text, sizeof text, "%.3f", value);
  std::string_view digits(text, static_cast<std::size_t>(length));
  while (digits.back() == '0') digits.remove_suffix(1);
  if (digits.back() == '.') digits.remove_suffix(1);
  out += digits == "-0" ? "0" : digits;
}

std::string pretty_json(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  const auto new_line = [&] {
    out += '\n';
    out.append(2 * depth, ' ');
  };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t from = i++;
      while (i < json.size() && json[i] != '"') i += json[i] == '\\' ? 2 : 1;
      out.append(json.substr(from, i - from + 1));
    } else if (c == '{' || c == '[') {
      out += c;
      const std::size_t next = json.find_first_not_of(" \n\r\t", i + 1);
      if (next != std::string_view::npos && (json[next] == '}' || json[next] == ']')) {
        out += json[next];
        i = next;
      } else {
        ++depth;
        new_line();
      }
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
      new_line();
      out += c;
    } else if (c == ',') {
      out += c;
      new_line();
    } else if (c == ':') {
      out += ": ";
    } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      out += c;
    }
  }
  return out;
}

}  // namespace glovebox::base
