#include "python.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "percentile.h"
#include "process_tree.h"

namespace glovebox::bench {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<pid_t> processes() {
  std::vector<pid_t> found;
  for (const auto& process : descendants_of(getpid())) found.push_back(process.pid);
  return found;
}

// What the guests of Python have to themselves: of all processes those that came with it, but for its zygote, the
// first of them.
double waiting_mb(const std::vector<pid_t>& before) {
  std::vector<pid_t> after = processes();
  std::erase_if(after, [&](pid_t pid) { return std::find(before.begin(), before.end(), pid) != before.end(); });
  if (after.size() < 2) return 0;
  after.erase(std::min_element(after.begin(), after.end()));
  std::vector<double> sizes;
  for (const pid_t pid : after) {
    if (const auto kib = private_dirty_kib(pid)) sizes.push_back(static_cast<double>(*kib) / 1024);
  }
  return sizes.empty() ? 0 : percentile(sizes, 0.5);
}

Result<Figures> run_program(Sandbox& sandbox, const std::string& source, std::size_t count) {
  std::vector<double> ms, cpu_ms;
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    if (auto warm = sandbox.wait_until_warm(Language::kPython); !warm) return std::move(warm).failure();
    const Outcome outcome = sandbox.run({.code = source, .language = Language::kPython});
    if (!outcome.ok()) return Failure{ErrorCode::kSandboxUnavailable, outcome.error()->message};
    ms.push_back(outcome.metrics.execution_ms);
    cpu_ms.push_back(outcome.metrics.cpu_ms);
    result = outcome.result_json();
  }
  return Figures().add("ms", ms).add("cpu_ms", cpu_ms).add("result", result);
}

}  // namespace

Result<Figures> measure_python(std::size_t samples, const std::string& program, std::size_t program_samples) {
  auto sandbox = Sandbox::start({});
  if (!sandbox) return std::move(sandbox).failure();
  if (auto warm = sandbox->wait_until_warm(); !warm) return std::move(warm).failure();
  const std::vector<pid_t> before = processes();
  if (auto warm = sandbox->wait_until_warm(Language::kPython); !warm) return std::move(warm).failure();
  // They say that they wait before they have touched their pages.
  ::sleep(1);
  const double memory = waiting_mb(before);
  std::vector<double> ms;
  for (std::size_t i = 0; i < samples; ++i) {
    const std::string number = std::to_string(i);
    const auto begin = Clock::now();
    const Outcome outcome = sandbox->run({.code = "1 + " + number, .language = Language::kPython});
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    if (!outcome.ok() || outcome.result_json() != std::to_string(i + 1)) {
      return Failure{ErrorCode::kSandboxUnavailable, "a wrong answer: " + to_json(outcome).substr(0, 300)};
    }
    // The next sample finds a guest that has touched its pages.
    if (auto warm = sandbox->wait_until_warm(Language::kPython); !warm) return std::move(warm).failure();
    ::usleep(50'000);
  }
  auto whole = run_program(*sandbox, program, program_samples);
  if (!whole) return std::move(whole).failure();
  return Figures()
      .add("p50", percentile(ms, 0.5))
      .add("p99", percentile(ms, 0.99))
      .add("ms", ms)
      .add("waiting_mb", memory)
      .add("program", *whole);
}

}  // namespace glovebox::bench
