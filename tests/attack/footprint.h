// What this process, the gateway, takes from the machine.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/sanitized.h"

namespace glovebox::attack {

// To be called before the first thread: of what threads have freed, the allocator returns only what was in the main
// arena.
void allocate_in_one_arena();

// Resident memory once the allocator has returned what it can.
std::size_t resident_bytes();

// The most memory since the last call of forget_peak.
void forget_peak();
std::size_t peak_bytes();

std::size_t count_descriptors();
std::size_t count_threads();

// Lines of mountinfo.
std::vector<std::string> mounts();

// The sanitizers keep freed memory on purpose, so growth says nothing there.
inline const bool kMemoryIsMeaningful = !base::is_sanitized();

}  // namespace glovebox::attack
