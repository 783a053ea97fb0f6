// Keeps a thread on the core where it is, for as long as it takes turns with another thread or process that is put on
// the same core. On two cores, each of them would have to wake up an idle core for the other.
#pragma once

#include <errno.h>
#include <sched.h>

#include <optional>

namespace glovebox::base {

inline cpu_set_t only_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return cores;
}

class StayingThread {
 public:
  // The calling thread.
  static StayingThread& here() {
    thread_local StayingThread thread;
    return thread;
  }

  // Keeps it on that core; without a number, on the one where it is. False: it has no other core anyway, may not use
  // this one, or the kernel refuses.
  bool stay(std::optional<int> core = {}) {
    if (core_ && (!core || core == core_)) return true;
    if (!core_ && ::sched_getaffinity(0, sizeof all_, &all_) != 0) return false;
    const int wanted = core ? *core : ::sched_getcpu();
    if (wanted < 0 || wanted >= CPU_SETSIZE || CPU_COUNT(&all_) < 2 || !CPU_ISSET(wanted, &all_)) return false;
    const cpu_set_t only = only_core(wanted);
    if (::sched_setaffinity(0, sizeof only, &only) != 0) return false;
    core_ = wanted;
    return true;
  }
  // It may use all its cores again.
  void roam() {
    if (core_) ::sched_setaffinity(0, sizeof all_, &all_);
    core_.reset();
  }

  // The core where it stays; nothing: it roams.
  std::optional<int> core() const { return core_; }
  // All cores that it may use. Valid once it has stayed on one.
  const cpu_set_t& all() const { return all_; }

 private:
  StayingThread() = default;
  cpu_set_t all_{};
  std::optional<int> core_;
};

// Around the start of a thread or process: it inherits the cores of the thread that starts it, and must not stay.
class RoamingStart {
 public:
  RoamingStart() {
    if (core_) thread_.roam();
  }
  ~RoamingStart() {
    const int error_number = errno;
    if (core_) thread_.stay(core_);
    errno = error_number;
  }
  RoamingStart(const RoamingStart&) = delete;
  RoamingStart& operator=(const RoamingStart&) = delete;
  // In the new process.
  void begun() { core_.reset(); }

 private:
  StayingThread& thread_ = StayingThread::here();
  std::optional<int> core_ = thread_.core();
};

}  // namespace glovebox::base
