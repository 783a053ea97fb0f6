#include "calls/command/command_runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <set>
#include <utility>

#include "base/child.h"
#include "base/try.h"

namespace glovebox::calls {
namespace {

namespace asio = boost::asio;
using ErrorKind = CommandError::Kind;

// How long a killed command may take to end before it is killed from outside, past its keeper.
constexpr std::chrono::seconds kPatience{2};

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name ? std::string("SIG") + name : "SIG" + std::to_string(number);
}

std::string size_text(std::size_t bytes) {
  return bytes % wire::kMiB == 0 ? std::to_string(bytes / wire::kMiB) + " MB" : std::to_string(bytes) + " bytes";
}

CommandError failed_to_start(const std::string& program, int error_number) {
  const std::string start = "Failed to spawn '" + program + "': ";
  if (error_number == ENOENT) return {ErrorKind::kNotFound, start + "entity not found", ENOENT};
  return {ErrorKind::kSystem,
          start + ::strerrordesc_np(error_number) + " (os error " + std::to_string(error_number) + ")", error_number};
}

// All checks of a request that need no process.
CommandResult<base::ChildSpec> prepare(const CommandRules& rules, CommandRequest& request) {
  const policy::GrantedProgram* granted = rules.programs.find(request.program);
  // Before anything else: code without a grant must not learn which programs exist.
  if (!granted) return CommandError{ErrorKind::kDenied, policy::run_denial(request.program)};
  base::ChildSpec spec;
  spec.environment = GLOVEBOX_TRY(command_environment(rules.environment, rules.names, request));
  for (const std::string& argument : request.arguments) {
    if (argument.find('\0') == std::string::npos) continue;
    return CommandError{ErrorKind::kInvalid,
                        "Failed to spawn '" + request.program + "': nul byte found in provided data"};
  }
  if (!request.folder.empty()) {
    if (!request.opened_folder) {
      return CommandError{ErrorKind::kDenied, "Requires read access to \"" + request.folder + "\""};
    }
    spec.folder = std::move(*request.opened_folder);
  }
  if (!granted->file) return failed_to_start(request.program, ENOENT);
  spec.program = granted->file->file;
  spec.arguments.reserve(request.arguments.size() + 1);
  spec.arguments.push_back(granted->file->path);
  std::move(request.arguments.begin(), request.arguments.end(), std::back_inserter(spec.arguments));
  spec.input = std::move(request.input);
  spec.keep_out = request.keep_out;
  spec.keep_err = request.keep_err;
  return spec;
}

}  // namespace

struct CommandRunner::State : std::enable_shared_from_this<State> {
  State(asio::io_context& loop, CommandRules given) : io(loop), rules(std::move(given)) {}

  void advance();

  asio::io_context& io;
  CommandRules rules;
  std::deque<std::shared_ptr<Job>> waiting;
  std::set<Job*> working;  // the loop's handlers that wait for their end own them
  std::size_t held_bytes = 0;
};

// One command, from the queue to its result.
class CommandRunner::Job : public std::enable_shared_from_this<Job> {
 public:
  Job(std::shared_ptr<State> state, CommandRequest request, Done done)
      : state_(std::move(state)),
        request_(std::move(request)),
        done_(std::move(done)),
        timer_(state_->io),
        end_(state_->io),
        out_(state_->io),
        err_(state_->io) {}
  ~Job() { state_->working.erase(this); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // False when it has failed already.
  bool start() {
    auto spec = prepare(state_->rules, request_);
    if (!spec) return tell(std::move(spec).failure());
    auto child = base::Child::start(std::move(spec).value());
    if (!child)
      return tell({ErrorKind::kSystem, "Failed to spawn '" + request_.program + "': " + child.failure().message});
    // A duplicate, because the loop closes the descriptor that it waits on.
    base::UniqueFd end(::fcntl(child->end_fd(), F_DUPFD_CLOEXEC, 3));
    if (!end.valid()) return tell(failed_to_start(request_.program, errno));
    child_.emplace(std::move(child).value());
    end_.assign(end.release());
    end_.async_wait(asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](auto error) { self->ended(error); });
    if (request_.keep_out) out_.open(child_->take_out(), *this);
    if (request_.keep_err) err_.open(child_->take_err(), *this);
    auto deadline = std::chrono::steady_clock::now() + state_->rules.time_limit;
    if (state_->rules.deadline) deadline = std::min(deadline, *state_->rules.deadline);
    timer_.expires_at(deadline);
    timer_.async_wait([self = shared_from_this()](auto error) {
      if (!error) self->kill({ErrorKind::kTimedOut, "the command '" + self->request_.program + "' took too long"});
    });
    return true;
  }

  // `done` gets the reason once nothing is left of the command.
  void kill(CommandError reason) {
    if (failure_ || !child_) return;
    failure_ = std::move(reason);
    child_->kill();
    // Its output is not needed; other commands may use the room at once.
    give_back_held();
    (void)out_.take();
    (void)err_.take();
    timer_.expires_after(kPatience);
    timer_.async_wait([self = shared_from_this()](auto error) {
      if (!error && self->child_) self->child_->kill_hard();
    });
  }

