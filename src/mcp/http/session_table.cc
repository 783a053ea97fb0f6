#include "mcp/http/session_table.h"

#include "mcp/http/http_rules.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

// Whose token it is: a client that makes up names gets no more room by them.
std::string holder_of(const ServerSession& session) {
  return token_holder(session.peer()->principal());
}

}  // namespace

SessionTable::SessionTable(std::size_t most_kept_bytes) {
  kept_->most = most_kept_bytes;
  kept_->full = [this] { forget_events(); };
}

SessionTable::~SessionTable() {
  kept_->full = nullptr;  // sessions may live on with their streams
  close();
}

void SessionTable::forget_events() {
  std::map<std::string, std::size_t> had;
  for (const auto& [id, session] : sessions_) had[holder_of(*session)] += session->event_bytes();
  while (kept_->bytes > kept_->most) {
    std::shared_ptr<ServerSession> first;
    std::size_t most = 0;
    for (const auto& [id, session] : sessions_) {
      const std::size_t bytes = session->event_bytes() > 0 ? had[holder_of(*session)] : 0;
      if (bytes < most || bytes == 0) continue;
      if (bytes > most || session->last_used < first->last_used) first = session;
      most = bytes;
    }
    if (!first) return;
    had[holder_of(*first)] -= first->event_bytes();
    first->forget_events();
  }
}

bool SessionTable::make_room(const std::string& holder, const std::function<void()>& evicted) {
  const auto now = std::chrono::steady_clock::now();
  std::map<std::string, std::size_t> had;  // by whose token it is
  std::erase_if(sessions_, [&](const auto& entry) {
    const bool over = !entry.second->busy() && now - entry.second->last_used > kSessionIdleTime;
    if (over) entry.second->close();
    if (!over) ++had[holder_of(*entry.second)];
    return over;
  });
  // One that kept all of them busy would shut out the others.
  const bool has_its_share = had[holder] >= kMaxSessionsOfOneToken;
  if (sessions_.size() < kMaxSessions && !has_its_share) return true;
  const auto gives_way = [&](const ServerSession& one, const ServerSession& other) {
    const std::size_t ones = had[holder_of(one)], others = had[holder_of(other)];
    return ones != others ? ones > others : one.last_used < other.last_used;
  };
  std::shared_ptr<ServerSession> first;
  for (const auto& [id, session] : sessions_) {
    if (session->busy() || (has_its_share && holder_of(*session) != holder)) continue;
    if (!first || gives_way(*session, *first)) first = session;
  }
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
