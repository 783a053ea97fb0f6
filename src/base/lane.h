// A thread that does one thing after another, for work that may block. It starts with its first job.
#pragma once

#include <functional>
#include <memory>

namespace glovebox::base {

class Lane {
 public:
  Lane();
  // Jobs that have not begun are dropped. The one that has begun is not waited for, since it may hang: so a job owns
  // whatever it touches.
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void post(std::function<void()> job);
  void drop_waiting();
  // Until all that was posted is done.
  void wait_for_posted();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::base
