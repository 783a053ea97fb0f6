#include "cli/top/top_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "gateway/runs/run_settings.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

constexpr std::int64_t kMinute = 60'000;

// Of the store: what ended lately.
struct Lately {
  std::size_t running = 0;
  std::size_t waiting = 0;
  std::size_t ended = 0;  // in the last minute
  std::size_t failed = 0;
};
Lately lately(const TopState& state) {
  Lately sums;
  for (const store::RunRecord& run : state.runs) {
    sums.running += run.status == store::RunStatus::kRunning;
    sums.waiting += run.status == store::RunStatus::kWaiting;
    const bool is_new = run.ended && state.now - *run.ended < kMinute;
    sums.ended += is_new;
    sums.failed += is_new && run.status == store::RunStatus::kFailed;
  }
  return sums;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 || value == std::floor(value) ? "%.0f" : "%.1f", value);
  return text;
}

std::string fitted(std::string text, std::size_t width) {
  text.resize(std::min(text.size(), width));
  return text + std::string(width - text.size(), ' ');
}

// Per second since the last poll; since the gateway's start where there was none.
double rate(const TopState& state, std::string_view name) {
  const double now = sum_of(*state.samples, name).value_or(0);
  if (state.before && state.seconds > 0)
    return std::max(0.0, now - sum_of(*state.before, name).value_or(0)) / state.seconds;
  const double since =
      static_cast<double>(state.now) / 1000 - sum_of(*state.samples, "process_start_time_seconds").value_or(0);
  return since > 0 ? now / since : 0;
}

double mean(const Samples& samples, const std::string& name) {
  const double count = sum_of(samples, name + "_count").value_or(0);
  return count > 0 ? sum_of(samples, name + "_sum").value_or(0) / count : 0;
}

std::string age(std::int64_t ms) {
  if (ms < 1000) return std::to_string(std::max<std::int64_t>(ms, 0)) + " ms";
  if (ms < 2 * kMinute) return std::to_string(ms / 1000) + " s";
  if (ms < 120 * kMinute) return std::to_string(ms / kMinute) + " min";
  return std::to_string(ms / (60 * kMinute)) + " h";
}

}  // namespace

Samples read_samples(std::string_view text) {
  Samples samples;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    const std::size_t space = line.rfind(' ');
    if (line.starts_with('#') || space == line.npos) continue;
    double value = 0;
    const std::string_view number = line.substr(space + 1);
    const auto [stop, wrong] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (wrong == std::errc() && stop == number.data() + number.size())
      samples[std::string(line.substr(0, space))] = value;
  }
  return samples;
}

std::optional<double> sum_of(const Samples& samples, std::string_view name, std::string_view label) {
  std::optional<double> sum;
  for (auto sample = samples.lower_bound(std::string(name)); sample != samples.end(); ++sample) {
    const std::string_view key = sample->first;
    if (!key.starts_with(name)) break;
    const std::string_view rest = key.substr(name.size());
    if (!rest.empty() && rest.front() != '{') continue;
    if (!label.empty() && rest.find(label) == rest.npos) continue;
    sum = sum.value_or(0) + sample->second;
  }
  return sum;
}

std::map<std::string, double> by_label(const Samples& samples, std::string_view name, std::string_view label) {
  std::map<std::string, double> sums;
  const std::string before = std::string(label) + "=\"";
  for (const auto& [key, value] : samples) {
    if (!key.starts_with(std::string(name) + "{")) continue;
    std::size_t begin = key.find("{" + before);
    if (begin == key.npos) begin = key.find("," + before);
    if (begin == key.npos) continue;
    begin += 1 + before.size();
    const std::size_t end = key.find('"', begin);
    if (end != key.npos) sums[key.substr(begin, end - begin)] += value;
  }
  return sums;
}

