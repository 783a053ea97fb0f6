#include "gateway/direct/direct_runs.h"

#include <pthread.h>

#include <boost/asio/post.hpp>

namespace glovebox::gateway {

DirectRuns::~DirectRuns() {
  if (!io_) return;
  boost::asio::post(*io_, [this] {
    for (const auto& weak : under_way_) {
      if (const auto run = weak.lock()) run->cancel();
    }
  });
  work_.reset();
  thread_.join();
}

DirectRuns::Place DirectRuns::take_place() {
  const auto give_back = [taken = taken_](void*) { --*taken; };
  Place place(taken_.get(), give_back);
  if (++*taken_ > most_) return nullptr;  // and what was taken is given back
  return place;
}

std::function<void()> DirectRuns::begin(RunRequest request, DirectCall call, DirectRun::Done done, Place place) {
  {
    const std::lock_guard lock(mutex_);
    if (!io_) {
      io_ = std::make_shared<Io>(1);
      work_.emplace(io_->get_executor());
      thread_ = std::thread([io = io_] {
        ::pthread_setname_np(::pthread_self(), "direct runs");
        io->run();
      });
    }
  }
  auto ended = [place = std::move(place), done = std::move(done)](Outcome outcome) mutable {
    place.reset();
    done(std::move(outcome));
  };
  const auto run = std::make_shared<DirectRun>(io_, std::move(request), std::move(call), std::move(ended));
  boost::asio::post(*io_, [this, run] {
    std::erase_if(under_way_, [](const auto& weak) { return weak.expired(); });
    under_way_.push_back(run);
    run->start();
  });
  return [io = io_, weak = std::weak_ptr(run)] {
    boost::asio::post(*io, [weak] {
      if (const auto alive = weak.lock()) alive->cancel();
    });
  };
}

}  // namespace glovebox::gateway
