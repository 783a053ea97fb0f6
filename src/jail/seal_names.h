// The names of the seal steps, for the side that only hears a number.
#pragma once

#include <array>

#include "jail/zygote_protocol.h"

namespace glovebox::jail {

// In the order in which seal.cc applies them, which names its steps from here.
inline constexpr std::array kSealStepNames = {"rlimits",         "no-new-privileges",
                                              "capabilities",    "timestamp-counter",
                                              "die-with-zygote", "descriptors",
                                              "landlock",        "nothing-new",
                                              "reseed",          "seccomp"};

inline const char* seal_step_of_exit(int exit_code) {
  const int step = exit_code - kSealFailedExit;
  return step >= 0 && step < static_cast<int>(kSealStepNames.size()) ? kSealStepNames[static_cast<std::size_t>(step)]
                                                                     : nullptr;
}

}  // namespace glovebox::jail
