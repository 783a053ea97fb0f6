// The sessions of 2025's clients: a bounded number, of which the idle give way to new ones.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/http/http_session.h"

namespace glovebox::mcp {

class SessionTable {
 public:
  ~SessionTable() { close(); }

  // Whether there is room for one more. Where all places are taken, the session that has been idle for the longest time
  // gives way, of the client that has the most of them; `evicted` is called then, if there is one.
  bool make_room(const std::function<void()>& evicted);
  void add(const std::shared_ptr<ServerSession>& session) { sessions_.emplace(session->id(), session); }
  // Null where there is none.
  std::shared_ptr<ServerSession> find(std::string_view id) const;
  void end(const std::string& id);
  void close();
  std::size_t size() const { return sessions_.size(); }

 private:
  std::map<std::string, std::shared_ptr<ServerSession>, std::less<>> sessions_;
};

}  // namespace glovebox::mcp
