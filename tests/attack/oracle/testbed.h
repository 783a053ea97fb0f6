// The gateway under attack: this process, with a Sandbox for each kind of guest and canaries around it.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>

#include "canaries.h"
#include "glovebox/sandbox.h"
#include "program_file.h"

namespace glovebox::attack {

inline constexpr std::size_t kPoolSize = 1;

// The guest_library_path of SandboxOptions for this kind of guest.
std::string guest_library(GuestKind kind);

// Runs to the end or, if the limits of the run did not end it, cancels it and returns nothing.
std::optional<Outcome> run_to_end(Sandbox& sandbox, RunRequest request);

class Testbed {
 public:
  // Made on first use, so that listing the tests starts nothing.
  static Testbed& instance();

  Canaries& canaries() { return canaries_; }
  // Started, and every path of the gateway that a run can take has been taken once.
  Sandbox& sandbox(GuestKind kind);
  // Waits until every pool is full, as the gateway sees it.
  void wait_until_warm();
  // A sandbox in which another run can be under way beside one of this kind.
  Sandbox& sandbox_of_sibling(GuestKind kind);
  // Zygotes and waiting guests when no run is under way.
  // A zygote and its waiting guests each; the one with Python has two zygotes.
  std::size_t processes_at_rest() const {
    const std::size_t with_pool = 1 + kPoolSize;
    return (sandboxes_.size() + sandboxes_.count(GuestKind::kPython)) * (one_run_ ? 1 : with_pool) +
           (sibling_ ? with_pool : 0);
  }

 private:
  Sandbox start(GuestKind kind, bool one_run);

  Canaries canaries_;
  // Each zygote becomes the guest of one run, as with `glovebox exec`.
  const bool one_run_ = ::getenv("GLOVEBOX_ONE_RUN") != nullptr;
  std::map<GuestKind, Sandbox> sandboxes_;
  std::optional<Sandbox> sibling_;  // if one_run_
};

}  // namespace glovebox::attack
