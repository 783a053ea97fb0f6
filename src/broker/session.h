// One run on one guest, from the frame that starts it to its Outcome. Runs on the Sandbox's loop thread.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "broker/call_desk.h"
#include "broker/guest_frames.h"
#include "broker/shared_core.h"
#include "calls/artifacts/artifact_shelf.h"
#include "calls/files/run_disk.h"
#include "calls/net/http_loader.h"
#include "calls/own/grant_set.h"
#include "calls/run_clock.h"
#include "glovebox/sandbox.h"
#include "jail/guest_process.h"
#include "wire/frame.h"
#include "wire/log_budget.h"

namespace glovebox::broker {

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;
  using Done = std::function<void(Outcome)>;

  Session(std::shared_ptr<boost::asio::io_context> io, RunRequest request, calls::GrantSet grants,
          Clock::time_point submitted, jail::GuestProcess guest, std::shared_ptr<calls::HttpLoader> http,
          std::shared_ptr<base::ByteShares> call_bytes, std::shared_ptr<SharedCore> core,
          std::optional<std::vector<std::string>> plan, Done done);

  // The guest is given to it instead of being killed, if the run ends in order and leaves nothing under way.
  void spare_guest(std::function<void(jail::GuestProcess)> spare) { spare_ = std::move(spare); }
  void start();
  void cancel();
  // The zygote reaped the guest.
  void guest_exited(int wait_status);
  void zygote_died();

 private:
  void set_up_calls(replay::Replay history);
  void link_journal(CallDesk::Links& links);
  void send(calls::OutgoingBytes frame);
  void write_next(bool at_once);
  void wrote();
  void read_more();
  void pause_reading(bool pause);
  using Go = std::function<void()>;
  bool may_go_on(const std::function<void(Go)>& ask, Go go);
  void handle_frames();
  void handle(const LogFrame& log);
  void keep(LogLine line);
  void handle(calls::Call call);
  void open_first_call(calls::Call call);
  void handle(const wire::DataPiece& piece) { desk_->data(piece); }
  void handle(const DoneFrame& done);
  void handle(FailFrame fail);
  void protocol_violation(std::string why);
  void replay_diverged(const std::string& how);

  void arm_watchdog(Clock::time_point polled, Clock::duration interval);
  void check_limits();
  bool guest_is_idle();
  bool may_spare_guest(const Ending& ending) const;

  void stream_ended();
  void conclude_from_exit();
  void hit_limit(ErrorType type, FailureCode code, std::string message);
  void finish(Ending ending);
  void deliver();

  std::shared_ptr<boost::asio::io_context> io_;
  RunRequest request_;
  calls::GrantSet grants_;
  Clock::time_point submitted_;
  Clock::time_point started_{};
  jail::GuestProcess guest_;
  std::shared_ptr<calls::HttpLoader> http_;
  std::shared_ptr<base::ByteShares> call_bytes_;
  std::shared_ptr<SharedCore> core_;
  std::optional<std::vector<std::string>> plan_;  // server names: plan the code instead of running it
  Done done_;
  std::function<void(jail::GuestProcess)> spare_;
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::steady_timer watchdog_;
  std::shared_ptr<calls::RunClock> clock_;
  std::shared_ptr<calls::RunDisk> disk_;
  std::shared_ptr<calls::ArtifactShelf> artifacts_;
  std::shared_ptr<CallDesk> desk_;
  std::deque<calls::OutgoingBytes> outgoing_;
  std::size_t outgoing_bytes_ = 0;
  std::size_t writing_ = 0;  // how many of them, from the front, are being written
  std::array<char, 64 * 1024> buffer_;
  wire::FrameReader reader_;
  GuestFrameParser parser_;
  std::chrono::microseconds cpu_at_start_{};
  std::size_t peak_memory_ = 0;
  wire::LogBudget log_budget_{request_.config.max_log_bytes};
  bool reading_paused_ = false;
  bool handling_ = false;
  bool yielding_ = false;
  bool has_called_ = false;
  bool stream_ended_ = false;
  std::uint64_t heard_ = 0;  // how many times
  std::optional<int> wait_status_;
  bool finished_ = false;
  bool delivered_ = false;
  bool disk_is_closed_ = false;
  Outcome outcome_;
};

}  // namespace glovebox::broker
