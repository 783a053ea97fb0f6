// Behind Sandbox: the zygote, the pool of waiting guests and the runs in progress. Everything here belongs to one loop
// thread; other threads only post to it.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "broker/begun_runs.h"
#include "broker/run_places.h"
#include "broker/session.h"
#include "glovebox/sandbox.h"
#include "jail/launcher.h"
#include "jail/python_cache.h"
#include "jail/rewind/reusable_guests.h"

namespace glovebox::broker {

class SandboxCore : public std::enable_shared_from_this<SandboxCore> {
 public:
  using Done = std::function<void(Outcome)>;
  using Clock = std::chrono::steady_clock;

  // One language's runs: `kind` is kJavaScript or kPython.
  SandboxCore(std::shared_ptr<boost::asio::io_context> io, SandboxOptions options, jail::ZygoteKind kind,
              std::shared_ptr<calls::HttpLoader> http, std::shared_ptr<RunPlaces> places);
  // To be called when a place has become free, whichever language had it.
  void post_advance();

  // From any thread, as long as the loop lives.
  void post_cancel(std::uint64_t run_id);
  PoolFigures figures() const { return {waiting_.load(), busy_.load(), queued_.load()}; }

  // On the loop thread:
  // With `plan`, a list of server names, the code is analysed instead of run, and the result is the plan.
  void submit(std::uint64_t run_id, RunRequest request, calls::GrantSet grants, Clock::time_point submitted,
              std::optional<std::vector<std::string>> plan, Done done);
  void cancel(std::uint64_t run_id);
  // Booting Python takes longer than the loop may block: for Python, this only begins the boot.
  Result<void> ensure_zygote();
  void when_warm(std::function<void(Result<void>)> callback);
  void stop();

 private:
  struct QueuedRun {
    std::uint64_t id;
    RunRequest request;
    calls::GrantSet grants;
    Clock::time_point submitted;
    std::optional<std::vector<std::string>> plan;
    Done done;
    std::optional<Clock::time_point> placed{};     // when it lacked nothing but a guest
    std::optional<std::size_t> reported_before{};  // how many runs are ahead of it, as last reported

    PlaceWish wish() const { return {request.config.memory_bytes, request.client, request.depth}; }
    jail::ReuseKey reuse_key() const { return {request.client, request.conversation, request.config.memory_bytes}; }
    bool may_share() const { return !request.conversation.empty(); }
  };
  struct Spawning {
    base::UniqueFd socket;
    bool warm;
  };

  void advance();  // matches waiting runs with guests and requests the guests that are missing
  void match_runs();
  std::size_t begin_runs();
  void await_room();
  void request_guests(std::size_t for_runs);
  void tell_who_waits_in_line();
  void note_figures();
  void start_run(QueuedRun run, jail::GuestProcess guest);
  bool postpone_refill();
  Result<jail::LaunchSpec> launch_spec() const;
  Result<void> begin_python();
  Result<void> begin_boot(jail::ZygoteKind kind);
  void on_boot_message();
  Result<void> continue_boot();
  void abandon_boot();
  void report_progress(const char* text) const;
  void adopt(jail::ZygoteProcess zygote);
  void reuse_guests();
  std::size_t guests_on_their_way() const;
  Result<void> request_guest(bool warm);
  void expect_guest(base::UniqueFd socket, bool warm);
  void wait_for_zygote_messages();
  void read_zygote_messages();
  void on_spawned(pid_t guest_id, int error_number, base::UniqueFd pidfd);
  void on_exited(pid_t guest_id, int wait_status);
  void await_end_of_only_guest(pid_t guest_id);
  void on_only_guest_ended(pid_t guest_id);
  bool is_hopeless() const;
  void lose_zygote();
  void fail_waiting_runs(const Failure& failure);
  void watch_zygote();  // while guests are requested
  void tell_who_waits_for_warmth();

  std::shared_ptr<boost::asio::io_context> loop_;
  boost::asio::io_context& io_;
  SandboxOptions options_;
  const jail::ZygoteKind kind_;
  std::shared_ptr<calls::HttpLoader> http_;
  const std::shared_ptr<RunPlaces> places_;
  std::optional<jail::ZygoteProcess> zygote_;
  std::optional<boost::asio::posix::stream_descriptor> control_;
  // With options_.one_run, where the zygote becomes the guest: whether it is expected to, and what signals its end.
  bool zygote_is_taken_ = false;
  std::optional<boost::asio::posix::stream_descriptor> end_of_only_guest_;
  // While Python boots: the process that makes its image, then the zygote itself.
  std::optional<jail::ZygoteProcess> booting_;
  jail::ZygoteKind booting_kind_ = jail::ZygoteKind::kPython;
  std::uint32_t assume_missing_ = 0;
  bool image_is_new_ = false;
  std::optional<jail::PythonCache> python_cache_;
  base::UniqueFd python_image_;
  std::vector<std::string> degraded_;
  std::deque<QueuedRun> queue_;
  std::deque<jail::GuestProcess> idle_;
  std::optional<jail::ReusableGuests> reuse_;  // none: every run gets a new guest
  BegunRuns begun_runs_;                       // only where guests are reused
  std::deque<Spawning> spawning_;              // in the order of the requests
  std::map<std::uint64_t, std::shared_ptr<Session>> by_run_;
  std::map<pid_t, std::weak_ptr<Session>> by_guest_;
  std::vector<std::function<void(Result<void>)>> waiting_for_warmth_;
  boost::asio::steady_timer zygote_watch_;
  boost::asio::steady_timer refill_timer_;
  boost::asio::steady_timer room_timer_;
  boost::asio::steady_timer reuse_timer_;
  Clock::time_point last_start_{};
  bool watching_zygote_ = false;
  bool zygote_spoke_ = false;
  int zygote_silences_ = 0;  // in a row
  int early_deaths_ = 0;     // guests in a row that ended before they had a run
  bool advance_is_posted_ = false;
  bool awaits_room_ = false;
  bool stopped_ = false;
  // Read by other threads.
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::size_t> busy_{0};
  std::atomic<std::size_t> queued_{0};
};

}  // namespace glovebox::broker
