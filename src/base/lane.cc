#include "base/lane.h"

#include <signal.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "base/cores/staying_thread.h"

namespace glovebox::base {

struct Lane::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  bool started = false;
  bool closed = false;
  bool works = false;

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return closed || !jobs.empty(); });
      if (closed) return;
      {
        const auto job = std::move(jobs.front());
        jobs.pop_front();
        works = true;
        lock.unlock();
        job();
      }
      lock.lock();
      works = false;
      if (jobs.empty()) changed.notify_all();
    }
  }
};

Lane::Lane() : state_(std::make_shared<State>()) {}

Lane::~Lane() {
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    dropped.swap(state_->jobs);
  }
  state_->changed.notify_one();
}

void Lane::post(std::function<void()> job) {
  const std::lock_guard lock(state_->mutex);
  state_->jobs.push_back(std::move(job));
  if (!std::exchange(state_->started, true)) {
    // Signals are for the threads of the program that we are part of.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const RoamingStart roaming;
    std::thread([state = state_] { state->work(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  state_->changed.notify_all();
}

void Lane::wait_for_posted() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->jobs.empty() && !state_->works; });
}

void Lane::drop_waiting() {
  std::deque<std::function<void()>> dropped;
  const std::lock_guard lock(state_->mutex);
  dropped.swap(state_->jobs);
}

}  // namespace glovebox::base
