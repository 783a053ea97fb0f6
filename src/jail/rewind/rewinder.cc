#include "jail/rewind/rewinder.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/cores/slice.h"
#include "jail/process_state.h"

namespace glovebox::jail {
namespace {

// Since Linux 6.6: who asks and who answers take turns on one core. Debian 12's headers do not know it.
constexpr unsigned long kSetFlags = _IOW('!', 4, std::uint64_t);
constexpr std::uint64_t kTakeTurns = 1;

// For a guest that is to stop, and for one that is to wait. On a busy machine both take as long as it keeps them from
// running.
constexpr int kYields = 30;
constexpr long kFirstPauseNs = 50'000;
constexpr int kLongerPauses = 4;  // each twice as long as the one before
constexpr std::chrono::seconds kLongestWait{5};

// Calls that change an address space, in a second. Programs that allocate gigabytes make half as many. Each further one
// is allowed a little later, so that a guest that only makes such calls does not keep us busy.
constexpr std::size_t kManyChanges = 8'000;
constexpr std::chrono::milliseconds kLater{1};

// The process is alive, so its number is still its own.
bool is_alive(const Rewinder::Guest& guest) {
  return ::syscall(SYS_pidfd_send_signal, guest.pidfd, 0, nullptr, 0) == 0;
}

// Neither has we sent what it has not read, nor has it sent what we have not read.
bool is_drained(int socket) {
  int unread = -1, unheard = -1;
  return ::ioctl(socket, SIOCOUTQ, &unread) == 0 && unread == 0 && ::ioctl(socket, FIONREAD, &unheard) == 0 &&
         unheard == 0;
}

}  // namespace

Rewinder::Rewinder(base::UniqueFd changes, pid_t zygote)
    : changes_(std::move(changes)), zygote_(zygote), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  ::ioctl(changes_.get(), kSetFlags, kTakeTurns);  // refused by older kernels
  thread_ = std::thread([this] {
    base::answer_soon();
    run();
  });
}

Rewinder::~Rewinder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ::eventfd_write(bell_.get(), 1);
  thread_.join();
}

void Rewinder::remember(Guest guest, Answer answer) {
  add({Job::Kind::kRemember, guest, std::move(answer)});
}

void Rewinder::rewind(Guest guest, Answer answer) {
  add({Job::Kind::kRewind, guest, std::move(answer)});
}

void Rewinder::forget(pid_t pid) {
  add({Job::Kind::kForget, {pid}});
}

void Rewinder::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  ::eventfd_write(bell_.get(), 1);
}

void Rewinder::run() {
  while (wait_for_work()) {
    std::deque<Job> jobs;
    {
      const std::lock_guard lock(mutex_);
      jobs.swap(jobs_);
    }
    if (!jobs.empty()) turns_ = 0;
    for (Job& job : jobs) under_way_.push_back(std::move(job));
    // All are told to stop before the first is waited for.
    turns_ = std::erase_if(under_way_, [this](Job& job) { return work_on(job); }) > 0 ? 0 : turns_ + 1;
  }
}

// False: the end.
bool Rewinder::wait_for_work() {
  pollfd events[] = {{bell_.get(), POLLIN, 0}, {changes_.get(), POLLIN, 0}};
  // One guest is waited for, of many some stop meanwhile.
  const bool is_quick = under_way_.size() == 1 && turns_ < kYields;
  if (is_quick) ::sched_yield();
  const timespec pause{0, is_quick ? 0 : kFirstPauseNs << std::clamp(turns_ - kYields, 0, kLongerPauses)};
  ::ppoll(events, 2, under_way_.empty() && delayed_.empty() ? nullptr : &pause, nullptr);
  for (; !delayed_.empty() && Clock::now() >= delayed_.front().second; delayed_.pop_front())
    allow_change(delayed_.front().first);
  if (events[1].revents & POLLIN) {
    hear_of_change();
  } else if (events[1].revents) {
    changes_.reset();  // no process has the filter any more
  }
  eventfd_t ignored;
  if (events[0].revents) ::eventfd_read(bell_.get(), &ignored);
  const std::lock_guard lock(mutex_);
  return !ending_;
}

