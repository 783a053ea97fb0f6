// The thread of runs without a guest. It is started with the first of them.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gateway/direct/direct_call.h"

namespace glovebox::gateway {

class DirectRuns {
 public:
  explicit DirectRuns(std::size_t most) : most_(most) {}
  DirectRuns(const DirectRuns&) = delete;
  DirectRuns& operator=(const DirectRuns&) = delete;
  // Cancels runs that are under way; their `done` is called.
  ~DirectRuns();

  // A slot for one run, until it is dropped. From any thread; null if all slots are taken.
  using Place = std::shared_ptr<void>;
  Place take_place();
  // From any thread. `done` is called once, on the thread of these runs, when the slot is free again. Returns a
  // function that cancels the run.
  std::function<void()> begin(RunRequest request, DirectCall call, DirectRun::Done done, Place place = {});

 private:
  using Io = boost::asio::io_context;
  const std::size_t most_;
  const std::shared_ptr<std::atomic<std::size_t>> taken_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::mutex mutex_;
  std::shared_ptr<Io> io_;
  std::optional<boost::asio::executor_work_guard<Io::executor_type>> work_;
  std::thread thread_;
  std::vector<std::weak_ptr<DirectRun>> under_way_;
};

}  // namespace glovebox::gateway
