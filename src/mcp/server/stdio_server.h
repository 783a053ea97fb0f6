// StdioServer: one client at the other end of two descriptors.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {

class LineChannel;

class StdioServer {
 public:
  // `on_end` runs once when the client has closed its end or broken the protocol. After the former, answers still go
  // out until this is destroyed, and then those that are ready.
  static Result<std::unique_ptr<StdioServer>> start(ServerCore& core, boost::asio::any_io_executor executor,
                                                    base::UniqueFd in, base::UniqueFd out,
                                                    std::function<void(Failure)> on_end);
  ~StdioServer();

  // Whether the client has yet to read something that was sent.
  bool has_unread() const;

 private:
  StdioServer(std::shared_ptr<LineChannel> channel, std::shared_ptr<ServerPeer> peer);
  std::shared_ptr<LineChannel> channel_;
  std::shared_ptr<ServerPeer> peer_;
};

}  // namespace glovebox::mcp
