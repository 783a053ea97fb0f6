#include "observe/meters.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace glovebox::observe {
namespace {

const std::vector<double> kMilliseconds = {0.25, 0.5, 1,    2.5,  5,    10,    25,    50,     100,
                                           250,  500, 1000, 2500, 5000, 10000, 30000, 120000, 300000};
// A person answers within seconds, minutes, or by the next day.
const std::vector<double> kWaits = {1000, 5000, 15000, 60000, 300000, 900000, 3600000, 14400000, 86400000};
const std::vector<double> kMegabytes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
const std::vector<double> kNumbers = {0, 1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

}  // namespace

Meters::Meters()
    : executions(registry_.counter({"code_execution_total", "Runs that have ended.", {"language", "outcome"}})),
      execution_ms(registry_.histogram({"code_execution_duration_ms",
                                        "Time from starting the code in the guest to its result, in milliseconds.",
                                        {"language"}},
                                       kMilliseconds)),
      execution_errors(
          registry_.counter({"code_execution_errors_total", "Runs that ended with an error, by its type.", {"type"}})),
      blocked_attempts(registry_.counter({"code_execution_blocked_total",
                                          "Calls by code that were not granted: files, network, tools and others.",
                                          {"op"}})),
      runs_live(registry_.gauge({"runs_live", "Runs that have a guest now.", {}})),
      runs_waiting(registry_.gauge({"runs_waiting", "Runs in the store that wait for a person.", {}})),
      sandbox_startup_ms(registry_.histogram(
          {"sandbox_startup_ms", "Time from the request to the code in the guest, in milliseconds.", {}},
          kMilliseconds)),
      sandbox_memory_mb(registry_.histogram(
          {"sandbox_memory_mb", "Peak of the memory that a run added, in megabytes.", {}}, kMegabytes)),
      pool_size(registry_.gauge({"sandbox_pool_size", "Guests that wait for a run, sealed and warm.", {"language"}})),
      pool_busy(registry_.gauge({"sandbox_busy", "Guests that have a run.", {"language"}})),
      pool_queued(registry_.gauge({"sandbox_queued", "Runs that wait for a guest.", {"language"}})),
      pool_misses(registry_.counter({"sandbox_pool_misses_total", "Runs that found no guest waiting.", {}})),
      rewound(registry_.counter(
          {"sandbox_rewound_total", "Runs whose guest had served an earlier run of the same conversation.", {}})),
      tools_injected(
          registry_.histogram({"tools_injected_count", "Tools that the intent of a run found.", {}}, kNumbers)),
      tool_discovery_ms(registry_.histogram({"tool_discovery_ms", "Time of one search for tools, in milliseconds.", {}},
                                            kMilliseconds)),
      tool_calls(registry_.counter({"tool_calls_total", "Tool calls that have ended.", {"server", "outcome"}, 256})),
      tool_call_ms(registry_.histogram(
          {"tool_call_duration_ms", "Duration of one call to a server, in milliseconds.", {"server"}}, kMilliseconds)),
      rate_limited(registry_.counter({"rate_limit_rejections_total", "Calls that a rate limit refused.", {"server"}})),
      server_up(registry_.gauge(
          {"tool_server_up", "1 while the server can be called: ready, or started on first use.", {"server"}})),
      http_refused(registry_.counter(
          {"http_refused_total", "Requests rejected with 503 because a limit was reached.", {"reason"}})),
      sessions_evicted(
          registry_.counter({"http_sessions_evicted_total", "Idle sessions closed to make room for new ones.", {}})),
      approvals_pending(registry_.gauge({"approvals_pending", "Questions that wait for a person.", {}})),
      approval_wait_ms(registry_.histogram(
          {"approval_wait_ms", "Time from a question to its answer, in milliseconds.", {}}, kWaits)),
      checkpoint_save_ms(registry_.histogram(
          {"checkpoint_save_ms", "Time of one step of a workflow into the store, in milliseconds.", {}},
          kMilliseconds)),
      cache_hits(
          registry_.counter({"cache_hits_total", "Results that were reused instead of computed again.", {"kind"}})),
      spans_exported(registry_.counter({"trace_spans_exported_total", "Spans that a collector accepted.", {}})),
      spans_dropped(registry_.counter(
          {"trace_spans_dropped_total", "Spans that no collector accepted, or that did not fit the queue.", {}})),
      process_cpu_seconds(registry_.counter({"process_cpu_seconds_total", "CPU time of the gateway itself.", {}})),
      process_resident_bytes(registry_.gauge({"process_resident_memory_bytes", "Memory of the gateway itself.", {}})),
      process_virtual_bytes(registry_.gauge({"process_virtual_memory_bytes", "Address space of the gateway.", {}})),
      process_open_fds(registry_.gauge({"process_open_fds", "Open file descriptors.", {}})),
      process_max_fds(registry_.gauge({"process_max_fds", "How many file descriptors may be open.", {}})),
      process_start_seconds(
          registry_.gauge({"process_start_time_seconds", "When the gateway was started, in seconds since 1970.", {}})),
      process_threads(registry_.gauge({"process_threads", "Threads of the gateway.", {}})),
      build_info(registry_.gauge({"glovebox_build_info", "1; the version is the label.", {"version"}})) {}

void update_process_figures(Meters& meters) {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    meters.process_cpu_seconds.set(seconds(usage.ru_utime) + seconds(usage.ru_stime));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) meters.process_max_fds.set(static_cast<double>(limit.rlim_cur));
  if (DIR* folder = ::opendir("/proc/self/fd")) {
    std::size_t count = 0;
    while (::readdir(folder)) ++count;
    ::closedir(folder);
    meters.process_open_fds.set(static_cast<double>(count > 3 ? count - 3 : 0));  // ".", ".." and the folder itself
  }
  std::ifstream file("/proc/self/stat");
  std::string line;
  if (!std::getline(file, line)) return;
  // The second field is the program's name, which may contain anything.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return;
  std::istringstream fields(line.substr(name_end + 1));
  std::vector<std::string> values;
  for (std::string value; fields >> value;) values.push_back(value);
  const auto number = [&](std::size_t field) {  // as proc(5) counts them
    double parsed = 0;
    if (field - 3 < values.size()) {
      const std::string& text = values[field - 3];
      (void)std::from_chars(text.data(), text.data() + text.size(), parsed);
    }
    return parsed;
  };
  meters.process_threads.set(number(20));
  meters.process_virtual_bytes.set(number(23));
  meters.process_resident_bytes.set(number(24) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  std::ifstream stat("/proc/stat");
  for (std::string word; stat >> word;) {
    if (word != "btime") continue;
    double boot = 0;
    stat >> boot;
    meters.process_start_seconds.set(boot + number(22) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
    break;
  }
}

}  // namespace glovebox::observe
