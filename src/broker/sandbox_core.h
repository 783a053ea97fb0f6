// Behind Sandbox: the zygote, the pool of waiting guests and the runs in progress. Everything here belongs to one loop
// thread; other threads only post to it.
#pragma once

#include <boost/asio.hpp>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "broker/session.h"
#include "glovebox/sandbox.h"
#include "jail/launcher.h"

namespace glovebox::broker {

class SandboxCore : public std::enable_shared_from_this<SandboxCore> {
 public:
  using Done = std::function<void(Outcome)>;
  using Clock = std::chrono::steady_clock;

  SandboxCore(std::shared_ptr<boost::asio::io_context> io, SandboxOptions options);

  // From any thread, as long as the loop lives.
  void post_cancel(std::uint64_t run_id);

  // On the loop thread:
  // With `plan`, the names of servers, the code is not run but read: the result is the plan.
  void submit(std::uint64_t run_id, RunRequest request, GrantSet grants, Clock::time_point submitted,
              std::optional<std::vector<std::string>> plan, Done done);
  void cancel(std::uint64_t run_id);
  Result<void> ensure_zygote();
  void when_warm(std::function<void(Result<void>)> callback);
  void stop();

 private:
  struct QueuedRun {
    std::uint64_t id;
    RunRequest request;
    GrantSet grants;
    Clock::time_point submitted;
    std::optional<std::vector<std::string>> plan;
    Done done;
  };
  struct Spawning {
    base::UniqueFd socket;
    bool warm;
  };

  void advance();  // matches waiting runs with guests, asks for the guests that are lacking
  void start_run(QueuedRun run, jail::GuestProcess guest);
  Result<void> request_guest(bool warm);
  void wait_for_zygote_messages();
  void read_zygote_messages();
  void on_spawned(std::uint64_t guest_id, int error_number, base::UniqueFd pidfd);
  void on_exited(std::uint64_t guest_id, int wait_status);
  void lose_zygote();
  void fail_waiting_runs(const Failure& failure);
  void watch_zygote();  // while guests are asked for
  void tell_who_waits_for_warmth();

  std::shared_ptr<boost::asio::io_context> loop_;
  boost::asio::io_context& io_;
  SandboxOptions options_;
  std::shared_ptr<HttpLoader> http_;
  std::optional<jail::ZygoteProcess> zygote_;
  std::optional<boost::asio::posix::stream_descriptor> control_;
  std::vector<std::string> degraded_;
  std::deque<QueuedRun> queue_;
  std::deque<jail::GuestProcess> idle_;
  std::map<std::uint64_t, Spawning> spawning_;
  std::map<std::uint64_t, std::shared_ptr<Session>> by_run_;
  std::map<std::uint64_t, std::weak_ptr<Session>> by_guest_;
  std::vector<std::function<void(Result<void>)>> waiting_for_warmth_;
  boost::asio::steady_timer zygote_watch_;
  bool watching_zygote_ = false;
  bool zygote_spoke_ = false;
  std::uint64_t last_guest_id_ = 0;
  int early_deaths_ = 0;  // guests in a row that ended before they had a run
  bool stopped_ = false;
};

}  // namespace glovebox::broker
