#include "terminal/error_view.h"

#include "base/text/log_text.h"

namespace glovebox::cli {
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

struct MarkedLine {
  std::string shown;  // nothing in it that a terminal would obey: the code is the agent's
  std::string below;  // what stands before the caret
};

// Columns count UTF-16 units, as V8 does. A character beyond 16 bits has two of them and is two places wide on
// terminals.
MarkedLine mark(std::string_view line, int column) {
  MarkedLine marked;
  int at = 1;
  for (std::size_t i = 0; i < line.size();) {
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const std::string_view character = line.substr(i, length);
    const std::string shown = base::neutralise(character);
    const std::size_t places = shown != character ? shown.size() : length == 4 ? 2 : 1;
    if (at < column) marked.below += character == "\t" ? "\t" : std::string(places, ' ');
    marked.shown += shown;
    at += length == 4 ? 2 : 1;
    i += length;
  }
  return marked;
}

}  // namespace

std::string source_frame(std::string_view code, const SourcePosition& position) {
  const std::string_view line = line_of(code, position.line);
  if (line.empty() || line.size() > 400) return "";
  const MarkedLine marked = mark(line, position.column);
  const std::string number = std::to_string(position.line);
  return number + " | " + marked.shown + "\n" + std::string(number.size(), ' ') + " | " + marked.below + "^\n";
}

std::string describe_error(const RunError& error, std::string_view code, std::string_view file_name) {
  std::string text = "error: " + error.message + " [" + error.code.text() + "]\n";
  if (!error.position) return text;
  const std::string number = std::to_string(error.position->line);
  const std::string margin(number.size(), ' ');
  text +=
      margin + " --> " + std::string(file_name) + ":" + number + ":" + std::to_string(error.position->column) + "\n";
  if (const std::string frame = source_frame(code, *error.position); !frame.empty()) text += margin + " |\n" + frame;
  if (const auto frames = outer_frames(error.stack); !frames.empty()) text += std::string(frames) + "\n";
  return text;
}

}  // namespace glovebox::cli
