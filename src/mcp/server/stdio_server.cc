#include "mcp/server/stdio_server.h"

#include "base/try.h"
#include "mcp/limits.h"
#include "mcp/line_channel.h"
#include "mcp/server/server_peer.h"

namespace glovebox::mcp {

StdioServer::StdioServer(std::shared_ptr<LineChannel> channel, std::shared_ptr<ServerPeer> peer)
    : channel_(std::move(channel)), peer_(std::move(peer)) {}

bool StdioServer::has_unread() const {
  return channel_->queued_bytes() > 0;
}

StdioServer::~StdioServer() {
  peer_->close();
  channel_->finish_sending();
}

Result<std::unique_ptr<StdioServer>> StdioServer::start(ServerCore& core, boost::asio::any_io_executor executor,
                                                        base::UniqueFd in, base::UniqueFd out,
                                                        std::function<void(Failure)> on_end) {
  auto channel = GLOVEBOX_TRY(LineChannel::open(std::move(executor), std::move(in), std::move(out), kMaxRequestBytes));
  auto peer = core.connect({.principal = "stdio", .asks_owner = true});
  peer->set_background(channel);
  channel->start({.on_line =
                      [weak = std::weak_ptr(peer), outlet = std::weak_ptr(channel)](std::string line) {
                        if (const auto held = weak.lock()) held->receive_text(std::move(line), outlet.lock());
                      },
                  .on_end = std::move(on_end),
                  .outlives_input = true});
  return std::unique_ptr<StdioServer>(new StdioServer(std::move(channel), std::move(peer)));
}

}  // namespace glovebox::mcp
