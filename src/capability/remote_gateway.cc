#include "capability/remote_gateway.h"

#include "capability/limits.h"

namespace glovebox::capability {

using catalog::CallFailure;
using catalog::Tool;

std::function<void()> RemoteGateway::call(const char* tool, std::string arguments, catalog::CallOptions options,
                                          gateway::ToolSource::Called done) {
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

std::function<void()> RemoteGateway::execute(RemoteCode code, catalog::CallOptions options, Answered done) {
  std::string request = remote_request(code);
  return call("execute_code", std::move(request), std::move(options),
              [code = std::move(code), done = std::move(done)](Result<catalog::ToolResult, CallFailure> result) {
                if (result) return done(remote_answer(code, std::move(result).value()));
                RemoteAnswer failed;
                failed.failure = std::move(result).failure();
                done(std::move(failed));
              });
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
