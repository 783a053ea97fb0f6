// The first call of a guest that runs while its code is checked: it waits until the verdict is there. It is asked for
// on the Sandbox's thread and opened on the gateway's, in either order.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace glovebox::gateway {

class HeldCall {
 public:
  // For RunRequest::before_first_call. One that is never opened drops `go`.
  void when_open(std::function<void()> go) {
    {
      const std::lock_guard lock(mutex_);
      if (!open_) {
        go_ = std::move(go);
        return;
      }
    }
    go();
  }

  void open() {
    std::function<void()> go;
    {
      const std::lock_guard lock(mutex_);
      open_ = true;
      go = std::exchange(go_, nullptr);
    }
    if (go) go();
  }

 private:
  std::mutex mutex_;
  bool open_ = false;
  std::function<void()> go_;
};

}  // namespace glovebox::gateway
