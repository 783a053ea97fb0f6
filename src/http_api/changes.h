// Notifies clients that follow a workspace that something in its store has changed: "read again", and nothing more. A
// client that misses one is up to date after the next.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http_api/workspace_access.h"
#include "mcp/http/http_reply.h"

namespace glovebox::http_api {

class Changes : public std::enable_shared_from_this<Changes> {
 public:
  Changes(const boost::asio::any_io_executor& executor, const std::vector<WorkspaceAccess>& workspaces);

  // Sends events until the client hangs up. The first event comes at once.
  void follow(const std::shared_ptr<mcp::HttpReply>& reply);
  void stop();

 private:
  struct Watched {
    const WorkspaceAccess* workspace;
    std::string mark;
    std::chrono::steady_clock::time_point next{};  // when it is polled again
    bool is_read = false;                          // on its store's thread
  };
  // Stores are polled only while a client follows.
  void poll();
  void read_mark(std::size_t which);
  void on_mark(std::size_t which, std::string mark);

  boost::asio::steady_timer timer_;
  std::vector<Watched> watched_;
  std::vector<std::shared_ptr<mcp::HttpReply>> followers_;
  std::int64_t number_ = 0;
  bool polls_ = false;
};

}  // namespace glovebox::http_api
