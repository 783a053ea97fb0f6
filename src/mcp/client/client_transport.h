// ClientTransport: how a client reaches its server.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/message.h"
#include "mcp/request_failure.h"
#include "mcp/revision.h"

namespace glovebox::mcp {

struct OutgoingMessage {
  std::string text;
  std::string id;      // of a request; else empty
  std::string method;  // of a request or a notification; else empty
  // HTTP repeats these in header fields.
  std::string name;      // of the tool or prompt, or the URI
  std::string revision;  // empty before it is known
  Era era = Era::kLegacy;
  std::vector<std::pair<std::string, std::string>> fields;
};

class ClientTransport {
 public:
  struct Events {
    std::function<void(Message)> on_message;
    // One request will not be answered.
    std::function<void(const std::string& id, RequestFailure)> on_failed;
    // Nothing more will come. Not called after close().
    std::function<void(RequestFailure)> on_closed;
  };

  virtual ~ClientTransport() = default;
  virtual void start(Events events) = 0;
  virtual void send(OutgoingMessage message) = 0;
  // The answer to this request is no longer wanted. True when this alone informs the server.
  virtual bool forget(const std::string& id) = 0;
  // The handshake of the 2025 era is complete: a stream for messages that belong to no request may be opened. `next`
  // runs when it is open, or when there is no point in waiting for it.
  virtual void established(std::function<void()> next) { next(); }
  // Whether arguments of tools are to be mirrored in header fields.
  virtual bool mirrors() const { return false; }
  virtual void close() = 0;
};

}  // namespace glovebox::mcp