// It is noted before the call is made: a guest that is held while it waits for the answer has not made it.
void Rewinder::hear_of_change() {
  // Kernels may have more to say than the headers know.
  alignas(seccomp_notif) char text[512] = {};
  auto& question = reinterpret_cast<seccomp_notif&>(text);
  if (::ioctl(changes_.get(), SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) return;  // it is gone
  const auto now = Clock::now();
  Changes& changes = changes_by_[static_cast<pid_t>(question.pid)];
  if (now - changes.since >= std::chrono::seconds(1)) changes = {now};
  if (++changes.count <= kManyChanges) return allow_change(question.id);
  delayed_.emplace_back(question.id, now + kLater);
}

void Rewinder::allow_change(std::uint64_t question) {
  alignas(seccomp_notif_resp) char text[512] = {};
  auto& answer = reinterpret_cast<seccomp_notif_resp&>(text);
  answer.id = question;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(changes_.get(), SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

// True: it is done.
bool Rewinder::work_on(Job& job) {
  if (job.kind == Job::Kind::kForget) {
    images_.erase(job.guest.pid);
    changes_by_.erase(job.guest.pid);
    return true;
  }
  const pid_t pid = job.guest.pid;
  const bool is_new = job.kind == Job::Kind::kRemember;
  const bool is_late = Clock::now() - job.since > kLongestWait;
  if (!job.held) {
    if (!is_new && changes_by_.contains(pid)) return end(job, {"it has changed its address space"});
    // A guest that was just forked has much to do before it waits, which is not to be interrupted.
    if (is_new && !is_late && process_state(pid) != 'S') return !is_alive(job.guest) && end(job, {"it is gone"});
    job.held = HeldGuest::begin(pid);
    if (!job.held) {
      const char state = process_state(pid);
      const bool has_ended = state == 'Z' || state == 'X' || state == '\0';
      return end(job, {"the kernel does not let us hold it", !has_ended});
    }
  }
  const auto state = job.held->poll();
  if (state == HeldGuest::State::kStopping && !is_late) return false;
  if (state != HeldGuest::State::kHeld || !is_alive(job.guest)) return end(job, {"it is gone, or does not stop"});
  if (is_new && !job.held->waits_for_a_frame() && !is_late) {
    job.held.reset();
    return false;
  }
  return end(job, is_new ? remember_now(job) : Verdict{rewind_now(job)});
}

// True.
bool Rewinder::end(Job& job, Verdict verdict) {
  job.held.reset();
  job.answer(verdict);
  return true;
}

Rewinder::Verdict Rewinder::remember_now(Job& job) {
  if (!job.held->waits_for_a_frame()) return {"it does not wait for a frame"};
  if (!memory_ && why_no_memory_.empty()) {
    auto memory = ZygoteMemory::examine(zygote_, job.guest.pid);
    if (memory) {
      memory_ = std::move(*memory);
    } else {
      why_no_memory_ = memory.failure().message;
    }
  }
  if (!memory_) return {why_no_memory_.c_str(), true};
  changes_by_.erase(job.guest.pid);
  GuestImage image;
  const char* const why_not = image.capture(*job.held, job.guest.pid, *memory_);
  if (!why_not) images_.insert_or_assign(job.guest.pid, std::move(image));
  return {why_not};
}

// It is held, so it waits for no answer of the kernel: each change that it has asked for is noted, or was not made.
const char* Rewinder::rewind_now(Job& job) {
  const auto image = images_.find(job.guest.pid);
  if (image == images_.end()) return "it was not remembered";
  if (changes_by_.contains(job.guest.pid)) return "it has changed its address space";
  if (!is_drained(job.guest.socket)) return "there is something in its socket";
  return image->second.restore(*job.held, job.guest.pid, *memory_);
}

}  // namespace glovebox::jail
