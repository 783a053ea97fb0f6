// Waiting for what must come to pass without saying how soon: speed is measured elsewhere.
#pragma once

#include <chrono>
#include <thread>

namespace glovebox::attack {

// A process that was killed is gone within a moment; how long a busy machine takes for it is not what is tested.
inline constexpr std::chrono::seconds kPatience{60};

// Less for the tests of the oracle itself, where what is waited for must not come.
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
