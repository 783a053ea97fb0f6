#include "workflow/event_feed.h"

#include <boost/asio/post.hpp>

#include "base/wall_clock.h"

namespace glovebox::workflow {
namespace {

// Per read: more would block the thread for too long.
constexpr std::size_t kBatch = 256;

}  // namespace

EventFeed::EventFeed(boost::asio::any_io_executor executor, store::Store& store, std::string workflow,
                     std::int64_t after, OnEvent on_event)
    : executor_(executor),
      store_(store),
      workflow_(std::move(workflow)),
      last_(after),
      on_event_(std::move(on_event)),
      timer_(executor) {}

void EventFeed::poll() {
  if (stopped_) return;
  if (std::exchange(reads_, true)) {
    reads_again_ = true;
  } else {
    read();
  }
}

// On the store's thread, so that nothing on ours waits for it.
void EventFeed::read() {
  reads_again_ = false;
  store_.post([weak = weak_from_this(), executor = executor_, workflow = workflow_, last = last_](store::Store& store) {
    if (weak.expired()) return;
    auto events = store.workflow_events_after(workflow, last, kBatch);
    boost::asio::post(executor, [weak, events = std::move(events)] {
      const auto feed = weak.lock();
      if (!feed) return;
      // If they cannot be read now, the next poll finds them.
      if (events) feed->give(events.value());
      // A batch is also bounded in bytes, so a small one need not be the last.
      const bool more = events && !events->empty();
      feed->reads_ = false;
      if (more || feed->reads_again_) feed->poll();
    });
  });
}

void EventFeed::give(const std::vector<store::WorkflowEvent>& events) {
  const auto self = shared_from_this();
  for (const store::WorkflowEvent& event : events) {
    if (stopped_) return;
    if (event.number <= last_) continue;
    last_ = event.number;
    on_event_(event);
  }
}

void EventFeed::tell(std::shared_ptr<const std::vector<store::WorkflowEvent>> events) {
  if (stopped_) return;
  boost::asio::post(executor_, [weak = weak_from_this(), events = std::move(events)] {
    const auto feed = weak.lock();
    if (!feed) return;
    // A feed that has missed some reads them from the store.
    if (events->front().number > feed->last_ + 1) return feed->poll();
    feed->give(*events);
  });
}

void EventFeed::poll_regularly(std::chrono::milliseconds every) {
  if (stopped_) return;
  poll();
  timer_.expires_after(every);
  timer_.async_wait([weak = weak_from_this(), every](const boost::system::error_code& error) {
    const auto feed = weak.lock();
    if (!error && feed) feed->poll_regularly(every);
  });
}

void EventFeed::stop() {
  stopped_ = true;
  timer_.cancel();
}

void EventFeeds::tell(const std::string& workflow, std::vector<store::WorkflowEvent> events) {
  const auto found = feeds_.find(workflow);
  if (found == feeds_.end() || events.empty()) return;
  const auto shared = std::make_shared<const std::vector<store::WorkflowEvent>>(std::move(events));
  std::erase_if(found->second, [&](const auto& weak) {
    const auto feed = weak.lock();
    if (feed) feed->tell(shared);
    return !feed;
  });
  if (found->second.empty()) feeds_.erase(found);
}

std::string to_json(const std::string& workflow, const store::WorkflowEvent& event) {
  json::object made{
      {"workflow_id", workflow}, {"event", event.number}, {"at", base::iso_time(event.at)}, {"type", event.type}};
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  const json::value payload = json::parse(event.payload, wrong, {}, options);
  if (wrong || !payload.is_object()) return json::serialize(made);
  // A member of the payload neither repeats nor replaces one of the same name.
  for (const auto& member : payload.get_object()) made.emplace(member.key(), member.value());
  return json::serialize(made);
}

}  // namespace glovebox::workflow
