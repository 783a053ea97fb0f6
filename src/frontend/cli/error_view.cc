#include "frontend/cli/error_view.h"

#include <algorithm>

namespace glovebox::frontend {
namespace {

std::string_view line_of(std::string_view code, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = code.find('\n');
    if (end == std::string_view::npos) return {};
    code.remove_prefix(end + 1);
  }
  return code.substr(0, code.find_first_of("\r\n"));
}

// The frames below the one that is shown in full.
std::string_view outer_frames(std::string_view stack) {
  const std::size_t first = stack.find("\n    at ");
  if (first == std::string_view::npos) return {};
  const std::size_t second = stack.find("\n    at ", first + 1);
  return second == std::string_view::npos ? std::string_view{} : stack.substr(second + 1);
}

}  // namespace

std::string describe_error(const RunError& error, std::string_view code, std::string_view file_name) {
  std::string text = "error: " + error.message + " [" + error.code + "]\n";
  if (!error.position) return text;
  const auto [line_number, column] = *error.position;
  const std::string number = std::to_string(line_number);
  const std::string margin(number.size(), ' ');
  text += margin + " --> " + std::string(file_name) + ":" + number + ":" + std::to_string(column) + "\n";
  const std::string_view line = line_of(code, line_number);
  if (!line.empty() && line.size() <= 400) {
    text += margin + " |\n" + number + " | " + std::string(line) + "\n" + margin + " | ";
    // The caret stands below its character: tabs stay tabs, and UTF-8 continuation bytes take no place.
    int at = 1;
    for (std::size_t i = 0; i < line.size() && at < column; ++i) {
      if ((static_cast<unsigned char>(line[i]) & 0xc0) == 0x80) continue;
      text += line[i] == '\t' ? '\t' : ' ';
      ++at;
    }
    text += "^\n";
  }
  if (const auto frames = outer_frames(error.stack); !frames.empty()) text += std::string(frames) + "\n";
  return text;
}

}  // namespace glovebox::frontend
