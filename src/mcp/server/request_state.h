// Sealed requestState: what a server that keeps nothing between two rounds hands to the client to send back.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::mcp {

using StateKey = std::array<std::uint8_t, 32>;

// A fresh key. A server that must open its own state after a restart stores the key itself.
StateKey random_state_key();

// Who may present a state, and with which request. Neither is in the state; both must match to open it.
struct StateBinding {
  std::string_view principal;
  // The method and a digest of the parameters that a retry repeats.
  std::string_view request;
};

// AES-256-GCM: the client can neither read nor change the state, and a state of another principal or request does not
// open. The client may present the same state twice until it expires; what must happen once is for the handler to
// ensure.
class StateSealer {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit StateSealer(StateKey key) : key_(key) {}

  std::string seal(std::string_view payload, const StateBinding& binding, Time expiry) const;
  Result<std::string> open(std::string_view sealed, const StateBinding& binding, Time now) const;

 private:
  StateKey key_;
};

}  // namespace glovebox::mcp
