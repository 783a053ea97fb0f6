#include "capability/calls/remote_gateway.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/text/json_builder.h"
#include "capability/limits.h"

namespace glovebox::capability {

using catalog::CallFailure;
using catalog::Tool;

std::function<void()> RemoteGateway::call(const char* tool, std::string arguments, catalog::CallOptions options,
                                          catalog::ToolSource::Called done) {
  struct Way {
    std::function<void()> cancel;
    bool cancelled = false;
  };
  const auto way = std::make_shared<Way>();
  servers_.find(name(), tool,
                [this, alive = alive_, way, arguments = std::move(arguments), options = std::move(options),
                 done = std::move(done)](Result<Tool, CallFailure> found) {
                  if (!*alive) return;
                  if (way->cancelled) return done(CallFailure{"CANCELLED", "the call was cancelled"});
                  if (!found) return done(std::move(found).failure());
                  if (found->state != Tool::State::kUsable)
                    return done(CallFailure{"REMOTE_UNAVAILABLE", found->server + " cannot be used: " + found->reason});
                  way->cancel =
                      call_server_(catalog::RemoteGatewayCall(*found, arguments), options, [alive, done](auto result) {
                        if (*alive) done(std::move(result));
                      });
                });
  return [way] {
    way->cancelled = true;
    if (way->cancel) way->cancel();
  };
}

// Code that was sent, until its outcome is known: a run that waits for a person is asked about until it continues.
class RemoteGateway::Execution : public std::enable_shared_from_this<Execution> {
 public:
  Execution(RemoteGateway& gateway, RemoteCode code, catalog::CallOptions options, Answered done, Approval approval)
      : gateway_(gateway),
        alive_(gateway.alive_),
        code_(std::move(code)),
        options_(std::move(options)),
        done_(std::move(done)),
        approval_(approval),
        timer_(gateway.executor_) {}

  void send() { ask("execute_code", remote_request(code_)); }

  void cancel() {
    cancelled_ = true;
    timer_.cancel();
    if (cancel_) return cancel_();
    RemoteAnswer cancelled;
    cancelled.failure = CallFailure{"CANCELLED", "the call was cancelled", true};
    boost::asio::post(gateway_.executor_,
                      [self = shared_from_this(), cancelled]() mutable { self->finish(std::move(cancelled)); });
  }

 private:
  void ask(const char* tool, std::string arguments) {
    cancel_ = gateway_.call(tool, std::move(arguments), options_, [self = shared_from_this()](auto result) {
      self->cancel_ = nullptr;
      self->answered(std::move(result));
    });
  }

  void answered(Result<catalog::ToolResult, CallFailure> result) {
    RemoteAnswer answer;
    if (result) {
      answer = remote_answer(code_, std::move(result).value());
    } else {
      answer.failure = std::move(result).failure();
    }
    const bool waits = !answer.waiting_run.empty() && approval_ == Approval::kWait && !cancelled_ &&
                       std::chrono::steady_clock::now() - since_ < kRemoteApprovalTime;
    if (!waits) return finish(std::move(answer));
    if (options_.on_progress && !std::exchange(reported_, true)) options_.on_progress(0, {}, answer.failure->message);
    timer_.expires_after(kRemotePollTime);
    timer_.async_wait([self = shared_from_this(), run = answer.waiting_run](const boost::system::error_code& error) {
      if (!error && *self->alive_) self->ask("get_run", base::ObjectText().text("run_id", run).done());
    });
  }

  void finish(RemoteAnswer answer) {
    const auto done = std::exchange(done_, nullptr);
    if (done && *alive_) done(std::move(answer));
  }

  RemoteGateway& gateway_;  // while alive_
  std::shared_ptr<bool> alive_;
  RemoteCode code_;
  catalog::CallOptions options_;
  Answered done_;
  Approval approval_;
  boost::asio::steady_timer timer_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::function<void()> cancel_;
  bool cancelled_ = false;
  bool reported_ = false;
};

std::function<void()> RemoteGateway::execute(RemoteCode code, catalog::CallOptions options, Answered done,
                                             Approval approval) {
  const auto execution =
      std::make_shared<Execution>(*this, std::move(code), std::move(options), std::move(done), approval);
  execution->send();
  return [execution, alive = alive_] {
    if (*alive) execution->cancel();
  };
}

std::function<void()> RemoteGateway::forward(const catalog::ApprovedCall& approved, const catalog::CallOptions& options,
                                             Answered done) {
  const Tool& tool = approved.tool();
  return execute(remote_call(tool.server, tool.name, approved.arguments(), options.caller.tools), options,
                 std::move(done));
}

void RemoteGateway::report(const std::string& workflow_id, const std::string& outcome_json,
                           std::function<void(std::optional<CallFailure>)> done) {
  ++reports_;
  catalog::CallOptions options;
  options.timeout = kReportTime;
  call("report_run", report_request(workflow_id, outcome_json), std::move(options),
       [this, done = std::move(done)](Result<catalog::ToolResult, CallFailure> result) {
         --reports_;
         done(result ? std::nullopt : std::optional(std::move(result).failure()));
       });
}

}  // namespace glovebox::capability
