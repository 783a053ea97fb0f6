#include "broker/sandbox_core.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <span>
#include <utility>

#include "base/cores/slice.h"
#include "base/system_error.h"
#include "base/try.h"
#include "jail/confinement/guest_confinement.h"
#include "jail/control_socket.h"
#include "jail/layers.h"
#include "jail/zygote_protocol.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;

// A zygote that leaves a request for a guest unanswered for this long is stopped or stuck; a new one takes only a
// moment.
constexpr std::chrono::seconds kZygotePatience{2};
// A zygote that is runnable gets this many times as long: losing it ends every run, and if the machine is busy or was
// suspended, nothing is wrong with the zygote.
constexpr int kPatienceWithMachine = 15;
// No run has this id.
constexpr std::uint64_t kTakenOut = 0;
// Short programs have ended by then.
constexpr std::chrono::milliseconds kQuietStart{3};

// This many guests in a row that die before they get a run are no transient trouble: sealing fails on this machine.
constexpr int kTooManyEarlyDeaths = 3;

Outcome never_started(const RunRequest& request, const Failure& failure) {
  if (request.tools) request.tools->end();
  Outcome outcome;
  outcome.metrics.seed = request.seed.value_or("");
  outcome.metrics.now_ms = request.now_ms.value_or(0);
  const FailureCode code = failure.code == ErrorCode::kFeatureMissing    ? FailureCode("FEATURE_MISSING")
                           : failure.code == ErrorCode::kInvalidArgument ? FailureCode("INVALID_REQUEST")
                                                                         : FailureCode("SANDBOX_UNAVAILABLE");
  outcome.ending = Crashed{{ErrorType::kSandboxError, code, failure.message, "", {}}};
  return outcome;
}

}  // namespace

SandboxCore::SandboxCore(std::shared_ptr<asio::io_context> io, SandboxOptions options, jail::ZygoteKind kind,
                         std::shared_ptr<calls::HttpLoader> http, std::shared_ptr<RunPlaces> places)
    : loop_(std::move(io)),
      io_(*loop_),
      options_(std::move(options)),
      kind_(kind),
      http_(std::move(http)),
      places_(std::move(places)),
      zygote_watch_(io_),
      refill_timer_(io_),
      room_timer_(io_),
      reuse_timer_(io_) {
  if (options_.one_run) options_.pool_size = 0;
  // A Python guest writes to thousands of pages.
  if (options_.one_run || kind_ == jail::ZygoteKind::kPython) options_.reuse = Reuse::kFresh;
}

Result<jail::LaunchSpec> SandboxCore::launch_spec() const {
  jail::LaunchSpec spec;
  spec.engine_path = options_.engine_path;
  spec.library_path = options_.guest_library_path;
  spec.warm_typescript = options_.warm_typescript;
  spec.one_run = options_.one_run;
  spec.rewindable = options_.reuse == Reuse::kRewind;
  for (const std::string& name : options_.degraded) {
    const std::uint32_t bit = jail::layer_bit(name);
    if (bit == 0) {
      return Failure{
          ErrorCode::kInvalidArgument,
          "no layer is called \"" + name + "\"; those that may be missing are: " + jail::degradable_layer_names()};
    }
    spec.accepted_missing |= bit;
  }
  return spec;
}

Result<void> SandboxCore::ensure_zygote() {
  if (zygote_ || booting_) return {};
  if (kind_ == jail::ZygoteKind::kPython) return begin_python();
  adopt(GLOVEBOX_TRY(jail::ZygoteProcess::launch(GLOVEBOX_TRY(launch_spec()))));
  return {};
}

void SandboxCore::adopt(jail::ZygoteProcess zygote) {
  zygote_ = std::move(zygote);
  control_.emplace(io_, zygote_->control_fd());
  // With a pool that is not empty, no run waits for its forks, nor for what a guest does before and after its run.
  if (options_.pool_size > 0) base::set_slice(zygote_->pid(), base::Slice::kLong);
  degraded_ = jail::names_of_layers(zygote_->missing_layers());
  zygote_silences_ = 0;
  zygote_is_taken_ = false;
  early_deaths_ = 0;
  if (options_.reuse == Reuse::kRewind) reuse_guests();
  if (options_.one_run) expect_guest(zygote_->take_only_guest(), false);
  wait_for_zygote_messages();
  advance();
}

