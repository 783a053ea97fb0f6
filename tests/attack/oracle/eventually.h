// Waiting for a condition that must come true, however late: speed is measured elsewhere.
#pragma once

#include <chrono>
#include <thread>

namespace glovebox::attack {

// A killed process is gone within a moment; how long a busy machine takes is not what is tested.
inline constexpr std::chrono::seconds kPatience{60};

// Less for the tests of the oracle itself, where the condition must not come true.
inline std::chrono::milliseconds patience_of_eventually = kPatience;

template <typename Condition>
bool eventually(Condition holds) {
  const auto deadline = std::chrono::steady_clock::now() + patience_of_eventually;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace glovebox::attack
