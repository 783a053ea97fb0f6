#include "mcp/line_channel.h"

#include <signal.h>

#include <boost/asio/write.hpp>
#include <cstring>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

}  // namespace

LineChannel::LineChannel(boost::asio::any_io_executor executor, std::size_t max_line_bytes)
    : in_(executor), out_(executor), max_line_bytes_(max_line_bytes) {}

Result<std::shared_ptr<LineChannel>> LineChannel::open(boost::asio::any_io_executor executor, base::UniqueFd in,
                                                       base::UniqueFd out, std::size_t max_line_bytes) {
  // A write to a closed peer must be an error and not a signal.
  ::signal(SIGPIPE, SIG_IGN);
  std::shared_ptr<LineChannel> channel(new LineChannel(std::move(executor), max_line_bytes));
  boost::system::error_code error;
  channel->in_.assign(in.get(), error);
  if (error) return Failure{ErrorCode::kSystem, "the input cannot be waited for: " + error.message()};
  (void)in.release();
  channel->out_.assign(out.get(), error);
  if (!error) (void)out.release();
  if (!error) channel->out_.non_blocking(true, error);
  if (error) return Failure{ErrorCode::kSystem, "the output cannot be waited for: " + error.message()};
  return channel;
}

void LineChannel::start(Events events) {
  events_ = std::move(events);
  read();
}

void LineChannel::read() {
  if (ended_ || finishing_) return;
  if (buffer_.size() < filled_ + kReadBytes) buffer_.resize(filled_ + kReadBytes);
  in_.async_read_some(boost::asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_),
                      [self = shared_from_this()](const boost::system::error_code& error, std::size_t count) {
                        if (self->ended_ || self->finishing_) return;
                        if (error == boost::asio::error::eof) return self->input_ended();
                        if (error) return self->end({ErrorCode::kSystem, "reading failed: " + error.message()});
                        self->took(count);
                      });
}

void LineChannel::input_ended() {
  Failure why{ErrorCode::kSystem, "the other end has closed its output"};
  if (!events_.outlives_input) return end(std::move(why));
  if (const auto on_end = std::exchange(events_.on_end, nullptr)) on_end(std::move(why));
}

void LineChannel::took(std::size_t count) {
  filled_ += count;
  std::size_t begin = 0;
  // A copy, because close() releases the callbacks while one of them runs.
  const auto on_line = events_.on_line;
  for (;;) {
    const void* found = std::memchr(buffer_.data() + searched_, '\n', filled_ - searched_);
    if (!found) break;
    const std::size_t newline = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
    std::size_t size = newline - begin;
    if (size > max_line_bytes_) break;
    if (size > 0 && buffer_[newline - 1] == '\r') --size;
    if (size > 0) {
      on_line(buffer_.substr(begin, size));
      if (ended_ || finishing_) return;
    }
    begin = searched_ = newline + 1;
  }
  if (filled_ - begin > max_line_bytes_)
    return end({ErrorCode::kProtocol, "a message is larger than " + std::to_string(max_line_bytes_) + " bytes"});
  // Only what came is moved, not the whole buffer, and usually nothing.
  filled_ -= begin;
  if (begin > 0 && filled_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin, filled_);
  searched_ = filled_;
  // One large message must not hold its memory for ever.
  if (filled_ == 0 && buffer_.capacity() > 16 * kReadBytes) std::string().swap(buffer_);
  read();
}

bool LineChannel::has_room(std::size_t bytes) const {
  return queued_ + bytes < kMaxQueuedBytes;
}

void LineChannel::send(std::string line) {
  if (ended_ || finishing_) return;
  // One message is one line. Within JSON a line break can only be space between tokens; untrusted arguments or a schema
  // that contains one must not become a message of its own.
  for (char& byte : line) {
    if (byte == '\n' || byte == '\r') byte = ' ';
  }
  line += '\n';
  queued_ += line.size();
  if (queued_ > kMaxQueuedBytes + kShortLinesRoom)
    return end({ErrorCode::kProtocol, "the other end does not read what we send"});
  queue_.push_back(std::move(line));
  write();
}

void LineChannel::notify(std::string line) {
  if (queued_ <= kMaxQueuedBeforeNotices) send(std::move(line));
}

// What fits is written at once. The rest waits for the loop, and so does an error: nothing is reported from here.
void LineChannel::write() {
  while (!writing_ && !queue_.empty()) {
    boost::system::error_code failed;
    const std::size_t count = out_.write_some(boost::asio::buffer(queue_.front()), failed);
    if (!failed && count == queue_.front().size()) {
      wrote();
      continue;
    }
    writing_ = true;
    boost::asio::async_write(out_, boost::asio::buffer(queue_.front()) + (failed ? 0 : count),
                             [self = shared_from_this()](const boost::system::error_code& error, std::size_t) {
                               self->writing_ = false;
                               if (self->ended_) return;
                               self->wrote();
                               if (error && self->finishing_) return self->close();
                               if (error) return self->end({ErrorCode::kSystem, "writing failed: " + error.message()});
                               self->write();
                             });
  }
  if (finishing_ && !writing_) close();
}

void LineChannel::wrote() {
  queued_ -= queue_.front().size();
  queue_.pop_front();
}

void LineChannel::finish_sending() {
  if (ended_ || finishing_) return;
  finishing_ = true;
  boost::system::error_code ignored;
  in_.close(ignored);
  write();
}

void LineChannel::close() {
  if (ended_) return;
  ended_ = true;
  queued_ = 0;
  boost::system::error_code ignored;
  in_.close(ignored);
  out_.close(ignored);
  events_ = {};
}

void LineChannel::end(Failure why) {
  if (ended_) return;
  const auto on_end = std::move(events_.on_end);
  close();
  if (on_end) on_end(std::move(why));
}

}  // namespace glovebox::mcp