void SandboxCore::reuse_guests() {
  const auto self = weak_from_this();
  const auto with_core = [self](auto work) {
    return [self, work](auto... arguments) {
      if (const auto core = self.lock()) work(*core, std::move(arguments)...);
    };
  };
  jail::ReusableGuests::Links links;
  links.post = [io = std::weak_ptr(loop_)](std::function<void()> work) {
    if (const auto loop = io.lock()) asio::post(*loop, std::move(work));
  };
  links.in_a_minute = with_core([](SandboxCore& core, const std::function<void()>& work) {
    core.reuse_timer_.expires_after(std::chrono::minutes(1));
    core.reuse_timer_.async_wait([work](auto error) {
      if (!error) work();
    });
  });
  links.ready = with_core([](SandboxCore& core, jail::GuestProcess guest) {
    core.idle_.push_back(std::move(guest));
    core.advance();
  });
  links.changed = with_core([](SandboxCore& core) { core.advance(); });
  links.impossible = with_core([](SandboxCore& core, const std::string& why) {
    if (core.options_.on_notice) core.options_.on_notice("guests cannot be rewound here: " + why);
  });
  reuse_.emplace(*zygote_, std::move(links));
}

void SandboxCore::submit(std::uint64_t run_id, RunRequest request, calls::GrantSet grants, Clock::time_point submitted,
                         std::optional<std::vector<std::string>> plan, Done done) {
  if (queue_.size() >= options_.max_queued_runs && request.depth == 0) {
    Outcome outcome = never_started(
        request, {ErrorCode::kSandboxUnavailable,
                  std::to_string(queue_.size()) + " runs are queued already; try again when some of them have ended"});
    std::get<Crashed>(outcome.ending).error.code = "TOO_MANY_RUNS";
    return done(std::move(outcome));
  }
  queue_.push_back({run_id, std::move(request), std::move(grants), submitted, std::move(plan), std::move(done)});
  if (const auto started = ensure_zygote(); !started) return fail_waiting_runs(started.failure());
  advance();
}

void SandboxCore::post_cancel(std::uint64_t run_id) {
  // A loop that has ended keeps what is posted to it; a strong reference in there would keep core and loop alive.
  asio::post(io_, [core = weak_from_this(), run_id] {
    if (const auto alive = core.lock()) alive->cancel(run_id);
  });
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
  note_figures();
  Outcome outcome = never_started(run.request, {ErrorCode::kSandboxUnavailable, "the run was cancelled"});
  std::get<Crashed>(outcome.ending).error.code = "CANCELLED";
  run.done(std::move(outcome));
}

void SandboxCore::advance() {
  advance_is_posted_ = false;
  match_runs();
  note_figures();
}

void SandboxCore::post_advance() {
  if (queue_.empty() || std::exchange(advance_is_posted_, true)) return;
  asio::post(io_, [core = weak_from_this()] {
    if (const auto alive = core.lock()) alive->advance();
  });
}

void SandboxCore::note_figures() {
  waiting_ = idle_.size();
  busy_ = by_run_.size();
  queued_ = queue_.size();
}

void SandboxCore::match_runs() {
  if (!zygote_ || stopped_) return;
  const std::size_t for_runs = begin_runs();
  await_room();
  if (!zygote_is_taken_) request_guests(for_runs);
  tell_who_waits_for_warmth();
}