  // Posted, so that `done` is never called from within run() or cancel().
  bool tell(CommandError reason) {
    asio::post(state_->io, [self = shared_from_this(), reason = std::move(reason)]() mutable {
      if (auto done = std::exchange(self->done_, nullptr)) done(std::move(reason));
    });
    return false;
  }

  void forget() { done_ = nullptr; }

 private:
  // What the program writes to stdout or stderr.
  class Stream {
   public:
    explicit Stream(asio::io_context& io) : pipe_(io) {}

    void open(base::UniqueFd pipe, Job& job) {
      pipe_.assign(pipe.release());
      pipe_.non_blocking(true);
      read_more(job);
    }
    void read_more(Job& job) {
      reading_ = true;
      pipe_.async_read_some(asio::buffer(buffer_),
                            [this, self = job.shared_from_this()](auto error, std::size_t count) {
                              reading_ = false;
                              const bool more = !error && keep(*self, count);
                              if (self->over_) return self->conclude();
                              if (more) read_more(*self);
                            });
    }
    // The loop may have read bytes and not delivered them yet: the pending read still completes, with bytes or an
    // error.
    void stop_reading() {
      boost::system::error_code error;
      if (reading_) pipe_.cancel(error);
    }
    bool reading() const { return reading_; }
    // After the end, what is in the pipe is all. A process that has escaped may hold it open, and is not waited for.
    void read_rest(Job& job) {
      boost::system::error_code error;
      while (pipe_.is_open()) {
        const std::size_t count = pipe_.read_some(asio::buffer(buffer_), error);
        if (error || !keep(job, count)) break;
      }
      pipe_.close(error);
    }
    std::string take() { return std::exchange(text_, {}); }

   private:
    bool keep(Job& job, std::size_t count) {
      State& state = *job.state_;
      if (text_.size() + count > state.rules.max_output_bytes) {
        job.kill({ErrorKind::kOutputLimit, "the command '" + job.request_.program + "' wrote more than " +
                                               size_text(state.rules.max_output_bytes)});
      } else if (state.held_bytes + count > state.rules.max_held_bytes) {
        job.kill({ErrorKind::kOutputLimit,
                  "the commands of this run wrote more than " + size_text(state.rules.max_held_bytes) + " of output"});
      }
      if (job.failure_) return false;
      text_.append(buffer_.data(), count);
      state.held_bytes += count;
      job.held_bytes_ += count;
      return true;
    }

    asio::posix::stream_descriptor pipe_;
    std::array<char, 16 * 1024> buffer_;
    bool reading_ = false;
    std::string text_;
  };

  void give_back_held() { state_->held_bytes -= std::exchange(held_bytes_, 0); }

  void ended(const boost::system::error_code& error) {
    if (error || !child_) return;
    over_ = true;
    out_.stop_reading();
    err_.stop_reading();
    conclude();
  }

  void conclude() {
    if (!child_ || out_.reading() || err_.reading()) return;
    out_.read_rest(*this);
    err_.read_rest(*this);
    const base::ChildEnd end = child_->reap();
    child_.reset();
    timer_.cancel();
    end_.close();
    give_back_held();
    state_->working.erase(this);
    if (auto done = std::exchange(done_, nullptr)) done(result(end));
    state_->advance();
  }

  CommandResult<CommandOutput> result(const base::ChildEnd& end) {
    if (failure_) return std::move(*failure_);
    if (end.in_folder) {
      return CommandError{ErrorKind::kNotFound,
                          "Failed to spawn '" + request_.program + "': No such cwd '" + request_.folder + "'",
                          end.start_error};
    }
    if (end.start_error != 0) return failed_to_start(request_.program, end.start_error);
    CommandOutput output;
    output.code = end.signal != 0 ? 128 + end.signal : end.code;
    if (end.signal != 0) output.signal = signal_name(end.signal);
    output.out = out_.take();
    output.err = err_.take();
    return output;
  }

  std::shared_ptr<State> state_;
  CommandRequest request_;
  Done done_;
  std::optional<base::Child> child_;
  asio::steady_timer timer_;
  asio::posix::stream_descriptor end_;
  Stream out_;
  Stream err_;
  std::size_t held_bytes_ = 0;
  bool over_ = false;  // the program has ended, and nothing that it started is left
  std::optional<CommandError> failure_;
};

void CommandRunner::State::advance() {
  while (!waiting.empty() && working.size() < rules.max_at_once) {
    const auto job = waiting.front();
    waiting.pop_front();
    if (job->start()) working.insert(job.get());
  }
}

CommandRunner::CommandRunner(asio::io_context& io, CommandRules rules)
    : state_(std::make_shared<State>(io, std::move(rules))) {}

CommandRunner::~CommandRunner() {  // NOLINT(bugprone-exception-escape): nothing here throws while there is memory
  for (const auto& job : state_->waiting) job->forget();
  for (const auto& job : state_->working) job->forget();
  cancel();
}

void CommandRunner::run(CommandRequest request, Done done) {
  state_->waiting.push_back(std::make_shared<Job>(state_, std::move(request), std::move(done)));
  state_->advance();
}

void CommandRunner::cancel() {
  const auto reason = [] { return CommandError{ErrorKind::kCancelled, "the run is over"}; };
  for (const auto& job : std::exchange(state_->waiting, {})) job->tell(reason());
  for (const auto& job : state_->working) job->kill(reason());
}

}  // namespace glovebox::calls
