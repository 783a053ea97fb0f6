// ServerSession: a session of the 2025 era over HTTP, its streams, and the events sent on them.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/http/http_reply.h"
#include "mcp/outlet.h"
#include "mcp/server/server_peer.h"

namespace glovebox::mcp {

class ServerSession : public std::enable_shared_from_this<ServerSession> {
 public:
  // What all sessions keep for clients that reconnect.
  struct AllKept {
    std::size_t bytes = 0;
    std::size_t most = 0;
    std::function<void()> full;  // there are more
  };
  ServerSession(std::string id, std::shared_ptr<ServerPeer> peer, std::shared_ptr<AllKept> all = nullptr);
  ~ServerSession();
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;

  const std::string& id() const { return id_; }
  const std::shared_ptr<ServerPeer>& peer() const { return peer_; }

  // The outlet of one POST, which writes to `reply`.
  std::shared_ptr<Outlet> open_stream(std::shared_ptr<HttpReply> reply);

  // A GET. Without an event id: the stream for messages that belong to no request; refused while there is one. With
  // one: the stream of that event continues in `reply`, first with the missed events.
  enum class Attached { kYes, kTaken, kUnknownEvent };
  Attached attach(const std::shared_ptr<HttpReply>& reply, std::string_view last_event_id);

  void close();

  std::size_t event_bytes() const { return event_bytes_; }
  // Streams that need them are not resumed.
  void forget_events();

  std::chrono::steady_clock::time_point last_used = std::chrono::steady_clock::now();
  bool busy() const;

 private:
  class Stream;
  struct Event {
    long stream;
    long number;
    std::string text;
  };

  std::string keep(long stream, long number, std::string_view message);
  void forget_first();

  std::string id_;
  std::shared_ptr<ServerPeer> peer_;
  std::shared_ptr<Stream> background_;
  std::map<long, std::weak_ptr<Stream>> streams_;
  long next_stream_ = 1;
  std::deque<Event> events_;
  std::size_t event_bytes_ = 0;
  long forgotten_ = -1;  // the newest stream that lacks an event
  std::shared_ptr<AllKept> all_;
};

}  // namespace glovebox::mcp