// How many of them could begin if there were new guests.
std::size_t SandboxCore::begin_runs() {
  const auto now = Clock::now();
  const std::size_t room = reuse_ ? begun_runs_.room(now) : queue_.size();
  if (room == 0) return 0;
  const auto fitting = places_->fitting(queue_, [](const QueuedRun& run) { return run.wish(); });
  std::vector<std::pair<QueuedRun, jail::GuestProcess>> begin;
  std::optional<jail::ReusableGuests::Coming> coming;
  std::size_t for_runs = 0;
  for (const std::size_t i : fitting) {
    QueuedRun& run = queue_[i];
    run.placed = run.placed.value_or(now);
    // Only those that begin count: ones that wait for a guest must not keep others back that have one.
    if (begin.size() == room) continue;
    const bool shares = reuse_ && run.may_share();
    auto guest = shares ? reuse_->take(run.reuse_key()) : std::nullopt;
    if (shares && !guest) {
      if (!coming) coming.emplace(*reuse_);
      if (coming->take(run.reuse_key())) continue;
    }
    if (!guest && !idle_.empty()) {
      guest = std::move(idle_.front());
      idle_.pop_front();
    }
    if (guest) {
      begin.emplace_back(std::move(run), std::move(*guest));
      queue_[i].id = kTakenOut;
    } else {
      ++for_runs;
    }
  }
  // Most are at the front. To take one out elsewhere moves all behind it.
  while (!queue_.empty() && queue_.front().id == kTakenOut) queue_.pop_front();
  std::erase_if(queue_, [](const QueuedRun& run) { return run.id == kTakenOut; });
  for (auto& [run, guest] : begin) start_run(std::move(run), std::move(guest));
  tell_who_waits_in_line();
  return for_runs;
}

// If there is none: what has begun may go on for long.
void SandboxCore::await_room() {
  if (!reuse_ || queue_.empty() || begun_runs_.room(Clock::now()) > 0 || std::exchange(awaits_room_, true)) return;
  room_timer_.expires_at(begun_runs_.next_room());
  room_timer_.async_wait([core = weak_from_this()](auto) {
    const auto alive = core.lock();
    if (!alive) return;
    alive->awaits_room_ = false;
    alive->advance();
  });
}

void SandboxCore::request_guests(std::size_t for_runs) {
  if (for_runs == 0 && postpone_refill()) return;
  for (std::size_t have = guests_on_their_way(); have < for_runs + options_.pool_size; ++have) {
    if (const auto requested = request_guest(have >= for_runs); !requested) return lose_zygote();
  }
}

std::size_t SandboxCore::guests_on_their_way() const {
  return idle_.size() + spawning_.size() + (reuse_ ? reuse_->being_remembered() : 0);
}

void SandboxCore::tell_who_waits_in_line() {
  std::size_t before = 0;
  for (QueuedRun& run : queue_) {
    // Runs that have a place wait only for a process.
    if (run.placed) continue;
    if (run.request.on_line && run.reported_before != before) run.request.on_line(before);
    run.reported_before = before++;
  }
}

// Forking beside a run that has just begun slows the run down, and most runs are short. So the refill waits until no
// run is under way or kQuietStart has passed since the last start, unless over half of the pool is gone.
bool SandboxCore::postpone_refill() {
  if (by_run_.empty() || idle_.size() * 2 < options_.pool_size || !waiting_for_warmth_.empty()) return false;
  const auto quiet_until = last_start_ + kQuietStart;
  if (Clock::now() >= quiet_until) return false;
  refill_timer_.expires_at(quiet_until);
  refill_timer_.async_wait([self = shared_from_this()](auto error) {
    if (!error) self->advance();
  });
  return true;
}

Result<void> SandboxCore::request_guest(bool warm) {
  expect_guest(GLOVEBOX_TRY(zygote_->request_guest(warm)), warm);
  return {};
}

void SandboxCore::expect_guest(base::UniqueFd socket, bool warm) {
  spawning_.push_back({std::move(socket), warm});
  zygote_is_taken_ = options_.one_run;
  watch_zygote();
}

void SandboxCore::watch_zygote() {
  if (watching_zygote_) return;
  watching_zygote_ = true;
  zygote_spoke_ = false;
  zygote_watch_.expires_after(kZygotePatience);
  zygote_watch_.async_wait([self = shared_from_this()](auto error) {
    self->watching_zygote_ = false;
    if (error || !self->zygote_ || self->spawning_.empty()) return;
    self->zygote_silences_ = self->zygote_spoke_ ? 0 : self->zygote_silences_ + 1;
    const int patience = self->zygote_->is_running() ? kPatienceWithMachine : 1;
    if (self->zygote_silences_ < patience) return self->watch_zygote();
    self->lose_zygote();
  });
}

