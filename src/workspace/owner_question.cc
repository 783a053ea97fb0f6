#include "workspace/owner_question.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "base/text/log_text.h"
#include "base/text/utf8.h"

namespace glovebox::cli {

bool has_terminal() {
  return ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO);
}

bool owner_says_yes(const std::string& question) {
  // A key that was meant for something else is no answer.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::tcflush(STDIN_FILENO, TCIFLUSH);
  std::fprintf(stderr, "%s [y/N] ", base::neutralise(question).c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

std::vector<std::vector<std::string>> screens_of(const std::vector<std::string>& lines, std::size_t columns,
                                                 std::size_t rows) {
  std::vector<std::vector<std::string>> screens(1);
  const auto add = [&](std::string_view row) {
    if (screens.back().size() == rows) screens.emplace_back();
    screens.back().emplace_back(row);
  };
  for (const std::string& line : lines) {
    // No text of a file begins a line of its own, or moves what follows it.
    std::string shown;
    for (const char letter : base::neutralise(line)) {
      if (letter == '\n')
        shown += "\\n";
      else if (letter == '\t')
        shown += "\\t";
      else
        shown += letter;
    }
    std::string_view left = shown;
    // No character needs more columns than bytes.
    for (; left.size() > columns; left.remove_prefix(base::beginning_of(left, columns).size()))
      add(base::beginning_of(left, columns));
    add(left);
  }
  return screens;
}

bool owner_says_yes(const std::vector<std::string>& lines, const std::string& question) {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
  const std::size_t columns = known ? std::max<std::size_t>(size.ws_col, 20) : 80;
  const std::size_t rows = known ? std::max<std::size_t>(size.ws_row, 8) : 24;
  // Beside them, the heading of the first and the question of each have room.
  const auto screens = screens_of(lines, columns, rows - 4);
  for (std::size_t i = 0; i < screens.size(); ++i) {
    for (const std::string& row : screens[i]) std::fprintf(stderr, "%s\n", row.c_str());
    if (i + 1 == screens.size()) break;
    const std::string part = "Part " + std::to_string(i + 1) + " of " + std::to_string(screens.size());
    if (!owner_says_yes(part + ". Is this all right? The rest follows.")) return false;
  }
  return owner_says_yes(question);
}

}  // namespace glovebox::cli
