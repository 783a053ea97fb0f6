// LineChannel: messages as lines over two file descriptors, for MCP's stdio transport. For a server it is where the
// messages of every request go.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "mcp/outlet.h"

namespace glovebox::mcp {

class LineChannel final : public Outlet, public std::enable_shared_from_this<LineChannel> {
 public:
  struct Events {
    std::function<void(std::string)> on_line;
    // Called once, and last. The failure says why: end of input, an error, a line beyond the limit, or a peer that
    // reads nothing while it makes us send more and more.
    std::function<void(Failure)> on_end;
    // The end of input is reported, and the output stays open until finish_sending(). For a server whose client sends
    // all its requests and then reads the answers.
    bool outlives_input = false;
  };

  static Result<std::shared_ptr<LineChannel>> open(boost::asio::any_io_executor executor, base::UniqueFd in,
                                                   base::UniqueFd out, std::size_t max_line_bytes);

  void start(Events events);
  // False: too much waits to be read by the peer. Only short lines should follow, and not many: else the channel ends.
  bool has_room(std::size_t bytes) const override;
  void send(std::string line) override;
  void notify(std::string line) override;
  void finish(std::string line, int) override { send(std::move(line)); }
  void abandon() override {}
  // Reads no more and writes what is queued, then closes the output. No event follows.
  void finish_sending();
  // Stops at once. No event follows.
  void close();
  std::size_t queued_bytes() const { return queued_; }

 private:
  LineChannel(boost::asio::any_io_executor executor, std::size_t max_line_bytes);
  void read();
  void input_ended();
  void took(std::size_t count);
  void write();
  void wrote();
  void end(Failure why);

  boost::asio::posix::stream_descriptor in_;
  boost::asio::posix::stream_descriptor out_;
  std::size_t max_line_bytes_;
  Events events_;
  std::string buffer_;
  std::size_t filled_ = 0;
  std::size_t searched_ = 0;
  std::deque<std::string> queue_;
  std::size_t queued_ = 0;
  bool writing_ = false;
  bool ended_ = false;
  bool finishing_ = false;
};

}  // namespace glovebox::mcp
