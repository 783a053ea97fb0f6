#include "mcp/http/session_table.h"

#include "mcp/http/http_rules.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

bool SessionTable::make_room(const std::function<void()>& evicted) {
  const auto now = std::chrono::steady_clock::now();
  std::map<std::string, std::size_t> had;  // by whose token it is
  const auto holder = [](const ServerSession& session) { return token_holder(session.peer()->principal()); };
  std::erase_if(sessions_, [&](const auto& entry) {
    const bool over = !entry.second->busy() && now - entry.second->last_used > kSessionIdleTime;
    if (over) entry.second->close();
    if (!over) ++had[holder(*entry.second)];
    return over;
  });
  if (sessions_.size() < kMaxSessions) return true;
  const auto gives_way = [&](const ServerSession& one, const ServerSession& other) {
    const std::size_t ones = had[holder(one)], others = had[holder(other)];
    return ones != others ? ones > others : one.last_used < other.last_used;
  };
  std::shared_ptr<ServerSession> first;
  for (const auto& [id, session] : sessions_)
    if (!session->busy() && (!first || gives_way(*session, *first))) first = session;
  if (!first) return false;
  end(first->id());
  if (evicted) evicted();
  return true;
}

std::shared_ptr<ServerSession> SessionTable::find(std::string_view id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second;
}

void SessionTable::end(const std::string& id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  const auto session = found->second;
  sessions_.erase(found);
  session->close();
}

void SessionTable::close() {
  const auto open = std::exchange(sessions_, {});
  for (const auto& [id, session] : open) session->close();
}

}  // namespace glovebox::mcp
