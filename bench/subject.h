// Glovebox as a subject of the benchmark: the commands that the peers answer (peers/serve_subject.mjs), answered by a
// Sandbox.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "figures.h"
#include "glovebox/sandbox.h"

namespace glovebox::bench {

class Subject {
 public:
  static Result<Subject> start(SandboxOptions options);

  // One run at a time, each a source text that was never seen before. → { p50, p99, cpu_ms, guest_cpu_ms, pooled, ms:
  // […] } The pool is full again before the next sample starts: this is the latency of a run that finds a waiting
  // guest, not the rate at which guests can be made (throughput() measures that). Making the replacement counts in
  // cpu_ms.
  Result<Figures> sample(std::size_t count);
  // The same with type annotations, so that the type stripper takes part.
  Result<Figures> sample_typescript(std::size_t count);
  // The same in Python. The process and its pool start with the first of them.
  Result<Figures> sample_python(std::size_t count);

  // `concurrency` runs in flight, without pause. → { runs_per_second }
  Result<Figures> throughput(std::size_t concurrency, std::chrono::milliseconds duration);

  // A JSON context of `bytes` in and the same out. → as sample()
  Result<Figures> context(std::size_t bytes, std::size_t count);

  // A whole program, in a new guest each time, timed by the host: the guest's own clock stands still while code runs.
  // → { ms: […] (execution time), cpu_ms: […], result }
  Result<Figures> program(const std::string& source, std::size_t count);

  // Private memory of a guest that waits and of one that is in the middle of a run. → { waiting_mb, running_mb }
  // `waiting_mb` is null without a pool, and both are null where the system does not let us measure.
  Result<Figures> memory();

  Sandbox& sandbox() { return sandbox_; }

 private:
  Subject(Sandbox sandbox, std::size_t pool_size, std::string conversation)
      : sandbox_(std::move(sandbox)), pool_size_(pool_size), conversation_(std::move(conversation)) {}
  template <typename MakeRequest>
  Result<Figures> measure_block(std::size_t count, MakeRequest make_request);

  Sandbox sandbox_;
  std::size_t pool_size_;
  std::string conversation_;  // of all its runs
  std::size_t next_number_ = 1;
};

}  // namespace glovebox::bench
