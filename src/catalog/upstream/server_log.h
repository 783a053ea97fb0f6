// ServerLog: what a server writes to its standard error, kept in a file of bounded size.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace glovebox::catalog {

class ServerLog {
 public:
  // In `folder`, which is created with the first line, as NAME.log; older text is in NAME.log.1. Empty: nowhere.
  ServerLog(std::string folder, const std::string& name);

  // A server that floods us loses lines; it does not cost us time.
  void write(std::string_view text);
  // A line of ours: started, ended.
  void note(std::string_view text);
  const std::string& path() const { return path_; }

 private:
  void append(std::string_view text);

  std::string folder_;
  std::string path_;
  base::UniqueFd file_;
  std::size_t size_ = 0;
  std::chrono::steady_clock::time_point second_{};
  std::size_t in_second_ = 0;
  std::size_t dropped_ = 0;
  bool broken_ = false;
};

// Why the server of this log failed, by our own last line in it; empty where it did not, or nothing is known.
std::string last_failure(const std::string& log_file);

}  // namespace glovebox::catalog
