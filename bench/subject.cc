#include "subject.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

#include "percentile.h"
#include "process_tree.h"

namespace glovebox::bench {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Failure unexpected(const Outcome& outcome) {
  const RunError* error = outcome.error();
  return {ErrorCode::kSandboxUnavailable,
          error ? error->code.text() + ": " + error->message : "wrong answer: " + outcome.result_json().substr(0, 200)};
}

struct ExpectedRun {
  RunRequest request;
  std::string answer;  // JSON
};

// What runs in flight share with the function that waits for them. The last callback may still be inside release() when
// the waiting function has gone on, so both hold it.
struct InFlight {
  explicit InFlight(std::size_t free) : slots(static_cast<std::ptrdiff_t>(free)) {}
  std::counting_semaphore<> slots;
  std::atomic<std::size_t> good = 0;
  std::atomic<std::size_t> bad = 0;

  void end_run(bool as_expected) {
    (as_expected ? good : bad).fetch_add(1);
    slots.release();
  }
  void wait_for(std::size_t runs) {
    for (std::size_t i = 0; i < runs; ++i) slots.acquire();
  }
};

// Guests stand deepest in the tree: gateway → (launcher →) zygote → guest.
std::vector<pid_t> guests() {
  const auto all = descendants_of(getpid());
  int deepest = 0;
  for (const auto& process : all) deepest = std::max(deepest, process.depth);
  std::vector<pid_t> found;
  for (const auto& process : all) {
    if (process.depth == deepest) found.push_back(process.pid);
  }
  return found;
}

std::optional<double> median_private_mb(const std::vector<pid_t>& processes) {
  std::vector<double> sizes_mb;
  for (const pid_t pid : processes) {
    if (const auto kib = private_dirty_kib(pid)) sizes_mb.push_back(static_cast<double>(*kib) / 1024);
  }
  if (sizes_mb.empty()) return std::nullopt;
  return percentile(sizes_mb, 0.5);
}

}  // namespace

Result<Subject> Subject::start(SandboxOptions options) {
  const std::size_t pool_size = options.pool_size;
  const std::string conversation = options.reuse == Reuse::kRewind ? "bench" : "";
  auto sandbox = Sandbox::start(std::move(options));
  if (!sandbox.ok()) return std::move(sandbox).failure();
  Subject subject(std::move(sandbox).value(), pool_size, conversation);
  if (auto warm = subject.sandbox_.wait_until_warm(); !warm.ok()) return std::move(warm).failure();
  return subject;
}

template <typename MakeRequest>
Result<Figures> Subject::measure_block(std::size_t count, MakeRequest make_request) {
  std::vector<double> ms;
  double guest_cpu_ms = 0;
  std::size_t pooled = 0;
  std::size_t rewound = 0;
  const double cpu_before = tree_cpu_ms(getpid());
  for (std::size_t i = 0; i < count; ++i) {
    ExpectedRun run = make_request();
    run.request.conversation = conversation_;
    const auto begin = Clock::now();
    Outcome outcome = sandbox_.run(std::move(run.request));
    ms.push_back(ms_since(begin));
    if (!outcome.ok() || outcome.result_json() != run.answer) return unexpected(outcome);
    guest_cpu_ms += outcome.metrics.cpu_ms;
    pooled += outcome.metrics.pooled ? 1 : 0;
    rewound += outcome.metrics.rewound ? 1 : 0;
    if (auto warm = sandbox_.wait_until_warm(); !warm.ok()) return std::move(warm).failure();
  }
  const double cpu_ms = tree_cpu_ms(getpid()) - cpu_before;
  return Figures()
      .add("p50", percentile(ms, 0.5))
      .add("p99", percentile(ms, 0.99))
      .add("cpu_ms", cpu_ms)
      .add("guest_cpu_ms", guest_cpu_ms)
      .add("pooled", pooled)
      .add("rewound", rewound)
      .add("ms", ms);
}

Result<Figures> Subject::sample(std::size_t count) {
  return measure_block(count, [this] {
    const auto number = next_number_++;
    return ExpectedRun{{.code = "return 1 + " + std::to_string(number)}, std::to_string(1 + number)};
  });
}

