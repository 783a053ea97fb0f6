// The thread that runs without a guest live on. It is started with the first of them.
#pragma once

#include <boost/asio.hpp>
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
  DirectRuns() = default;
  DirectRuns(const DirectRuns&) = delete;
  DirectRuns& operator=(const DirectRuns&) = delete;
  // Those under way are cancelled, and told so.
  ~DirectRuns();

  // From any thread. `done` is called once, on the thread of these runs. Gives what cancels the run.
  std::function<void()> begin(RunRequest request, DirectCall call, DirectRun::Done done);

 private:
  using Io = boost::asio::io_context;
  std::mutex mutex_;
  std::shared_ptr<Io> io_;
  std::optional<boost::asio::executor_work_guard<Io::executor_type>> work_;
  std::thread thread_;
  std::vector<std::weak_ptr<DirectRun>> under_way_;
};

}  // namespace glovebox::gateway
