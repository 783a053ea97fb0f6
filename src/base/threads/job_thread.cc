#include "base/threads/job_thread.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace glovebox::base {

JobThread::JobThread(Options options) : options_(std::move(options)), stop_(::eventfd(0, EFD_CLOEXEC)) {}

bool JobThread::post(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  if (ending_ || jobs_.size() >= options_.most_waiting) return false;
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  changed_.notify_one();
  return true;
}

void JobThread::end() {
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    dropped.swap(jobs_);
  }
  changed_.notify_one();
  const std::uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

void JobThread::work() {
  // A process that has ended is noticed by an error, not by a signal.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const bool woken = changed_.wait_for(lock, options_.idle_time, [this] { return ending_ || !jobs_.empty(); });
    if (ending_) break;
    std::function<void()> job = options_.rest;
    if (woken) {
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    lock.unlock();  // the end of a process takes milliseconds
    job();
    job = nullptr;
    lock.lock();
  }
  lock.unlock();
  options_.rest();
}

}  // namespace glovebox::base
