#include "http_api/changes.h"

#include "base/text/json_builder.h"
#include "store/thread/ask_store.h"

namespace glovebox::http_api {
namespace {

// A poll of a file that has not changed costs some microseconds; one at a database is a round trip.
constexpr std::chrono::milliseconds kPause{20};
constexpr std::chrono::milliseconds kPauseOfDatabase{1000};

std::string event_text(std::int64_t number, const std::vector<std::string_view>& workspaces) {
  const std::string data = base::ObjectText().json("workspaces", base::text_list(workspaces)).done();
  return "id: " + std::to_string(number) + "\nevent: changed\ndata: " + data + "\n\n";
}

// A store that cannot be read is a change too: the page says so.
std::string unreadable(const Failure& failure) {
  return "unreadable: " + failure.message;
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

void Changes::read_mark(std::size_t which) {
  Watched& watched = watched_[which];
  const auto now = std::chrono::steady_clock::now();
  if (watched.is_read || now < watched.next) return;
  const auto store = watched.workspace->store();
  const bool is_database = store && store.value() && store.value()->is_shared();
  watched.next = now + (is_database ? kPauseOfDatabase : kPause);
  if (!store || !store.value()) return on_mark(which, store ? "none" : unreadable(store.failure()));
  watched.is_read = true;
  store::ask_store(
      *store.value(), timer_.get_executor(), [](store::Store& here) { return here.change_mark(); },
      [weak = weak_from_this(), which](Result<std::string> mark) {
        const auto self = weak.lock();
        if (self) self->on_mark(which, mark ? std::move(mark).value() : unreadable(mark.failure()));
      });
}

void Changes::on_mark(std::size_t which, std::string mark) {
  Watched& watched = watched_[which];
  watched.is_read = false;
  if (mark == watched.mark) return;
  watched.mark = std::move(mark);
  ++number_;
  for (const auto& reply : followers_) reply->add(event_text(number_, {watched.workspace->id}));
}

void Changes::poll() {
  std::erase_if(followers_, [](const auto& reply) { return !reply->attached() || reply->is_crowded(); });
  polls_ = !followers_.empty();
  if (!polls_) return;
  for (std::size_t which = 0; which < watched_.size(); ++which) read_mark(which);
  timer_.expires_after(kPause);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) self->poll();
  });
}

}  // namespace glovebox::http_api
