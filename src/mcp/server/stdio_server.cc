#include "mcp/server/stdio_server.h"

#include "base/try.h"
#include "mcp/limits.h"
#include "mcp/line_channel.h"

namespace glovebox::mcp {
namespace {

// Everything goes out on the one line stream.
class LineOutlet final : public Outlet {
 public:
  explicit LineOutlet(std::weak_ptr<LineChannel> channel) : channel_(std::move(channel)) {}
  void notify(std::string message) override {
    const auto channel = channel_.lock();
    if (channel && channel->queued_bytes() <= kMaxQueuedBeforeNotices) channel->send(std::move(message));
  }
  void send(std::string message) override {
    if (const auto channel = channel_.lock()) channel->send(std::move(message));
  }
  void finish(std::string message, int) override { send(std::move(message)); }
  bool has_room(std::size_t bytes) const override {
    const auto channel = channel_.lock();
    return !channel || channel->has_room(bytes);
  }
  void abandon() override {}

 private:
  std::weak_ptr<LineChannel> channel_;
};

}  // namespace

struct StdioServer::State {
  static constexpr base::SliceOptions kOptions{.max_depth = kMaxMessageDepth, .unique_keys = true};

  std::shared_ptr<LineChannel> channel;
  std::shared_ptr<ServerPeer> peer;
  std::shared_ptr<Outlet> outlet;
  std::function<void(Failure)> on_end;

  void receive(std::string line) {
    auto text = std::make_unique<std::string>(std::move(line));
    auto message = Message::parse(text, kOptions);
    if (message) return peer->receive(std::move(message).value(), outlet);
    refuse(*text, message.failure().message);
  }

  // No one must wait for ever because of a message that could not be parsed: neither the client for its request, nor we
  // for its answer.
  void refuse(std::string_view text, const std::string& why) {
    const Salvaged salvaged = salvage(text);
    std::string error = error_text(salvaged.id, {kParseError, why, {}});
    if (!salvaged.is_answer) return outlet->send(std::move(error));
    auto message = Message::parse(std::move(error), kOptions);
    if (message) peer->receive(std::move(message).value(), outlet);
  }
};

StdioServer::StdioServer(std::shared_ptr<State> state) : state_(std::move(state)) {}

bool StdioServer::has_unread() const {
  return state_->channel->queued_bytes() > 0;
}

StdioServer::~StdioServer() {
  state_->on_end = nullptr;
  state_->peer->close();
  state_->channel->finish();
}

Result<std::unique_ptr<StdioServer>> StdioServer::start(ServerCore& core, boost::asio::any_io_executor executor,
                                                        base::UniqueFd in, base::UniqueFd out,
                                                        std::function<void(Failure)> on_end) {
  auto state = std::make_shared<State>();
  state->channel =
      GLOVEBOX_TRY(LineChannel::open(std::move(executor), std::move(in), std::move(out), kMaxRequestBytes));
  state->peer = core.connect({.principal = "stdio", .asks_owner = true});
  state->outlet = std::make_shared<LineOutlet>(state->channel);
  state->peer->set_background(state->outlet);
  state->on_end = std::move(on_end);
  const std::weak_ptr<State> weak = state;
  state->channel->start({.on_line =
                             [weak](std::string line) {
                               if (const auto held = weak.lock()) held->receive(std::move(line));
                             },
                         .on_end =
                             [weak](Failure why) {
                               const auto held = weak.lock();
                               if (!held) return;
                               if (const auto notify = std::move(held->on_end)) notify(std::move(why));
                             },
                         .outlives_input = true});
  return std::unique_ptr<StdioServer>(new StdioServer(std::move(state)));
}

}  // namespace glovebox::mcp
