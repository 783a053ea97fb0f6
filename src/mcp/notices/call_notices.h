// CallNotices: what a call reports to its client before the answer, joined. A program that prints thousands of lines,
// or a server that reports every byte, costs few notifications and a bounded number of bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/server/server_types.h"

namespace glovebox::mcp {

// The beginning of a message that is shown again, cut at a limit and at whole characters.
std::string message_beginning(std::string_view message);

// Lines in one text, up to a limit; those beyond it are only counted.
class NoticeLines {
 public:
  void add(std::string_view line);
  std::string text() const;

 private:
  std::string text_;
  std::size_t lines_ = 0;
  std::size_t left_out_ = 0;
};

class CallNotices {
 public:
  struct Progress {
    double done;
    std::optional<double> total;
    NoticeLines message;
  };
  struct Log {
    NoticeLevel level;
    std::string logger;
    NoticeLines text;
  };

  void progress(double done, std::optional<double> total, std::string_view message);
  // Joined with the line before it, if that has the same level and logger.
  void log(NoticeLevel level, std::string_view logger, std::string_view text);

  bool is_full() const;
  std::optional<Progress> take_progress();
  std::vector<Log> take_logs();

 private:
  std::optional<Progress> progress_;
  std::vector<Log> logs_;
};

}  // namespace glovebox::mcp
