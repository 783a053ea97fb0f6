// The sessions of 2025's clients: a bounded number, of which idle ones are evicted for new ones.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/http/http_session.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

class SessionTable {
 public:
  explicit SessionTable(std::size_t most_kept_bytes = kMaxReplayBytesOfAll);
  ~SessionTable();
  SessionTable(const SessionTable&) = delete;
  SessionTable& operator=(const SessionTable&) = delete;

  // Whether there is room for one more of `holder`'s token. Where all places are taken, a session is evicted: of the
  // client that has the most, the one that has been idle for the longest time. A token that has its share makes room
  // by its own. `evicted` is called then, if it is set.
  bool make_room(const std::string& holder, const std::function<void()>& evicted);
  void add(const std::shared_ptr<ServerSession>& session) { sessions_.emplace(session->id(), session); }
  // Null where there is none.
  std::shared_ptr<ServerSession> find(std::string_view id) const;
  void end(const std::string& id);
  void close();
  std::size_t size() const { return sessions_.size(); }
  // For sessions that will be added.
  const std::shared_ptr<ServerSession::AllKept>& kept() const { return kept_; }

 private:
  // Events of the client that has the most, beginning with the session that has been idle for the longest time.
  void forget_events();

  std::shared_ptr<ServerSession::AllKept> kept_ = std::make_shared<ServerSession::AllKept>();
  std::map<std::string, std::shared_ptr<ServerSession>, std::less<>> sessions_;
};

}  // namespace glovebox::mcp
