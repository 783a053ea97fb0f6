// A line of the terminal that shows progress. Prints nothing where there is no terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace glovebox::cli {

class ProgressLine {
 public:
  // `what` is being done: "reading tools".
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Says nothing where `of` is small: those are done before the line could be read.
  void show(std::size_t done, std::size_t of);
  // Where the total is not known.
  void show(std::size_t done);

 private:
  void clear();
  bool is_due();

  std::string what_;
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace glovebox::cli
