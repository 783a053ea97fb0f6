#include "base/text/json_text.h"

#include <cmath>
#include <cstdio>

#include "base/text/json_scanner.h"
#include "base/text/plain_bytes.h"

namespace glovebox::base {

namespace {

constexpr std::size_t kLargeText = std::size_t{1} << 16;

// `letters` are the escapes of a backslash and one letter, `meant` what each stands for.
template <bool kPassDelete>
void append_quoted(std::string& out, std::string_view utf8, std::string_view meant, std::string_view letters) {
  // Also for short things that follow: a large text is not copied again for the quote behind it.
  if (utf8.size() > kLargeText) out.reserve(out.size() + utf8.size() + 256);
  out.push_back('"');
  const char* const end = utf8.data() + utf8.size();
  for (const char* at = utf8.data();; ++at) {
    const char* const clean_from = at;
    at = plain_bytes_end<kPassDelete>(at, end);
    out.append(clean_from, static_cast<std::size_t>(at - clean_from));
    if (at == end) break;
    if (const std::size_t known = meant.find(*at); known != std::string_view::npos) {
      out.append(1, '\\').append(1, letters[known]);
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(*at));
      out += escaped;
    }
  }
  out.push_back('"');
}

}  // namespace

void append_json_string(std::string& out, std::string_view utf8) {
  append_quoted<false>(out, utf8, "\"\\\n\r\t", "\"\\nrt");
}

void append_canonical_string(std::string& out, std::string_view utf8) {
  append_quoted<true>(out, utf8, "\"\\\n\r\t\b\f", "\"\\nrtbf");
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

std::string pretty_json(std::string_view json, bool unescapes) {
  std::string out;
  std::size_t depth = 0;
  const auto new_line = [&] {
    out += '\n';
    out.append(2 * depth, ' ');
  };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t end = closing_quote(json, i);
      unescapes ? append_json_string(out, unescaped(json.substr(i + 1, end - i - 1)))
                : static_cast<void>(out.append(json, i, end - i + 1));
      i = end;
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
