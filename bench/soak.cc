#include "soak.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "process_tree.h"

namespace glovebox::bench {
namespace {

// Everything between the gateway and its guests: the zygote and, if there is one, its launcher.
std::size_t resident_kib_above_guests() {
  const auto all = descendants_of(getpid());
  int deepest = 0;
  for (const auto& process : all) deepest = std::max(deepest, process.depth);
  std::size_t kib = 0;
  for (const auto& process : all) {
    if (process.depth < deepest) kib += resident_kib(process.pid).value_or(0);
  }
  return kib;
}

Result<Figures> observe(Sandbox& sandbox, std::size_t runs_so_far) {
  if (auto warm = sandbox.wait_until_warm(); !warm.ok()) return std::move(warm).failure();
  // The last guest may be dead but not reaped yet.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return Figures()
      .add("runs", runs_so_far)
      .add("gateway_rss_kib", resident_kib(getpid()).value_or(0))
      .add("zygote_rss_kib", resident_kib_above_guests())
      .add("descriptors", open_descriptor_count())
      .add("processes", descendants_of(getpid()).size())
      .add("mounts", mount_count());
}

Result<void> run_many(Sandbox& sandbox, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    const Outcome outcome = sandbox.run({.code = "return 1 + " + std::to_string(i)});
    if (!outcome.ok() || outcome.result_json() != std::to_string(1 + i)) {
      const RunError* error = outcome.error();
      return Failure{ErrorCode::kSandboxUnavailable,
                     "run " + std::to_string(i) + ": " + (error ? error->message : "wrong answer")};
    }
  }
  return {};
}

}  // namespace

Result<Figures> soak(Sandbox& sandbox, std::size_t runs) {
  // Allocators and queues find their working size in the first runs; growth is counted after them.
  const std::size_t warm_up = std::min<std::size_t>(runs / 10, 500);
  const auto begin = std::chrono::steady_clock::now();
  Figures report;
  report.add("runs", runs);

  const std::pair<const char*, std::size_t> stages[] = {{"start", warm_up}, {"middle", runs / 2}, {"end", runs}};
  std::size_t finished = 0;
  for (const auto& [name, until] : stages) {
    if (auto ran = run_many(sandbox, finished, until - finished); !ran.ok()) return std::move(ran).failure();
    finished = until;
    auto seen = observe(sandbox, finished);
    if (!seen.ok()) return std::move(seen).failure();
    report.add(name, *seen);
  }
  report.add("seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return report;
}

}  // namespace glovebox::bench
