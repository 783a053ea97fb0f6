#include "broker/sandbox_core.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/system_error.h"
#include "base/try.h"
#include "jail/control_socket.h"
#include "jail/layers.h"
#include "jail/seal_names.h"
#include "jail/zygote_protocol.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;

// A zygote that was asked for a guest and says nothing for so long is stopped or stuck; a new one takes a moment.
constexpr std::chrono::seconds kZygotePatience{2};

// Guests that die before their first frame are not a passing trouble: the seal fails on this machine.
constexpr int kTooManyEarlyDeaths = 3;

Outcome never_started(const RunRequest& request, const Failure& failure) {
  if (request.tools) request.tools->end();
  Outcome outcome;
  outcome.metrics.seed = request.seed.value_or("");
  outcome.metrics.now_ms = request.now_ms.value_or(0);
  const char* code = failure.code == ErrorCode::kFeatureMissing    ? "FEATURE_MISSING"
                     : failure.code == ErrorCode::kInvalidArgument ? "INVALID_REQUEST"
                                                                   : "SANDBOX_UNAVAILABLE";
  outcome.ending = Crashed{{ErrorType::kSandboxError, code, failure.message, "", {}}};
  return outcome;
}

// Whether the packet is a message of this kind; then `message` is it.
template <typename Message>
bool read_message(const char* packet, ssize_t size, Message& message) {
  Message copy;
  if (size != static_cast<ssize_t>(sizeof copy)) return false;
  std::memcpy(&copy, packet, sizeof copy);
  if (copy.type != message.type) return false;
  message = copy;
  return true;
}

}  // namespace

SandboxCore::SandboxCore(std::shared_ptr<asio::io_context> io, SandboxOptions options)
    : loop_(std::move(io)),
      io_(*loop_),
      options_(std::move(options)),
      http_(std::make_shared<HttpLoader>(options_.net_library_path)),
      zygote_watch_(io_) {}

Result<void> SandboxCore::ensure_zygote() {
  if (zygote_) return {};
  jail::LaunchSpec spec;
  spec.engine_path = options_.engine_path;
  spec.library_path = options_.guest_library_path;
  spec.warm_typescript = options_.warm_typescript;
  for (const std::string& name : options_.degraded) {
    const std::uint32_t bit = jail::layer_bit(name);
    if (bit == 0) {
      return Failure{
          ErrorCode::kInvalidArgument,
          "no layer is called \"" + name + "\"; those that may be missing are: " + jail::degradable_layer_names()};
    }
    spec.accepted_missing |= bit;
  }
  zygote_ = GLOVEBOX_TRY(jail::ZygoteProcess::launch(spec));
  control_.emplace(io_, zygote_->control_fd());
  degraded_ = jail::names_of_layers(zygote_->missing_layers());
  early_deaths_ = 0;
  wait_for_zygote_messages();
  advance();
  return {};
}

void SandboxCore::submit(std::uint64_t run_id, RunRequest request, GrantSet grants, Clock::time_point submitted,
                         std::optional<std::vector<std::string>> plan, Done done) {
  queue_.push_back({run_id, std::move(request), std::move(grants), submitted, std::move(plan), std::move(done)});
  if (const auto started = ensure_zygote(); !started) return fail_waiting_runs(started.failure());
  advance();
}

void SandboxCore::post_cancel(std::uint64_t run_id) {
  asio::post(io_, [self = shared_from_this(), run_id] { self->cancel(run_id); });
}

void SandboxCore::cancel(std::uint64_t run_id) {
  if (const auto running = by_run_.find(run_id); running != by_run_.end()) {
    const auto session = running->second;
    return session->cancel();
  }
  const auto queued = std::find_if(queue_.begin(), queue_.end(), [&](const auto& run) { return run.id == run_id; });
  if (queued == queue_.end()) return;
  QueuedRun run = std::move(*queued);
  queue_.erase(queued);
  Outcome outcome = never_started(run.request, {ErrorCode::kSandboxUnavailable, "the run was cancelled"});
  std::get<Crashed>(outcome.ending).error.code = "CANCELLED";
  run.done(std::move(outcome));
}

void SandboxCore::advance() {
  if (!zygote_ || stopped_) return;
  while (!queue_.empty() && !idle_.empty() && by_run_.size() < options_.max_concurrent_runs) {
    QueuedRun run = std::move(queue_.front());
    queue_.pop_front();
    jail::GuestProcess guest = std::move(idle_.front());
    idle_.pop_front();
    start_run(std::move(run), std::move(guest));
  }
  const std::size_t free_places = options_.max_concurrent_runs - std::min(options_.max_concurrent_runs, by_run_.size());
  const std::size_t for_runs = std::min(queue_.size(), free_places);
  const std::size_t wanted = for_runs + options_.pool_size;
  for (std::size_t have = idle_.size() + spawning_.size(); have < wanted; ++have) {
    if (const auto requested = request_guest(have >= for_runs); !requested) return lose_zygote();
  }
  tell_who_waits_for_warmth();
}

Result<void> SandboxCore::request_guest(bool warm) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return base::system_failure(errno, "socketpair");
  base::UniqueFd ours(sockets[0]);
  const base::UniqueFd theirs(sockets[1]);
  jail::Spawn spawn;
  spawn.guest_id = ++last_guest_id_;
  spawn.warm = warm;
  if (!jail::send_packet(zygote_->control_fd(), &spawn, sizeof spawn, theirs.get())) {
    return base::system_failure(errno, "asking the zygote for a guest");
  }
  spawning_[spawn.guest_id] = {std::move(ours), warm};
  watch_zygote();
  return {};
}

