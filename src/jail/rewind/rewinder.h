// Makes guests that have ended a small run what they were before it, on a thread of its own: whatever a guest does to
// delay that, delays only other guests that are being rewound.
//
// The thread also answers the kernel when a guest is about to change its address space (the filter of the zygote asks).
// The answer is always "go on", and such a guest is never rewound again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

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
  struct Job {
    enum class Kind : char { kRemember, kRewind, kForget } kind;
    Guest guest;
    Answer answer{};
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    std::optional<HeldGuest> held{};
  };
  void add(Job job);
  void run();
  bool wait_for_work();
  void allow_change();
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
  std::set<pid_t> changed_;
  std::thread thread_;
};

}  // namespace glovebox::jail
