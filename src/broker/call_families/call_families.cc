#include "broker/call_families/call_families.h"

#include "base/try.h"
#include "broker/artifacts/artifact_calls.h"
#include "broker/clock_calls.h"
#include "broker/command_calls.h"
#include "broker/env_calls.h"
#include "broker/file_calls.h"
#include "broker/net_calls.h"
#include "broker/permission_calls.h"
#include "broker/tool_calls.h"
#include "broker/wheel_calls.h"

namespace glovebox::broker {
namespace {

// Where a person may be asked, nobody knows beforehand when the time will be up. Whatever is under way then ends with
// the run.
RunClock::Clock::time_point deadline_of(const RunMeans& run) {
  return run.request.tools ? RunClock::Clock::time_point::max() : run.clock->deadline();
}

std::unique_ptr<NetCalls> net_calls(const RunMeans& run) {
  net::SessionLimits limits;
  limits.max_response_bytes = run.request.config.max_fetch_bytes;
  const auto open = [http = run.http, net = run.grants.net, limits]() -> Result<std::unique_ptr<net::HttpSession>> {
    return GLOVEBOX_TRY(http->client())->open(net, limits);
  };
  return std::make_unique<NetCalls>(run.io, open, deadline_of(run));
}

std::unique_ptr<CommandCalls> command_calls(const RunMeans& run, FileCalls& files) {
  CommandRules rules;
  rules.programs = run.grants.run;
  rules.names = run.grants.env;
  rules.environment = run.grants.environment;
  rules.deadline = deadline_of(run);
  const auto open_folder = [io = run.io, &files](std::string path, auto done) {
    files.with_disk([io, path = std::move(path), done = std::move(done)](RunDisk& disk) {
      auto view = disk.view();
      auto opened = view ? view.value()->open_folder(path) : vfs::FileResult<base::UniqueFd>(view.failure());
      auto shared = std::make_shared<vfs::FileResult<base::UniqueFd>>(std::move(opened));
      boost::asio::post(*io, [done, shared] { done(std::move(*shared)); });
    });
  };
  return std::make_unique<CommandCalls>(*run.io, std::move(rules), open_folder);
}

}  // namespace

void add_call_families(CallDesk& desk, const RunMeans& run) {
  const SandboxConfig& config = run.request.config;
  desk.add("sleep", std::make_unique<ClockCalls>(*run.io, run.clock));
  if (!config.python_wheels.empty()) desk.add("python", std::make_unique<WheelCalls>(config.python_wheels));
  desk.add("emit", std::make_unique<ArtifactCalls>(run.artifacts));
  desk.add("env", std::make_unique<EnvCalls>(run.grants.env, run.grants.environment));
  auto files = std::make_unique<FileCalls>(run.io, run.disk);
  FileCalls& disk_calls = *files;
  desk.add("fs", std::move(files));
  desk.add("permissions", std::make_unique<PermissionCalls>(run.io, run.grants, disk_calls));
  desk.add("net", net_calls(run));
  desk.add("run", command_calls(run, disk_calls));
  const ToolRules tool_rules{config.rpc_timeout, config.max_tool_calls};
  desk.add("tool", std::make_unique<ToolCalls>(run.io, run.request.tools, tool_rules, run.clock));
}

}  // namespace glovebox::broker
