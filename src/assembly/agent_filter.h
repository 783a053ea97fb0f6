// Filters everything that an agent gets, from whichever tool: results, errors, logs, progress and questions.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>

#include "gateway/privacy/privacy_guard.h"
#include "mcp/server/outgoing_filter.h"

namespace glovebox::assembly {

// Where large results are filtered: beside the loop, which serves others meanwhile. It ends before the loop does.
struct FilterThread {
  explicit FilterThread(boost::asio::any_io_executor back) : loop(std::move(back)) {}
  ~FilterThread() { thread.join(); }
  boost::asio::any_io_executor loop;
  boost::asio::thread_pool thread{1};
};

class AgentFilter final : public mcp::OutgoingFilter, public std::enable_shared_from_this<AgentFilter> {
 public:
  AgentFilter(std::shared_ptr<gateway::PrivacyGuard> guard, const std::string& conversation, std::string method,
              FilterThread& beside);

  std::string result(std::string json) override;
  std::string result_said_twice(std::string json, const base::TwiceSaid& places) override;
  void large_result(std::string json, std::function<void(std::string)> done) override;
  std::string said(std::string json) override;
  std::string text(std::string text) override;

 private:
  std::string reported(privacy::Filtered filtered) const;
  std::shared_ptr<gateway::PrivacyGuard> guard_;
  std::shared_ptr<const privacy::Filter> filter_;  // as it was when the call came
  std::string method_;                             // of the request that is answered
  FilterThread& beside_;
  // Logs go out in two ways, and in each the lines of a private key arrive one by one.
  privacy::LineFilter logs_;
  privacy::LineFilter progress_;
};

}  // namespace glovebox::assembly
