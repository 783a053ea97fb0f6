// StdioClientTransport: a server that is a child process of ours.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "mcp/client/client_transport.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

struct StdioServerCommand {
  std::vector<std::string> words;  // the program, found by PATH of `environment` or by its path, and its arguments
  std::vector<std::string> environment;  // NAME=value; the child gets nothing else
  std::string folder;                    // empty: ours
  std::size_t max_message_bytes = kMaxResponseBytes;
  // What the server writes to its standard error, as it arrives. What exceeds the transport's own log is passed only
  // here.
  std::function<void(std::string_view)> on_log;
};

class StdioClientTransport final : public ClientTransport {
 public:
  // Starts the program in a process group of its own, which dies with the transport.
  static Result<std::unique_ptr<StdioClientTransport>> spawn(boost::asio::any_io_executor executor,
                                                             StdioServerCommand command);
  ~StdioClientTransport() override;

  void start(Events events) override;
  void send(OutgoingMessage message) override;
  bool forget(const std::string&) override { return false; }
  void close() override;

  // The last part of what the server has written to its standard error.
  const std::string& log() const;

 private:
  struct State;
  explicit StdioClientTransport(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::mcp
