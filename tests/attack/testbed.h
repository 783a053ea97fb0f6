// The gateway under attack: this very process, with a Sandbox for each kind of guest and canaries around it.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "canaries.h"
#include "glovebox/sandbox.h"
#include "program_file.h"

namespace glovebox::attack {

inline constexpr std::size_t kPoolSize = 1;

// What a library_path of SandboxOptions must be for this kind of guest.
std::string guest_library(GuestKind kind);

// Runs to the end or, when the limits of the run did not end it, cancels it and says nothing.
std::optional<Outcome> run_to_end(Sandbox& sandbox, RunRequest request);

class Testbed {
 public:
  // Made on first use, so that listing the tests starts nothing.
  static Testbed& instance();

  Canaries& canaries() { return canaries_; }
  // Started, and every path of the gateway that a run can take has been taken once.
  Sandbox& sandbox(GuestKind kind);
  // Until every pool is full, as the gateway sees it.
  void wait_until_warm();
  // Zygotes and waiting guests when no run is under way.
  std::size_t processes_at_rest() const { return sandboxes_.size() * (1 + kPoolSize); }

 private:
  Canaries canaries_;
  std::map<GuestKind, Sandbox> sandboxes_;
};

}  // namespace glovebox::attack
