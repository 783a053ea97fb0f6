#include "cli/session/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace glovebox::cli {
namespace {

constexpr std::size_t kFew = 20;
constexpr std::chrono::milliseconds kBetween{100};

}  // namespace

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)), on_terminal_(::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(std::size_t done, std::size_t of) {
  if (!on_terminal_ || of < kFew) return;
  if (done >= of) return clear();
  if (!is_due()) return;
  std::fprintf(stderr, "\r\x1b[Kglovebox: %s: %zu of %zu", what_.c_str(), done, of);
  std::fflush(stderr);
}

void ProgressLine::show(std::size_t done) {
  if (!on_terminal_ || !is_due()) return;
  std::fprintf(stderr, "\r\x1b[Kglovebox: %s: %zu", what_.c_str(), done);
  std::fflush(stderr);
}

bool ProgressLine::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < kBetween) return false;
  last_ = now;
  return shown_ = true;
}

void ProgressLine::clear() {
  if (!std::exchange(shown_, false)) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace glovebox::cli
