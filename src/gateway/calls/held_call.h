// Holds the first call of a guest that runs while its code is checked, until the verdict. The guest calls on the
// Sandbox's thread, and the gateway opens on its own, in either order.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace glovebox::gateway {

class HeldCall {
 public:
  // For RunRequest::before_first_call. If it is never opened, `go` is dropped.
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