Result<Figures> Subject::sample_typescript(std::size_t count) {
  return measure_block(count, [this] {
    const auto number = next_number_++;
    const std::string code = "const n: number = " + std::to_string(number) + "; return (1 + n) as number";
    return ExpectedRun{{.code = code}, std::to_string(1 + number)};
  });
}

Result<Figures> Subject::sample_python(std::size_t count) {
  return measure_block(count, [this] {
    (void)sandbox_.wait_until_warm(Language::kPython);  // a failure is the run's, too
    // A guest says that it waits before it has touched its pages.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto number = next_number_++;
    return ExpectedRun{{.code = "1 + " + std::to_string(number), .language = Language::kPython},
                       std::to_string(1 + number)};
  });
}

Result<Figures> Subject::context(std::size_t bytes, std::size_t count) {
  constexpr std::size_t kWrappingBytes = 11;
  const std::string text =
      R"({"text":")" + std::string(std::max(bytes, kWrappingBytes) - kWrappingBytes, 'x') + R"("})";
  return measure_block(count, [&text] { return ExpectedRun{{.code = "return context", .context_json = text}, text}; });
}

Result<Figures> Subject::throughput(std::size_t concurrency, std::chrono::milliseconds duration) {
  const auto in_flight = std::make_shared<InFlight>(concurrency);
  const auto begin = Clock::now();
  while (Clock::now() - begin < duration) {
    in_flight->wait_for(1);
    const auto number = next_number_++;
    sandbox_.submit({.code = "return 1 + " + std::to_string(number), .conversation = conversation_},
                    [in_flight, expected = std::to_string(1 + number)](const Outcome& outcome) {
                      in_flight->end_run(outcome.ok() && outcome.result_json() == expected);
                    });
  }
  in_flight->wait_for(concurrency);
  if (in_flight->bad > 0)
    return Failure{ErrorCode::kSandboxUnavailable, std::to_string(in_flight->bad) + " runs failed"};
  return Figures().add("runs_per_second", static_cast<double>(in_flight->good) * 1e3 / ms_since(begin));
}

Result<Figures> Subject::program(const std::string& source, std::size_t count) {
  std::vector<double> ms;
  std::vector<double> cpu_ms;
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    if (auto warm = sandbox_.wait_until_warm(); !warm.ok()) return std::move(warm).failure();
    const Outcome outcome = sandbox_.run({.code = source});
    if (!outcome.ok()) return unexpected(outcome);
    ms.push_back(outcome.metrics.execution_ms);
    cpu_ms.push_back(outcome.metrics.cpu_ms);
    result = outcome.result_json();
  }
  return Figures().add("ms", ms).add("cpu_ms", cpu_ms).add("result", result);
}

Result<Figures> Subject::memory() {
  if (auto warm = sandbox_.wait_until_warm(); !warm.ok()) return std::move(warm).failure();
  // Page-touching in a fresh guest may still be under way when it reports itself ready.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto waiting = pool_size_ > 0 ? median_private_mb(guests()) : std::nullopt;

  // Runs that have started, computed something and now sleep: their memory is measured while they are alive. More of
  // them than the pool refills, so that the median of all guests is a running one.
  const std::size_t sleepers = 2 * pool_size_ + 3;
  const auto in_flight = std::make_shared<InFlight>(0);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < sleepers; ++i) {
    const std::string code =
        "const n = 1 + " + std::to_string(i) + "; await new Promise((r) => setTimeout(r, 60_000)); return n";
    RunRequest request{.code = code};
    request.config.timeout = std::chrono::milliseconds(90'000);
    runs.push_back(sandbox_.submit(std::move(request), [in_flight](const Outcome& outcome) {
      in_flight->end_run(outcome.error() && outcome.error()->code == "CANCELLED");
    }));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
  const auto running = median_private_mb(guests());
  for (const Run& run : runs) run.cancel();
  in_flight->wait_for(sleepers);
  if (in_flight->bad > 0)
    return Failure{ErrorCode::kSandboxUnavailable, "a sleeping run ended before it was cancelled"};
  return Figures().add("waiting_mb", waiting).add("running_mb", running);
}

}  // namespace glovebox::bench
