// The gateway that `remote` of the config names, reached as a server of the config.
//
// Naming it permits its use: no rule is consulted for its execute_code. The caller has checked the rules for the call
// that the code makes.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "capability/calls/remote_call.h"
#include "catalog/tool_source.h"

namespace glovebox::capability {

class RemoteGateway {
 public:
  using CallServer = std::function<std::function<void()>(catalog::RemoteGatewayCall, catalog::CallOptions,
                                                         catalog::ToolSource::Called)>;
  // `name` is asked at each use; empty: there is none. `servers` knows its tools, and outlives this.
  RemoteGateway(boost::asio::any_io_executor executor, catalog::ToolSource& servers, std::function<std::string()> name,
                CallServer call)
      : executor_(std::move(executor)), servers_(servers), name_(std::move(name)), call_server_(std::move(call)) {}
  ~RemoteGateway() { *alive_ = false; }
  RemoteGateway(const RemoteGateway&) = delete;
  RemoteGateway& operator=(const RemoteGateway&) = delete;

  std::string name() const { return name_ ? name_() : std::string(); }

  // What is done when a person has to approve it there: it is waited for, or reported at once.
  enum class Approval { kWait, kTell };
  // A program, or a call that was approved here and is made there. Gives what cancels it. No callback runs before this
  // returns, nor after the gateway is gone.
  using Answered = std::function<void(RemoteAnswer)>;
  std::function<void()> execute(RemoteCode code, catalog::CallOptions options, Answered done,
                                Approval approval = Approval::kWait);
  std::function<void()> forward(const catalog::ApprovedCall& approved, const catalog::CallOptions& options,
                                Answered done);

  // The outcome of code that it handed back. Reported once, to that gateway only, and not again if that fails.
  void report(const std::string& workflow_id, const std::string& outcome_json,
              std::function<void(std::optional<catalog::CallFailure>)> done);
  std::size_t reports_under_way() const { return reports_; }

 private:
  class Execution;
  std::function<void()> call(const char* tool, std::string arguments, catalog::CallOptions options,
                             catalog::ToolSource::Called done);

  boost::asio::any_io_executor executor_;
  catalog::ToolSource& servers_;
  std::function<std::string()> name_;
  CallServer call_server_;
  std::size_t reports_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::capability
