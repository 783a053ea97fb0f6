#include "calls/limit_error.h"

#include <algorithm>
#include <map>

#include "base/text/json_text.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"

namespace glovebox::calls {
namespace {

constexpr std::size_t kMostTools = 8;
constexpr std::size_t kMostNameBytes = 64;

RunError limit_error(ErrorType type, FailureCode code, std::string what, const std::string& limit, const char* key) {
  return {type, code, std::move(what) + " its limit of " + limit + " (" + key + ")", "", {}};
}

std::string times(std::size_t count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string shown_name(std::string target) {
  std::replace(target.begin(), target.end(), '\n', ' ');
  if (target.size() <= kMostNameBytes) return base::neutralise(target);
  return base::neutralise(base::beginning_of(target, kMostNameBytes)) + "…";
}

}  // namespace

std::string shown_time(std::chrono::milliseconds time) {
  const auto ms = time.count();
  if (ms >= 120'000 && ms % 60'000 == 0) return std::to_string(ms / 60'000) + " minutes";
  if (ms < 1000) return std::to_string(ms) + " ms";
  std::string text;
  base::append_json_millis(text, static_cast<double>(ms) / 1000);
  return text + " s";
}

RunError own_time_error(const SandboxConfig& config) {
  return limit_error(ErrorType::kTimeoutError, "EXECUTION_TIMEOUT", "the code ran longer than",
                     shown_time(config.timeout), "sandbox.timeoutMs");
}

RunError total_time_error(const SandboxConfig& config) {
  return limit_error(ErrorType::kTimeoutError, "EXECUTION_TIMEOUT", "the run and its tools took longer than",
                     shown_time(config.most_time()), "sandbox.totalTimeoutMs");
}

RunError cpu_error(const RunRequest& request) {
  const SandboxConfig& config = request.config;
  const auto limit = config.cpu.value_or(config.timeout);
  const bool of_python = request.language == Language::kPython && limit >= config.python_cpu;
  return limit_error(ErrorType::kTimeoutError, "CPU_LIMIT", "the code used more CPU time than", shown_time(limit),
                     of_python ? "python.timeoutMs" : "sandbox.cpuMs");
}

RunError memory_error(const RunRequest& request) {
  const SandboxConfig& config = request.config;
  const bool of_python = request.language == Language::kPython && config.memory_bytes >= config.python_memory_bytes;
  return limit_error(ErrorType::kMemoryError, "MEMORY_LIMIT", "the code needs more memory than",
                     std::to_string(config.memory_bytes >> 20) + " MB",
                     of_python ? "python.memoryMb" : "sandbox.memoryMB");
}

std::string calls_before(const std::vector<TraceEntry>& trace, std::size_t tool_calls) {
  std::map<std::string, std::size_t> counts;
  std::size_t counted = 0;
  for (const TraceEntry& entry : trace) {
    if (entry.op != "tool" || (counts.size() == kMostTools && !counts.contains(entry.target))) continue;
    ++counts[entry.target];
    ++counted;
  }
  std::string text;
  for (const auto& [target, count] : counts)
    text += (text.empty() ? "; before that it called " : ", ") + shown_name(target) + " " + times(count);
  if (!text.empty() && tool_calls > counted) text += ", others " + times(tool_calls - counted);
  return text;
}

}  // namespace glovebox::calls
