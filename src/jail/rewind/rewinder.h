// Makes guests that have ended a small run what they were before it, on a thread of its own: whatever a guest does to
// delay that, delays only other guests that are being rewound.
//
// The thread also answers the kernel when a guest is about to change its address space (the filter of the zygote asks).
// The answer is always "go on", and such a guest is never rewound again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/unique_fd.h"
#include "jail/rewind/guest_image.h"
#include "jail/rewind/held_guest.h"
#include "jail/rewind/zygote_memory.h"

namespace glovebox::jail {

class Rewinder {
 public:
  // Whose descriptors stay open until the answer.
  struct Guest {
    pid_t pid = -1;  // as we see it
    int pidfd = -1;
    int socket = -1;
  };
  struct Verdict {
    const char* why_not = nullptr;  // null: it was done
    bool of_all = false;            // no guest of this zygote can be rewound
  };
  // On the thread of the Rewinder.
  using Answer = std::function<void(Verdict)>;

  // `changes`: where the kernel asks about calls that change an address space.
  Rewinder(base::UniqueFd changes, pid_t zygote);
  // Once the zygote is gone: waits for the guest that is held.
  ~Rewinder();
  Rewinder(const Rewinder&) = delete;
  Rewinder& operator=(const Rewinder&) = delete;

  // From any thread:
  // Of a guest that was just forked, and waits soon: keeps what it is.
  void remember(Guest guest, Answer answer);
  // Of a guest that was remembered, and has ended its run. Without success it must die.
  void rewind(Guest guest, Answer answer);
  void forget(pid_t pid);

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    enum class Kind : char { kRemember, kRewind, kForget } kind;
    Guest guest;
    Answer answer{};
    Clock::time_point since = Clock::now();
    std::optional<HeldGuest> held{};
  };
  struct Changes {
    Clock::time_point since{};
    std::size_t count = 0;
  };
  void add(Job job);
  void run();
  bool wait_for_work();
  void hear_of_change();
  void allow_change(std::uint64_t question);
  bool work_on(Job& job);
  bool end(Job& job, Verdict verdict);
  Verdict remember_now(Job& job);
  const char* rewind_now(Job& job);

  base::UniqueFd changes_;
  const pid_t zygote_;
  const base::UniqueFd bell_;
  std::mutex mutex_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  // Of the thread alone:
  std::list<Job> under_way_;  // guests that are about to wait, and those that are about to stop
  int turns_ = 0;             // since one of them did
  std::optional<ZygoteMemory> memory_;
  std::string why_no_memory_;
  std::map<pid_t, GuestImage> images_;
  std::map<pid_t, Changes> changes_by_;                              // guests that have changed their address space
  std::deque<std::pair<std::uint64_t, Clock::time_point>> delayed_;  // questions, and when they are answered
  std::thread thread_;
};

}  // namespace glovebox::jail
