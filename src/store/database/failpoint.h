// Failpoints: the moments of a write at which tests end the process. The hook can be set only from code, so the shipped
// program has none.
#pragma once

#include <atomic>

namespace glovebox::store {

// `what` is the write (save_step, end_run, …), `moment` where in it: begun, written, committed.
using FailpointHook = void (*)(const char* what, const char* moment);
inline std::atomic<FailpointHook> failpoint_hook{nullptr};

inline void failpoint(const char* what, const char* moment) {
  if (const FailpointHook hook = failpoint_hook.load(std::memory_order_relaxed)) hook(what, moment);
}

}  // namespace glovebox::store
