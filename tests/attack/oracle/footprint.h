// The resources that this process, the gateway, uses, and how long the machine makes it wait.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/sanitized.h"

namespace glovebox::attack {

// To be called before the first thread: of memory that threads have freed, the allocator returns only what was in the
// main arena.
void allocate_in_one_arena();

// Resident memory once the allocator has returned what it can.
std::size_t resident_bytes();

// The peak of memory since the last call of forget_peak.
void forget_peak();
std::size_t peak_bytes();

std::size_t count_descriptors();
std::size_t count_threads();

// How long each thread of this process has been runnable without a CPU; under 0, how long a hypervisor has taken the
// CPUs themselves.
using Waits = std::map<pid_t, std::chrono::nanoseconds>;
Waits waits_for_processor();
// The sum since then; nothing if the kernel does not report it.
std::optional<double> waited_ms_since(const Waits& before);
// "load 2.31 on 2 processors", for the message of a bound that depends on it.
std::string load_now();

// Lines of mountinfo.
std::vector<std::string> mounts();

// The sanitizers keep freed memory on purpose, so growth says nothing there.
inline const bool kMemoryIsMeaningful = !base::is_sanitized();

}  // namespace glovebox::attack
