#include "observe/log.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <fstream>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"

namespace glovebox::observe {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

// How many bytes of `text` at `at` form one UTF-8 character; 0 when it is invalid.
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  if (first == 0xe0 && byte(at + 1) < 0xa0) return 0;
  if (first == 0xed && byte(at + 1) > 0x9f) return 0;
  if (first == 0xf0 && byte(at + 1) < 0x90) return 0;
  if (first == 0xf4 && byte(at + 1) > 0x8f) return 0;
  return size;
}

// Valid UTF-8 without control characters, including C1 and those that change the direction of text.
std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_at(text, at);
    const std::string_view character = text.substr(at, size);
    const auto first = static_cast<unsigned char>(text[at]);
    const bool is_control = size == 1 && (first < 0x20 || first == 0x7f);
    const bool is_c1 = size == 2 && first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
    const bool turns = character >= "\xe2\x80\xa8" && character <= "\xe2\x80\xae";
    const bool isolates = character >= "\xe2\x81\xa6" && character <= "\xe2\x81\xa9";
    if (size == 0 || is_c1 || turns || isolates) {
      out += kReplacement;
    } else if (is_control) {
      out += ' ';
    } else {
      out += character;
    }
    at += size == 0 ? 1 : size;
  }
  return out;
}

std::string time_text(std::int64_t now_ms) {
  const std::time_t seconds = now_ms / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string millis = std::to_string(1000 + now_ms % 1000);
  return std::string(text, size) + "." + millis.substr(1) + "Z";
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
  line.text("time", time_text(now_ms)).text("level", name_of(level)).text("message", clean(message));
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
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::string line = log_line(format_, level, message, fields, now.count());
  const std::lock_guard lock(mutex_);
  write_(line);
}

}  // namespace glovebox::observe
