// A guest that is held still from outside, by ptrace: what it was when it stopped, and what it is when it continues.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace glovebox::jail {

struct Registers {
  user_regs_struct general{};
  std::vector<std::byte> extended;  // x87, SSE, AVX, protection keys: as the kernel hands them out
};

// All of it on one thread: the kernel takes requests only from the thread that began to trace.
class HeldGuest {
 public:
  // Begins to stop it. Nothing: it is gone, or the kernel refuses.
  static std::optional<HeldGuest> begin(pid_t pid);
  // Until it has stopped, which takes microseconds, or as long as other processes keep it from running. One that does
  // not stop for seconds is killed.
  static std::optional<HeldGuest> hold(pid_t pid);
  HeldGuest(HeldGuest&& other) noexcept;
  HeldGuest& operator=(HeldGuest&& other) noexcept;
  ~HeldGuest();  // lets it go; one that has not stopped is killed

  enum class State : char { kStopping, kHeld, kGone };
  State poll();

  // Only while it is held:
  // It waits for its next frame, in a call that the kernel would begin anew.
  bool waits_for_a_frame() const;
  // As they are when that call is about to begin.
  std::optional<Registers> registers_before_the_call() const;
  // False: it cannot be made to have these.
  bool set(const Registers& wanted) const;

 private:
  explicit HeldGuest(pid_t pid) : pid_(pid) {}
  void let_go();
  std::optional<Registers> registers() const;
  std::optional<user_regs_struct> general() const;

  pid_t pid_;
  State state_ = State::kStopping;
};

}  // namespace glovebox::jail
