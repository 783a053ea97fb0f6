#include "http_api/changes.h"

#include "base/text/json_builder.h"

namespace glovebox::http_api {
namespace {

// A poll of a file that has not changed costs some microseconds; one at a database is a round trip, and the thread
// waits.
constexpr std::chrono::milliseconds kPause{20};
constexpr std::chrono::milliseconds kPauseOfDatabase{1000};

std::string event_text(std::int64_t number, const std::vector<std::string_view>& workspaces) {
  const std::string data = base::ObjectText().json("workspaces", base::text_list(workspaces)).done();
  return "id: " + std::to_string(number) + "\nevent: changed\ndata: " + data + "\n\n";
}

// A store that cannot be read is a change too: the page says so.
std::string mark_of(const Result<store::Store*>& store) {
  if (!store) return "unreadable: " + store.failure().message;
  if (!store.value()) return "none";
  auto mark = store.value()->change_mark();
  return mark ? std::move(mark).value() : "unreadable: " + mark.failure().message;
}

}  // namespace

Changes::Changes(const boost::asio::any_io_executor& executor, const std::vector<WorkspaceAccess>& workspaces)
    : timer_(executor) {
  for (const WorkspaceAccess& workspace : workspaces) watched_.push_back({&workspace, ""});
}

void Changes::follow(const std::shared_ptr<mcp::HttpReply>& reply) {
  std::vector<std::string_view> all;
  for (const Watched& watched : watched_) all.push_back(watched.workspace->id);
  reply->add(event_text(number_, all));
  followers_.push_back(reply);
  if (!polls_) poll();
}

void Changes::stop() {
  for (const auto& reply : followers_) reply->finish();
  followers_.clear();
  timer_.cancel();
}

std::vector<std::string_view> Changes::changed_since_last_poll() {
  std::vector<std::string_view> changed;
  const auto now = std::chrono::steady_clock::now();
  for (Watched& watched : watched_) {
    if (now < watched.next) continue;
    const auto store = watched.workspace->store();
    watched.next = now + (store && store.value() && store.value()->is_shared() ? kPauseOfDatabase : kPause);
    std::string mark = mark_of(store);
    if (mark == watched.mark) continue;
    watched.mark = std::move(mark);
    changed.push_back(watched.workspace->id);
  }
  return changed;
}

void Changes::poll() {
  std::erase_if(followers_, [](const auto& reply) { return !reply->attached() || reply->is_crowded(); });
  polls_ = !followers_.empty();
  if (!polls_) return;
  if (const auto changed = changed_since_last_poll(); !changed.empty()) {
    ++number_;
    for (const auto& reply : followers_) reply->add(event_text(number_, changed));
  }
  timer_.expires_after(kPause);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) self->poll();
  });
}

}  // namespace glovebox::http_api
