// Log: what the owner of a gateway reads while it runs: lines of text on a terminal, JSON anywhere else.
//
// Every member may be called from any thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glovebox::observe {

enum class Level { kDebug, kInfo, kWarn, kError };
std::string_view name_of(Level level);
std::optional<Level> level_named(std::string_view name);

// The value of a field: a text, which is left out when it is empty, or a number, which is a number in JSON too.
class LogValue {
 public:
  LogValue(std::string text) : text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  LogValue(std::string_view text) : text_(text) {}        // NOLINT(google-explicit-constructor)
  LogValue(const char* text) : text_(text) {}             // NOLINT(google-explicit-constructor)
  LogValue(double number);                                // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  LogValue(Number number) : text_(std::to_string(number)), is_number_(true) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const { return text_; }
  bool is_number() const { return is_number_; }

 private:
  std::string text_;
  bool is_number_ = false;
};

using LogFields = std::vector<std::pair<std::string_view, LogValue>>;

class Log {
 public:
  enum class Format { kText, kJson };
  // `write` gets whole lines with their line break. Without it they go to standard error.
  Log(Format format, Level least, std::function<void(std::string_view line)> write = {});
  static Format format_for(int fd);  // as a terminal or not

  bool wants(Level level) const { return level >= least_; }
  // `message` and values may hold untrusted text: nothing in them moves a cursor or ends a line.
  void say(Level level, std::string_view message, const LogFields& fields = {});

 private:
  Format format_;
  Level least_;
  std::function<void(std::string_view)> write_;
  std::mutex mutex_;
};

// Memory of this process, for a line about it.
double resident_megabytes();

// Only the formatting. Times are milliseconds since 1970.
std::string log_line(Log::Format format, Level level, std::string_view message, const LogFields& fields,
                     std::int64_t now_ms);

}  // namespace glovebox::observe
