// A command's side: asks the keeper for its engine, while the command's own parts are being loaded.
#pragma once

#include <optional>

#include "base/unique_fd.h"
#include "standby/handover.h"

namespace glovebox::standby {

// How long engines stand by, as an owner writes it: 60s. Not set, or empty: none does.
inline constexpr const char* kVariable = "GLOVEBOX_STANDBY";

class Request {
 public:
  // Does not wait. Nothing if no engine stands by.
  static std::optional<Request> send();
  // Waits for a moment at most. Nothing: the command starts an engine of its own.
  std::optional<StandbyEngine> receive();
  // Its engine is killed when this is closed, and reports its wait status here when it ends.
  base::UniqueFd take_connection() { return std::move(connection_); }

 private:
  explicit Request(base::UniqueFd connection) : connection_(std::move(connection)) {}
  base::UniqueFd connection_;
};

}  // namespace glovebox::standby
