#include "mcp/client/stdio_client_transport.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/child.h"
#include "base/system_error.h"
#include "base/try.h"
#include "mcp/line_channel.h"

namespace glovebox::mcp {
namespace {

// How long a server may take to exit by itself after its input is closed.
constexpr std::chrono::milliseconds kPatience{2000};

// How long after the end of its output a process may take to exit, so that its exit code can be reported. On a busy
// machine that takes seconds; a server that closes its output and keeps running is of no use, and costs its callers
// this time.
constexpr std::chrono::milliseconds kAfterOutput{5000};

// As many as a pipe holds.
constexpr int kMostLastPieces = 16;

Result<std::string> find_program(const std::string& name, const std::vector<std::string>& environment) {
  if (name.find('/') != name.npos) return name;
  std::string_view path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& entry : environment)
    if (entry.rfind("PATH=", 0) == 0) path = std::string_view(entry).substr(5);
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    std::string candidate = std::string(path.substr(0, colon)) + "/" + name;
    if (candidate.front() == '/' && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    path.remove_prefix(colon == path.npos ? path.size() : colon + 1);
  }
  return Failure{ErrorCode::kNotFound, "there is no program " + name + " in PATH"};
}

// "TypeError: x is not a function", "Error [ERR_X]: …", "error: …": the line that says what went wrong.
bool names_an_error(std::string_view line) {
  const std::string_view word = line.substr(0, line.find_first_of(": ["));
  return word.ends_with("Error") || word.ends_with("Exception") || word == "error" || word == "fatal";
}

// The most informative line that a server wrote before it ended. Node prints more below the error, Python nothing.
std::string telling_line(std::string_view log) {
  std::string_view last, error;
  while (!log.empty()) {
    std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    line = line.substr(0, line.find_last_not_of("\r \t") + 1);
    if (line.empty()) continue;
    last = line;
    if (names_an_error(line)) error = line;
  }
  if (error.empty()) error = last.substr(std::min(last.find_first_not_of(" \t"), last.size()));
  return std::string(error.substr(0, 500));
}

std::string how_it_ended(const base::ChildEnd& end, const std::string& program) {
  if (end.start_error) return base::system_failure(end.start_error, program + " could not be started").message;
  if (end.signal) return "the server was killed by signal " + std::to_string(end.signal);
  return "the server ended with exit code " + std::to_string(end.code);
}

}  // namespace

struct StdioClientTransport::State : std::enable_shared_from_this<State> {
  State(const boost::asio::any_io_executor& executor, base::Child started)
      : child(std::move(started)), end_watch(executor), errors(executor), timer(executor) {}
  ~State() {
    // The descriptor belongs to the child.
    if (end_watch.is_open()) (void)end_watch.release();
  }

  base::Child child;
  boost::asio::posix::stream_descriptor end_watch;
  boost::asio::posix::stream_descriptor errors;
  boost::asio::steady_timer timer;
  std::shared_ptr<LineChannel> channel;
  Events events;
  std::string program;
  std::string log;
  std::function<void(std::string_view)> on_log;
  std::array<char, 4096> buffer;
  bool over = false;

