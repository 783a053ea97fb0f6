// Guest side: the warm process that forks a sealed guest for every run. It never sees guest code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "jail/zygote_protocol.h"

namespace glovebox::jail {

struct BootPlan {
  ZygoteKind kind = ZygoteKind::kJavaScript;
  bool warm_typescript = false;
  bool one_run = false;  // the zygote becomes its only guest
  bool rewindable = false;
};

// The engine behind the zygote. Implemented by guest/; the jail knows nothing of JavaScript.
class GuestProgram {
 public:
  virtual ~GuestProgram() = default;
  // Once, in the zygote, before any confinement. Empty on success, else what went wrong.
  virtual std::string boot(const BootPlan& plan) = 0;
  // How much of what boot() made is in huge pages.
  virtual std::size_t huge_page_bytes() const = 0;
  // In a guest: replaces every random state that the fork inherited.
  virtual void reseed(std::span<const unsigned char, 32> entropy) = 0;
  // In a sealed guest of the pool: writes to the pages that a run will write to anyway.
  virtual void touch_pages() = 0;
  // In a sealed guest: serves one run on kGuestSocketFd and does not return.
  [[noreturn]] virtual void serve() = 0;
};

// Serves the control socket until the gateway closes it.
[[noreturn]] void zygote_main(GuestProgram& program);

}  // namespace glovebox::jail