void SandboxCore::watch_zygote() {
  if (watching_zygote_) return;
  watching_zygote_ = true;
  zygote_spoke_ = false;
  zygote_watch_.expires_after(kZygotePatience);
  zygote_watch_.async_wait([self = shared_from_this()](auto error) {
    self->watching_zygote_ = false;
    if (error || !self->zygote_ || self->spawning_.empty()) return;
    if (self->zygote_spoke_) return self->watch_zygote();
    self->lose_zygote();
  });
}

void SandboxCore::start_run(QueuedRun run, jail::GuestProcess guest) {
  const std::uint64_t guest_id = guest.id();
  auto finished = [core = weak_from_this(), run_id = run.id, done = std::move(run.done)](Outcome outcome) {
    if (const auto self = core.lock()) {
      outcome.degraded = self->degraded_;
      // The session must outlive this call, which it makes.
      const auto session = std::move(self->by_run_[run_id]);
      self->by_run_.erase(run_id);
      asio::post(self->io_, [self, session] { self->advance(); });
    }
    done(std::move(outcome));
  };
  auto session = std::make_shared<Session>(loop_, std::move(run.request), std::move(run.grants), run.submitted,
                                           std::move(guest), http_, std::move(run.plan), std::move(finished));
  by_run_[run.id] = session;
  by_guest_[guest_id] = session;
  session->start();
}

void SandboxCore::wait_for_zygote_messages() {
  control_->async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](auto error) {
    if (!error && self->zygote_) self->read_zygote_messages();
  });
}

void SandboxCore::read_zygote_messages() {
  while (zygote_) {
    char packet[64];
    int fd = -1;
    const ssize_t size = jail::receive_packet(zygote_->control_fd(), packet, sizeof packet, fd, MSG_DONTWAIT);
    base::UniqueFd received(fd);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (size <= 0) return lose_zygote();
    zygote_spoke_ = true;
    jail::Spawned spawned;
    jail::Exited exited;
    if (read_message(packet, size, spawned)) {
      on_spawned(spawned.guest_id, spawned.error_number, std::move(received));
    } else if (read_message(packet, size, exited)) {
      on_exited(exited.guest_id, exited.wait_status);
    } else {
      return lose_zygote();
    }
  }
  if (zygote_) {
    advance();
    wait_for_zygote_messages();
  }
}

void SandboxCore::on_spawned(std::uint64_t guest_id, int error_number, base::UniqueFd pidfd) {
  const auto found = spawning_.find(guest_id);
  if (found == spawning_.end()) return;
  Spawning spawning = std::move(found->second);
  spawning_.erase(found);
  if (error_number != 0) {
    return fail_waiting_runs(base::system_failure(error_number, "the zygote could not fork"));
  }
  auto guest = jail::GuestProcess::adopt(guest_id, std::move(spawning.socket), std::move(pidfd), spawning.warm);
  if (guest) idle_.push_back(std::move(*guest));
}

void SandboxCore::on_exited(std::uint64_t guest_id, int wait_status) {
  if (const auto found = by_guest_.find(guest_id); found != by_guest_.end()) {
    const auto session = found->second.lock();
    by_guest_.erase(found);
    early_deaths_ = 0;
    if (session) session->guest_exited(wait_status);
    return;
  }
  std::erase_if(idle_, [&](const auto& guest) { return guest.id() == guest_id; });
  if (++early_deaths_ < kTooManyEarlyDeaths) return;
  const char* step = WIFEXITED(wait_status) ? jail::seal_step_of_exit(WEXITSTATUS(wait_status)) : nullptr;
  fail_waiting_runs({ErrorCode::kSandboxUnavailable,
                     step ? std::string("guests cannot be sealed on this machine; the failed step is ") + step
                          : "guests end before their first run, with wait status " + std::to_string(wait_status)});
  // Forking on would only burn the machine; the next run tries a new zygote.
  lose_zygote();
}

void SandboxCore::lose_zygote() {
  zygote_watch_.cancel();
  if (control_) control_->release();
  control_.reset();
  zygote_.reset();
  idle_.clear();
  spawning_.clear();
  by_guest_.clear();
  const auto sessions = std::exchange(by_run_, {});
  for (const auto& [id, session] : sessions) {
    by_run_[id] = session;
    session->zygote_died();
  }
  if (stopped_) return;
  if (early_deaths_ >= kTooManyEarlyDeaths) return tell_who_waits_for_warmth();
  // Not from here: whoever called may still be using what is gone now.
  asio::post(io_, [self = shared_from_this()] {
    if (self->stopped_) return;
    if (const auto started = self->ensure_zygote(); !started) self->fail_waiting_runs(started.failure());
  });
}

void SandboxCore::fail_waiting_runs(const Failure& failure) {
  for (QueuedRun& run : std::exchange(queue_, {})) run.done(never_started(run.request, failure));
  for (auto& callback : std::exchange(waiting_for_warmth_, {})) callback(failure);
}

void SandboxCore::when_warm(std::function<void(Result<void>)> callback) {
  waiting_for_warmth_.push_back(std::move(callback));
  if (const auto started = ensure_zygote(); !started) return fail_waiting_runs(started.failure());
  tell_who_waits_for_warmth();
}

void SandboxCore::tell_who_waits_for_warmth() {
  if (waiting_for_warmth_.empty() || !zygote_ || idle_.size() < options_.pool_size) return;
  for (auto& callback : std::exchange(waiting_for_warmth_, {})) callback({});
}

void SandboxCore::stop() {
  stopped_ = true;
  for (const auto& [id, session] : std::map(by_run_)) session->cancel();
  fail_waiting_runs({ErrorCode::kSandboxUnavailable, "the sandbox was closed"});
  lose_zygote();
}

}  // namespace glovebox::broker