void SandboxCore::start_run(QueuedRun run, jail::GuestProcess guest) {
  const pid_t guest_id = guest.id();
  const std::chrono::duration<double, std::milli> queued = run.placed.value_or(Clock::now()) - run.submitted;
  const PlaceWish wish = run.wish();
  places_->take(wish);
  if (reuse_) begun_runs_.began(run.id, Clock::now());
  if (run.reported_before && run.request.on_line) run.request.on_line(std::nullopt);
  auto finished = [core = weak_from_this(), places = places_, wish, run_id = run.id, queued = queued.count(),
                   done = std::move(run.done)](Outcome outcome) {
    outcome.metrics.queue_ms = queued;
    places->give_back(wish);
    if (const auto self = core.lock()) {
      self->begun_runs_.ended(run_id);
      outcome.degraded = self->degraded_;
      // The session makes this call and must outlive it.
      const auto session = std::move(self->by_run_[run_id]);
      self->by_run_.erase(run_id);
      asio::post(self->io_, [self, session] {
        if (self->queue_.empty()) self->advance();  // else the place that has become free has posted it
      });
    }
    done(std::move(outcome));
  };
  const jail::ReuseKey reuse_key = run.reuse_key();
  auto session = std::make_shared<Session>(loop_, std::move(run.request), std::move(run.grants), run.submitted,
                                           std::move(guest), http_, places_->call_bytes(), places_->shared_core(),
                                           std::move(run.plan), std::move(finished));
  if (reuse_ && !reuse_key.conversation.empty()) {
    session->spare_guest([core = weak_from_this(), reuse_key](jail::GuestProcess guest) {
      if (const auto self = core.lock(); self && self->reuse_) self->reuse_->rewind(reuse_key, std::move(guest));
    });
  }
  by_run_[run.id] = session;
  by_guest_[guest_id] = session;
  last_start_ = Clock::now();
  session->start();
}

void SandboxCore::wait_for_zygote_messages() {
  control_->async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](auto error) {
    if (!error && self->zygote_) self->read_zygote_messages();
  });
}

void SandboxCore::read_zygote_messages() {
  while (zygote_) {
    jail::GuestReport reports[jail::kMostReports];
    int fd = -1;
    const ssize_t size = jail::receive_packet(zygote_->control_fd(), reports, sizeof reports, fd, MSG_DONTWAIT);
    base::UniqueFd pidfd(fd);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (size <= 0 || static_cast<std::size_t>(size) % sizeof *reports != 0) return lose_zygote();
    zygote_spoke_ = true;
    for (const jail::GuestReport& report : std::span(reports).first(static_cast<std::size_t>(size) / sizeof *reports)) {
      if (report.type == jail::MessageType::kSpawned) {
        on_spawned(report.pid, report.number, std::exchange(pidfd, {}));
      } else if (report.type == jail::MessageType::kExited) {
        on_exited(report.pid, report.number);
      } else {
        return lose_zygote();
      }
      if (!zygote_) return;  // this end was one too many
    }
    // The zygote has closed its end of the socket, or will when it seals itself.
    if (end_of_only_guest_) return advance();
  }
  if (zygote_) {
    advance();
    wait_for_zygote_messages();
  }
}

void SandboxCore::on_spawned(pid_t guest_id, int error_number, base::UniqueFd pidfd) {
  if (spawning_.empty()) return;
  Spawning spawning = std::move(spawning_.front());
  spawning_.pop_front();
  if (error_number != 0) {
    return fail_waiting_runs(base::system_failure(error_number, "the zygote could not fork"));
  }
  auto guest = jail::GuestProcess::adopt(guest_id, std::move(spawning.socket), std::move(pidfd), spawning.warm);
  if (guest && reuse_) {
    reuse_->add(std::move(*guest));
  } else if (guest) {
    idle_.push_back(std::move(*guest));
  }
  if (options_.one_run) await_end_of_only_guest(guest_id);
}