std::string top_text(const TopState& state, std::size_t width, std::size_t height) {
  std::string out;
  const auto line = [&](const std::string& text) { out += text.substr(0, width) + "\n"; };
  const Lately sums = lately(state);
  if (state.nodes.empty()) line("No gateway is running in this workspace. From the store:");
  for (const store::NodeRecord& node : state.nodes) {
    line("gateway " + node.id + "  " + node.host + " pid " + std::to_string(node.pid) + "  " + node.version + "  up " +
         age(state.now - node.joined));
  }
  line("runs     " + std::to_string(sums.running) + " running, " + std::to_string(sums.waiting) + " waiting; " +
       std::to_string(sums.ended) + " ended in the last minute, " + std::to_string(sums.failed) + " of them failed");
  line("people   " + std::to_string(state.approvals) + " approvals pending");
  if (state.samples) {
    const Samples& now = *state.samples;
    line("rates    " + short_number(rate(state, "code_execution_total")) + " runs/s, " +
         short_number(rate(state, "tool_calls_total")) + " tool calls/s, " +
         short_number(rate(state, "code_execution_blocked_total")) + " blocked/s; a run takes " +
         short_number(mean(now, "code_execution_duration_ms")) + " ms, its start " +
         short_number(mean(now, "sandbox_startup_ms")) + " ms");
    line("pool     " + short_number(sum_of(now, "sandbox_pool_size").value_or(0)) + " waiting, " +
         short_number(sum_of(now, "sandbox_busy").value_or(0)) + " busy, " +
         short_number(sum_of(now, "sandbox_queued").value_or(0)) + " queued, " +
         short_number(sum_of(now, "sandbox_pool_misses_total").value_or(0)) + " misses");
    line("process  " + short_number(sum_of(now, "process_resident_memory_bytes").value_or(0) / 1048576) + " MB, " +
         short_number(100 * rate(state, "process_cpu_seconds_total")) + " % CPU, " +
         short_number(sum_of(now, "process_open_fds").value_or(0)) + " files");
    std::string servers;
    const auto calls = by_label(now, "tool_calls_total", "server");
    for (const auto& [server, up] : by_label(now, "tool_server_up", "server")) {
      const auto called = calls.find(server);
      servers += (servers.empty() ? "" : ", ") + server + (up > 0 ? "" : " DOWN") + " " +
                 short_number(called == calls.end() ? 0 : called->second);
    }
    line("servers  " + (servers.empty() ? "none" : servers));
  } else if (!state.no_samples.empty()) {
    line("pool     unknown: " + state.no_samples);
  }
  line("");
  line(fitted("RUN", 32) + fitted("STATUS", 11) + fitted("TIME", 9) + fitted("CLIENT", 25) + "INTENT");
  std::size_t used = static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n'));
  for (const store::RunRecord& run : state.runs) {
    if (++used > height) break;
    line(fitted(run.id, 32) + fitted(std::string(store::name_of(run.status)), 11) +
         fitted(age((run.ended ? *run.ended : state.now) - run.created), 9) +
         fitted(gateway::shown_client(run.client, run.config), 25) + first_line(run.intent, 60));
  }
  return out;
}

std::string top_json(const TopState& state) {
  const Lately sums = lately(state);
  const std::string gateways = json_list(state.nodes, [](const store::NodeRecord& node) {
    ObjectText one;
    return one.text("id", node.id).text("host", node.host).number("pid", node.pid).text("version", node.version).done();
  });
  const std::string newest = json_list(state.runs, [](const store::RunRecord& run) {
    ObjectText one;
    one.text("id", run.id).text("status", store::name_of(run.status)).number("created", run.created);
    return one.text("client", run.client).done();
  });
  ObjectText out, runs;
  runs.number("running", sums.running).number("waiting", sums.waiting).number("endedLastMinute", sums.ended);
  runs.number("failedLastMinute", sums.failed).json("newest", newest);
  out.flag("ok", true).json("gateways", gateways).json("runs", runs.done()).number("approvalsPending", state.approvals);
  if (!state.samples) {
    out.json("rates", "null").json("pool", "null").json("servers", "null");
    return out.text("why", state.no_samples).done();
  }
  const Samples& now = *state.samples;
  const auto figure = [&](std::string_view name) { return short_number(sum_of(now, name).value_or(0)); };
  ObjectText rates, pool;
  rates.json("runsPerSecond", short_number(rate(state, "code_execution_total")));
  rates.json("toolCallsPerSecond", short_number(rate(state, "tool_calls_total")));
  rates.json("blockedPerSecond", short_number(rate(state, "code_execution_blocked_total")));
  pool.json("waiting", figure("sandbox_pool_size")).json("busy", figure("sandbox_busy"));
  pool.json("queued", figure("sandbox_queued")).json("misses", figure("sandbox_pool_misses_total"));
  ListText servers;
  const auto calls = by_label(now, "tool_calls_total", "server");
  for (const auto& [server, up] : by_label(now, "tool_server_up", "server")) {
    const auto called = calls.find(server);
    const std::string count = short_number(called == calls.end() ? 0 : called->second);
    servers.json(ObjectText().text("name", server).flag("up", up > 0).json("calls", count).done());
  }
  return out.json("rates", rates.done()).json("pool", pool.done()).json("servers", servers.done()).done();
}

}  // namespace glovebox::cli
