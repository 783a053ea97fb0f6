#include "observe/log.h"

#include <unistd.h>

#include <fstream>

#include "base/characters/code_point.h"
#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "base/wall_clock.h"

namespace glovebox::observe {
namespace {

// Valid UTF-8 without control characters, including C1 and those that change the direction of text.
std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [point, bytes] = base::first_character(text);
    const bool is_c1 = point >= 0x80 && point < 0xa0;
    const bool turns = (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
    if (bytes == 0 || is_c1 || turns) {
      base::append_code_point(out, base::kReplacement);
    } else if (point < 0x20 || point == 0x7f) {
      out += ' ';
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

void write_to_standard_error(std::string_view line) {
  while (!line.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
    if (written <= 0) return;  // there is no reader
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warn";
    default: return "error";
  }
}

std::optional<Level> level_named(std::string_view name) {
  for (const Level level : {Level::kDebug, Level::kInfo, Level::kWarn, Level::kError})
    if (name_of(level) == name) return level;
  return std::nullopt;
}

std::string log_line(Log::Format format, Level level, std::string_view message, const LogFields& fields,
                     std::int64_t now_ms) {
  if (format == Log::Format::kText) {
    std::string line = "glovebox: ";
    if (level == Level::kWarn) line += "warning: ";
    if (level == Level::kError) line += "error: ";
    line += clean(message);
    std::string list;
    for (const auto& [key, value] : fields) {
      if (value.text().empty()) continue;
      list += (list.empty() ? "" : " ") + std::string(key) + "=" + clean(value.text());
    }
    if (!list.empty()) line += " (" + list + ")";
    return line + "\n";
  }
  base::ObjectText line;
  line.text("time", base::iso_time(now_ms)).text("level", name_of(level)).text("message", clean(message));
  for (const auto& [key, value] : fields) {
    if (value.is_number()) {
      line.json_if(key, value.text());
    } else {
      line.text_if(key, clean(value.text()));
    }
  }
  return line.done() + "\n";
}

LogValue::LogValue(double number) : is_number_(true) {
  base::append_json_millis(text_, number);
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;  // the second number
  return file ? pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024 * 1024) : 0;
}

Log::Log(Format format, Level least, std::function<void(std::string_view)> write)
    : format_(format), least_(least), write_(write ? std::move(write) : write_to_standard_error) {}

Log::Format Log::format_for(int fd) {
  return ::isatty(fd) ? Format::kText : Format::kJson;
}

void Log::say(Level level, std::string_view message, const LogFields& fields) {
  if (!wants(level)) return;
  const std::string line = log_line(format_, level, message, fields, base::now_ms());
  const std::lock_guard lock(mutex_);
  write_(line);
}

}  // namespace glovebox::observe
