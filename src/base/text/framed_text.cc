#include "base/text/framed_text.h"

#include <algorithm>

#include "base/text/log_text.h"

namespace glovebox::base {
namespace {

constexpr std::string_view kMargin = "  | ";
constexpr std::string_view kMarginOfRest = "  > ";
constexpr std::size_t kNarrowest = 8;

std::size_t bytes_of_character(std::string_view utf8) {
  const auto lead = static_cast<unsigned char>(utf8.front());
  return std::min<std::size_t>(lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, utf8.size());
}

// As many bytes of `line` as fit. A character beyond ASCII counts as two columns: none is wider.
std::size_t bytes_that_fit(std::string_view line, std::size_t columns) {
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t bytes = bytes_of_character(line.substr(at));
    used += bytes == 1 ? 1 : 2;
    if (used > columns) break;
    at += bytes;
  }
  return at;
}

std::string without_tabs(std::string_view utf8) {
  std::string out;
  for (const char c : neutralise(utf8)) c == '\t' ? out.append("    ") : out.append(1, c);
  return out;
}

}  // namespace

std::string framed(std::string_view utf8, const Frame& frame) {
  const std::size_t columns = std::max(frame.columns, kNarrowest + kMargin.size()) - kMargin.size();
  const std::string text = without_tabs(utf8);
  std::string out;
  std::size_t lines = 0;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    std::string_view margin = kMargin;
    do {
      const std::size_t bytes = bytes_that_fit(line, columns);
      if (lines++ < frame.most_lines) out.append(margin).append(line.substr(0, bytes)).append("\n");
      line.remove_prefix(bytes);
      margin = kMarginOfRest;
    } while (!line.empty());
  }
  if (lines > frame.most_lines) out += "  … " + std::to_string(lines - frame.most_lines) + " more lines\n";
  return out;
}

std::string one_line(std::string_view utf8, std::size_t columns) {
  std::string text = without_tabs(utf8);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "\\n");
  const std::size_t bytes = bytes_that_fit(text, columns);
  return bytes == text.size() ? text : text.substr(0, bytes_that_fit(text, columns - 2)) + "…";
}

}  // namespace glovebox::base
