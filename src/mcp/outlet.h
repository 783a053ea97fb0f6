// Where the messages of one request go: the line stream of stdio, or the response of one HTTP request.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::mcp {

class Outlet {
 public:
  virtual ~Outlet() = default;

  // Progress and log lines. Dropped while the client has not read earlier ones, because an answer matters more.
  virtual void notify(std::string message) = 0;

  // Another notification, or a request of ours, that belongs to the client's request.
  virtual void send(std::string message) = 0;

  // The answer; nothing follows. `http_status` is the status that an HTTP transport sends with it.
  virtual void finish(std::string message, int http_status) = 0;

  // False: so much waits for the client to read that only short messages should follow.
  virtual bool has_room(std::size_t bytes) const {
    (void)bytes;
    return true;
  }

  // There will be no answer: the client has cancelled its request.
  virtual void abandon() = 0;

  // For a call that its client follows as a task: the task's id. Empty: the client waits for the answer.
  virtual const std::string& task_id() const {
    static const std::string kNone;
    return kNone;
  }
  virtual void set_status(bool needs_input, std::string_view message) {
    (void)needs_input;
    (void)message;
  }

  // Releases the connection while the work continues; what follows is kept for a client that reconnects.
  virtual void release() {}
};

}  // namespace glovebox::mcp