// The zygote has become the guest, so no zygote reports its exit.
void SandboxCore::await_end_of_only_guest(pid_t guest_id) {
  end_of_only_guest_.emplace(io_, zygote_->pidfd());
  end_of_only_guest_->async_wait(asio::posix::stream_descriptor::wait_read,
                                 [self = shared_from_this(), guest_id](auto error) {
                                   if (!error && self->zygote_) self->on_only_guest_ended(guest_id);
                                 });
}

void SandboxCore::on_only_guest_ended(pid_t guest_id) {
  end_of_only_guest_->release();
  end_of_only_guest_.reset();
  control_->release();
  control_.reset();
  const int wait_status = zygote_->reap();
  zygote_.reset();
  on_exited(guest_id, wait_status);
  if (zygote_ || stopped_ || (queue_.empty() && waiting_for_warmth_.empty())) return;
  if (const auto started = ensure_zygote(); !started) fail_waiting_runs(started.failure());
}

void SandboxCore::on_exited(pid_t guest_id, int wait_status) {
  if (reuse_) reuse_->ended(guest_id);
  if (const auto found = by_guest_.find(guest_id); found != by_guest_.end()) {
    const auto session = found->second.lock();
    by_guest_.erase(found);
    early_deaths_ = 0;
    if (session) session->guest_exited(wait_status);
    return;
  }
  std::erase_if(idle_, [&](const auto& guest) { return guest.id() == guest_id; });
  ++early_deaths_;
  if (!is_hopeless()) return;
  const char* step = WIFEXITED(wait_status) ? jail::seal_step_of_exit(WEXITSTATUS(wait_status)) : nullptr;
  fail_waiting_runs({ErrorCode::kSandboxUnavailable,
                     step ? std::string("guests cannot be sealed on this machine; the failed step is ") + step
                          : "guests end before their first run, with wait status " + std::to_string(wait_status)});
  // Forking more would only waste CPU time; the next run tries a new zygote.
  lose_zygote();
}

// A zygote that becomes the guest can die only once.
bool SandboxCore::is_hopeless() const {
  return early_deaths_ >= (options_.one_run ? 1 : kTooManyEarlyDeaths);
}

void SandboxCore::lose_zygote() {
  abandon_boot();
  zygote_watch_.cancel();
  refill_timer_.cancel();
  if (control_) control_->release();
  control_.reset();
  if (end_of_only_guest_) end_of_only_guest_->release();
  end_of_only_guest_.reset();
  zygote_.reset();
  reuse_.reset();
  reuse_timer_.cancel();
  idle_.clear();
  spawning_.clear();
  by_guest_.clear();
  for (const auto& [id, session] : std::map(by_run_)) session->zygote_died();
  note_figures();
  if (stopped_) return;
  if (is_hopeless()) return tell_who_waits_for_warmth();
  // Posted, since the caller may still be using what was reset above.
  asio::post(io_, [self = shared_from_this()] {
    if (self->stopped_) return;
    if (const auto started = self->ensure_zygote(); !started) self->fail_waiting_runs(started.failure());
  });
}

void SandboxCore::fail_waiting_runs(const Failure& failure) {
  for (QueuedRun& run : std::exchange(queue_, {})) run.done(never_started(run.request, failure));
  note_figures();
  for (auto& callback : std::exchange(waiting_for_warmth_, {})) callback(failure);
}

void SandboxCore::when_warm(std::function<void(Result<void>)> callback) {
  waiting_for_warmth_.push_back(std::move(callback));
  if (const auto started = ensure_zygote(); !started) return fail_waiting_runs(started.failure());
  tell_who_waits_for_warmth();
}

void SandboxCore::tell_who_waits_for_warmth() {
  const std::size_t wanted = options_.one_run ? 1 : options_.pool_size;
  if (waiting_for_warmth_.empty() || !zygote_ || idle_.size() < wanted || (reuse_ && reuse_->is_busy())) return;
  for (auto& callback : std::exchange(waiting_for_warmth_, {})) callback({});
}

void SandboxCore::stop() {
  stopped_ = true;
  for (const auto& [id, session] : std::map(by_run_)) session->cancel();
  fail_waiting_runs({ErrorCode::kSandboxUnavailable, "the sandbox was closed"});
  lose_zygote();
}

}  // namespace glovebox::broker
