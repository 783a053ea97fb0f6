// Events of a workflow as a stream. The store has them, numbered without gaps, and a feed continues after the last that
// it delivered: so none is lost or doubled, whichever gateway drives the workflow and however often the reader
// reconnects.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace glovebox::workflow {

using OnEvent = std::function<void(const store::WorkflowEvent&)>;

class EventFeed : public std::enable_shared_from_this<EventFeed> {
 public:
  EventFeed(boost::asio::any_io_executor executor, store::Store& store, std::string workflow, std::int64_t after,
            OnEvent on_event);

  // There may be something new: read later, not before the caller returns.
  void poll();
  // These are in the store now: delivered later, not before the caller returns.
  void tell(std::shared_ptr<const std::vector<store::WorkflowEvent>> events);
  // Polls from time to time: for workflows that other gateways drive.
  void poll_regularly(std::chrono::milliseconds every);
  void stop();

  const std::string& workflow() const { return workflow_; }
  std::int64_t last() const { return last_; }

 private:
  void read();
  void give(const std::vector<store::WorkflowEvent>& events);

  boost::asio::any_io_executor executor_;
  store::Store& store_;
  const std::string workflow_;
  std::int64_t last_;
  OnEvent on_event_;
  boost::asio::steady_timer timer_;
  bool reads_ = false;
  bool reads_again_ = false;
  bool stopped_ = false;
};

// The feeds of workflows that are followed here.
class EventFeeds {
 public:
  void add(const std::shared_ptr<EventFeed>& feed) { feeds_[feed->workflow()].push_back(feed); }
  void tell(const std::string& workflow, std::vector<store::WorkflowEvent> events);

 private:
  std::map<std::string, std::vector<std::weak_ptr<EventFeed>>> feeds_;
};

// {"workflow":…,"event":N,"at":…,"type":…,…payload}
std::string to_json(const std::string& workflow, const store::WorkflowEvent& event);

}  // namespace glovebox::workflow
