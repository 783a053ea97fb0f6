// Puts a guest and its loop on one core while they take turns.
//
// A guest that makes one call after the other never works while its loop does. On two cores every frame then wakes an
// idle core, which takes longer than the answer to a small call. So if there is only one run and its calls come one at
// a time, in quick succession, the guest gets the core of the loop's thread, and both stay there as long as that goes
// on. Nothing depends on it but speed. Everything here happens on the loop's thread.
#pragma once

#include <cstddef>

#include "jail/guest_process.h"

namespace glovebox::broker {

// The decision alone.
class TurnTaking {
 public:
  enum class Advice { kNone, kShare, kPart };

  // The guest has made a call; `alone`: no other call of it is under way.
  Advice call(bool alone);
  // The run is polled, which happens every few milliseconds.
  Advice poll();
  void part();

 private:
  std::size_t in_a_row_ = 0;  // calls, each alone
  std::size_t since_poll_ = 0;
  std::size_t polls_ = 0;  // while the core is shared
  bool shares_ = false;
};

class SharedCore {
 public:
  void run_began();
  void run_ended();
  // `guest` stays valid until its run ends.
  void call_made(const jail::GuestProcess& guest, bool alone);
  // A call that may start threads elsewhere, which would inherit the core.
  void part();
  void polled(const jail::GuestProcess& guest);

 private:
  void follow(TurnTaking::Advice advice, const jail::GuestProcess& guest);

  std::size_t runs_ = 0;
  TurnTaking turns_;
  const jail::GuestProcess* guest_ = nullptr;  // that shares the loop's core
};

}  // namespace glovebox::broker
