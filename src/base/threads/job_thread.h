// A thread that does one job after another with something that only it uses, such as a process that dies with the
// thread that started it. It starts with its first job, and is waited for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "base/unique_fd.h"

namespace glovebox::base {

class JobThread {
 public:
  struct Options {
    std::size_t most_waiting = 0;           // jobs that have not begun
    std::chrono::milliseconds idle_time{};  // without a job, after which it rests
    std::function<void()> rest;             // on the thread, which gives up what it has; also before it ends
  };

  explicit JobThread(Options options);
  ~JobThread() { end(); }
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // False: too many wait, and this one is dropped.
  bool post(std::function<void()> job);
  // Jobs that have not begun are dropped. The one that has is waited for, and learns by stop() that it should end.
  void end();
  bool is_ending() const { return ending_; }
  // A descriptor: readable once it is ending.
  int stop() const { return stop_.get(); }

 private:
  void work();

  const Options options_;
  const UniqueFd stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace glovebox::base
