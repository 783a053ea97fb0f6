#include "broker/run_handlers.h"

#include <boost/asio/post.hpp>

#include "base/try.h"
#include "calls/artifacts/artifact_calls.h"
#include "calls/command/command_calls.h"
#include "calls/files/file_calls.h"
#include "calls/net/net_calls.h"
#include "calls/own/clock_calls.h"
#include "calls/own/env_calls.h"
#include "calls/own/permission_calls.h"
#include "calls/python/wheel_calls.h"
#include "calls/tools/tool_calls.h"

namespace glovebox::broker {
namespace {

using Moment = std::chrono::steady_clock::time_point;

calls::FileCalls& file_calls(CallDesk& desk) {
  return static_cast<calls::FileCalls&>(*desk.handler_of("fs"));
}

std::unique_ptr<calls::CallHandler> make_net_calls(const RunParts& run, Moment deadline) {
  net::SessionLimits limits;
  limits.max_response_bytes = run.request.config.max_fetch_bytes;
  const auto open_session = [http = run.http, net = run.grants.net,
                             limits]() -> Result<std::unique_ptr<net::HttpSession>> {
    return GLOVEBOX_TRY(http->client())->open(net, limits);
  };
  return std::make_unique<calls::NetCalls>(run.io, open_session, deadline);
}

std::unique_ptr<calls::CallHandler> make_command_calls(const RunParts& run, calls::FileCalls& files, Moment deadline) {
  calls::CommandRules rules;
  rules.programs = run.grants.run;
  rules.names = run.grants.env;
  rules.environment = run.grants.environment;
  rules.deadline = deadline;
  const auto open_folder = [io = run.io, &files](std::string path, auto done) {
    files.with_disk([io, path = std::move(path), done = std::move(done)](calls::RunDisk& disk) {
      auto view = disk.view();
      auto opened = view ? view.value()->open_folder(path) : vfs::FileResult<base::UniqueFd>(view.failure());
      auto shared = std::make_shared<vfs::FileResult<base::UniqueFd>>(std::move(opened));
      boost::asio::post(*io, [done, shared] { done(std::move(*shared)); });
    });
  };
  return std::make_unique<calls::CommandCalls>(*run.io, std::move(rules), open_folder);
}

}  // namespace

void add_handlers(CallDesk& desk, const RunParts& run) {
  const SandboxConfig& config = run.request.config;
  desk.add_on_first_use("sleep", [run] { return std::make_unique<calls::ClockCalls>(*run.io, run.clock); });
  if (!config.python_wheels.empty()) {
    desk.add_on_first_use("python",
                          [run, &config] { return std::make_unique<calls::WheelCalls>(run.io, config.python_wheels); });
  }
  desk.add_on_first_use("emit", [run] { return std::make_unique<calls::ArtifactCalls>(run.artifacts); });
  desk.add_on_first_use("env",
                        [run] { return std::make_unique<calls::EnvCalls>(run.grants.env, run.grants.environment); });
  desk.add_on_first_use("fs", [run] { return std::make_unique<calls::FileCalls>(run.io, run.disk); });
  desk.add_on_first_use("permissions", [run, &desk] {
    return std::make_unique<calls::PermissionCalls>(run.io, run.grants, file_calls(desk));
  });
  // With tools the clock can stop (a person may be asked), so the deadline is not known in advance. Calls still under
  // way at the end are ended with the run.
  const auto deadline = run.request.tools ? Moment::max() : run.clock->deadline();
  desk.add_on_first_use("net", [run, deadline] { return make_net_calls(run, deadline); });
  desk.add_on_first_use("run", [run, deadline, &desk] { return make_command_calls(run, file_calls(desk), deadline); });
  // Made at once: it informs the tool host when the run is over.
  const calls::ToolLimits rules{config.rpc_timeout, config.max_tool_calls};
  desk.add("tool", std::make_unique<calls::ToolCalls>(run.io, run.request.tools, rules, run.clock));
}

}  // namespace glovebox::broker
