// For tests: the thread of a store does nothing for a while, as with a database that hangs.
#pragma once

#include <future>
#include <utility>

#include "store/store.h"

namespace glovebox::store {

class StandingStill {
 public:
  explicit StandingStill(Store& store) {
    store.post([this, go = go_.get_future().share()](Store&) {
      stands_.set_value();
      go.wait();
    });
    stands_.get_future().wait();
  }
  ~StandingStill() { let_go(); }
  StandingStill(const StandingStill&) = delete;
  StandingStill& operator=(const StandingStill&) = delete;
  void let_go() {
    if (!std::exchange(has_gone_, true)) go_.set_value();
  }

 private:
  std::promise<void> stands_;
  std::promise<void> go_;
  bool has_gone_ = false;
};

}  // namespace glovebox::store