  void read_errors() {
    errors.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](const boost::system::error_code& error) {
                        if (error) return;
                        const boost::system::error_code end = self->read_piece();
                        if (!end || end == boost::asio::error::would_block) self->read_errors();
                      });
  }

  // Of the log, without waiting; an error where there is none.
  boost::system::error_code read_piece() {
    boost::system::error_code error;
    const std::size_t count = errors.read_some(boost::asio::buffer(buffer), error);
    if (error) return error;
    const std::string_view text(buffer.data(), count);
    log += text;
    if (log.size() > 2 * kMaxServerLogBytes) log.erase(0, log.size() - kMaxServerLogBytes);
    if (on_log) on_log(text);
    return {};
  }

  // Its end may be known before they are read. What it has left running may write on, so only as much as a pipe
  // holds is read.
  void read_last_words() {
    for (int pieces = 0; pieces < kMostLastPieces && !read_piece(); ++pieces) {
    }
  }

  void receive(std::string line) {
    auto message = Message::parse(std::move(line), {.max_depth = kMaxMessageDepth});
    // A copy, because close() releases the callbacks while one of them runs.
    const auto on_message = events.on_message;
    if (message) return on_message(std::move(message).value());
    // Whatever this was, it may have contained an answer that a caller waits for.
    finish({RequestFailureKind::kProtocol,
            "the server sent something that is not a message: " + message.failure().message,
            {},
            0});
  }

  // The output has ended: so has the server, most likely, and then its exit code explains more.
  void output_ended(Failure why) {
    const bool too_large = why.message.find("larger than") != why.message.npos;
    if (why.code == ErrorCode::kProtocol)
      return finish({too_large ? RequestFailureKind::kTooLarge : RequestFailureKind::kProtocol, why.message, {}, 0});
    end_watch.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](const boost::system::error_code& error) {
                           if (error || self->over) return;
                           self->timer.cancel();
                           (void)self->end_watch.release();
                           self->read_last_words();
                           std::string message = how_it_ended(self->child.reap(), self->program);
                           if (const std::string line = telling_line(self->log); !line.empty()) message += ": " + line;
                           self->finish({RequestFailureKind::kClosed, std::move(message), {}, 0});
                         });
    timer.expires_after(kAfterOutput);
    timer.async_wait([self = shared_from_this(), why](const boost::system::error_code& error) {
      if (!error) self->finish({RequestFailureKind::kClosed, why.message, {}, 0});
    });
  }

  void finish(RequestFailure why) {
    if (over) return;
    over = true;
    const auto on_closed = std::move(events.on_closed);
    stop();
    if (on_closed) on_closed(std::move(why));
  }

  // Nothing is reported any more.
  void stop() {
    over = true;
    events = {};
    if (channel) channel->finish_sending();
    timer.expires_after(kPatience);
    timer.async_wait([self = shared_from_this()](const boost::system::error_code&) { self->release(); });
    if (!end_watch.is_open()) return release();
    end_watch.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [self = shared_from_this()](const boost::system::error_code& error) {
                           if (!error) self->release();
                         });
  }

  // Releases every descriptor; the child is killed with this object.
  void release() {
    boost::system::error_code ignored;
    timer.cancel();
    errors.close(ignored);
    if (channel) channel->close();
    if (end_watch.is_open()) (void)end_watch.release();
  }
};

StdioClientTransport::StdioClientTransport(std::shared_ptr<State> state) : state_(std::move(state)) {}
StdioClientTransport::~StdioClientTransport() {
  close();
}

Result<std::unique_ptr<StdioClientTransport>> StdioClientTransport::spawn(boost::asio::any_io_executor executor,
                                                                          StdioServerCommand command) {
  if (command.words.empty()) return Failure{ErrorCode::kInvalidArgument, "the command is empty"};
  base::ChildSpec spec;
  spec.program = GLOVEBOX_TRY(find_program(command.words.front(), command.environment));
  spec.arguments = std::move(command.words);
  spec.environment = std::move(command.environment);
  spec.feed = true;
  if (!command.folder.empty()) {
    spec.folder.reset(::open(command.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!spec.folder.valid()) return base::system_failure(errno, command.folder);
  }
  std::string program = spec.program;
  auto state = std::make_shared<State>(executor, GLOVEBOX_TRY(base::Child::start(std::move(spec))));
  state->program = std::move(program);
  state->on_log = std::move(command.on_log);
  boost::system::error_code error;
  state->end_watch.assign(state->child.end_fd(), error);
  base::UniqueFd errors = state->child.take_err();
  if (!error) state->errors.assign(errors.get(), error);
  if (!error) (void)errors.release();
  if (!error) state->errors.non_blocking(true, error);
  if (error) return Failure{ErrorCode::kSystem, "a child process cannot be watched: " + error.message()};
  state->channel = GLOVEBOX_TRY(
      LineChannel::open(executor, state->child.take_out(), state->child.take_in(), command.max_message_bytes));
  return std::unique_ptr<StdioClientTransport>(new StdioClientTransport(std::move(state)));
}

void StdioClientTransport::start(Events events) {
  state_->events = std::move(events);
  state_->read_errors();
  const std::weak_ptr<State> weak = state_;
  state_->channel->start({.on_line =
                              [weak](std::string line) {
                                if (const auto state = weak.lock(); state && !state->over)
                                  state->receive(std::move(line));
                              },
                          .on_end =
                              [weak](Failure why) {
                                if (const auto state = weak.lock(); state && !state->over)
                                  state->output_ended(std::move(why));
                              }});
}

void StdioClientTransport::send(OutgoingMessage message) {
  if (state_->channel->has_room(message.text.size())) return state_->channel->send(std::move(message.text));
  // Only this call ends: others wait for the same server. Without an id no call waits for it.
  if (!message.id.empty() && state_->events.on_failed) {
    state_->events.on_failed(
        message.id,
        {RequestFailureKind::kProtocol, "the server does not read what it is sent; the call was not made", {}, 0});
  }
}

void StdioClientTransport::close() {
  if (!state_->over) state_->stop();
}

const std::string& StdioClientTransport::log() const {
  return state_->log;
}

}  // namespace glovebox::mcp
