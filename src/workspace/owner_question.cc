#include "workspace/owner_question.h"

#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "base/text/log_text.h"

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

}  // namespace glovebox::cli
