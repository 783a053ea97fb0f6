// A gateway as a process of a test: its own engine, guests and workspace, on a store that others share.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "gateway/direct/sandbox_runner.h"
#include "workflow/engine.h"
#include "workflow/ledger_tools.h"

namespace glovebox::workflow {

constexpr auto kLease = std::chrono::milliseconds(2500);
// Answered late if a gateway has a gate.
constexpr std::string_view kHeldTool = "ask";

inline constexpr const char* kDefinition = R"json({"concurrency":2,"tasks":[
  {"id":"list","type":"mcp_tool","tool":"ledger:list","arguments":{"n":[1,2,3]}},
  {"id":"post","type":"mcp_tool","tool":"ledger:post","arguments":{"n":1}},
  {"id":"sum","type":"code_execution",
   "code":"return deps.list.output.n.reduce((a, b) => a + b)","dependencies":["list"]},
  {"id":"ask","type":"mcp_tool","tool":"ledger:ask","arguments":{"n":"$OUTPUT[sum]"},"dependencies":["sum","post"]},
  {"id":"then","type":"mcp_tool","tool":"ledger:post","arguments":{"n":2},"dependencies":["ask"]},
  {"id":"more","type":"mcp_tool","tool":"ledger:post","arguments":{"n":3},"dependencies":["then"]},
  {"id":"twice","type":"code_execution","code":"return deps.more.output.n * 2","dependencies":["more"]},
  {"id":"last","type":"mcp_tool","tool":"ledger:post","arguments":{"n":"$OUTPUT[twice]"},
   "dependencies":["twice"]}]})json";

// A person who approves every request, and who knows that the ledger may be called twice.
inline void be_a_person(WorkflowEngine& engine, gateway::Gateway& gateway, store::Store& store) {
  const auto pending = gateway.pending("");
  for (const auto& approval : pending ? pending->shown : std::vector<store::ApprovalRecord>()) {
    gateway.answer({approval.id, {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, "", [](const Result<void>&) {});
  }
  const auto running = store.list_workflows(std::nullopt, 100);
  for (const auto& record : running ? running.value() : std::vector<store::WorkflowRecord>()) {
    if (store::has_ended(record.status)) continue;
    const auto tasks = store.workflow_tasks(record.id);
    for (const auto& task : tasks ? tasks.value() : std::vector<store::TaskRecord>()) {
      if (task.status != "unknown") continue;
      store::WorkflowCommand command;
      command.workflow = record.id;
      command.type = "approval_response";
      command.payload = R"({"task":")" + task.id + R"(","decision":"retry"})";
      command.channel = "cli";
      engine.command(std::move(command), [](const Result<void>&) {});
    }
  }
}

struct ChaosGateway {
  std::string address;     // of the store
  std::string home;        // its workspace
  std::string ledger;      // a file that all write to
  int to_start = 0;        // workflows
  std::size_t expected{};  // it ends when this many in the store have ended
  std::string gate;        // calls of kHeldTool are answered when this file is there; empty: at once
  std::chrono::milliseconds lease = kLease;
  std::string person{};  // who is there as soon as this file is; empty: always
};

// Never returns. Exits with 0 when all have ended.
[[noreturn]] inline void run_as_gateway(const ChaosGateway& spec) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::filesystem::create_directories(spec.home + "/.glovebox");
  boost::asio::io_context io;
  const auto work = boost::asio::make_work_guard(io);
  Sandbox sandbox(SandboxOptions{.pool_size = 1});
  gateway::SandboxRunner runner(sandbox);
  // Slow enough that many of the kills happen while a call is under way.
  Ledger ledger(io, spec.ledger,
                {.pause = std::chrono::milliseconds(150), .held = std::string(kHeldTool), .gate = spec.gate});
  gateway::GatewayOptions options;
  options.state_folder = spec.home + "/.glovebox";
  options.workspace = spec.home;
  options.times.poll = std::chrono::milliseconds(50);
  options.times.gather = std::chrono::milliseconds(10);
  options.lease = spec.lease;
  options.rules = std::move(policy::ToolRules::parse({{"ledger"}, {"ledger:ask"}, {}}, spec.home)).value();
  options.idempotent = std::move(policy::ToolRules::parse({{"ledger:list"}, {}, {}}, spec.home)).value();
  // It may begin while the server is restarted, which is over in two minutes.
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  auto store = store::Store::connect(spec.address, store::RowKey{});
  for (; !store && std::chrono::steady_clock::now() < until;
       store = store::Store::connect(spec.address, store::RowKey{})) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (!store) {
    std::fprintf(stderr, "%s: %s\n", spec.home.c_str(), store.failure().message.c_str());
    ::_exit(3);
  }
  std::shared_ptr<WorkflowEngine> engine;
  options.on_lease_lost = [&] {
    if (engine) engine->lost_lease();
  };
  auto gateway = gateway::Gateway::open(io.get_executor(), *store.value(), ledger, runner, options);
  if (!gateway) ::_exit(4);
  EngineOptions engine_options;
  engine_options.state_folder = options.state_folder;
  engine_options.poll = std::chrono::milliseconds(50);
  // Long enough for a call that waits for its gate, or for a store that is away.
  engine_options.sandbox_config = [](const json::object&, Language) -> Result<config::NarrowedSandbox> {
    config::NarrowedSandbox narrowed;
    narrowed.config.timeout = narrowed.config.rpc_timeout = std::chrono::minutes(10);
    return narrowed;
  };
  engine = WorkflowEngine::open(io.get_executor(), *store.value(), *gateway.value(), ledger, engine_options);
  for (int i = 0; i < spec.to_start; ++i) {
    StartRequest request;
    request.definition = std::move(read_definition(json::parse(kDefinition))).value();
    bool started = false;
    engine->start(std::move(request), [&](const Result<std::string>& id) {
      if (!id) ::_exit(5);
      started = true;
    });
    while (!started) io.run_one();
  }
  std::ofstream(spec.home + "/started") << "";
  while (true) {
    io.run_for(std::chrono::milliseconds(50));
    if (spec.person.empty() || std::filesystem::exists(spec.person))
      be_a_person(*engine, *gateway.value(), *store.value());
    const auto all = store.value()->list_workflows(std::nullopt, 1000);
    if (!all || all->size() < spec.expected) continue;
    const bool over =
        std::all_of(all->begin(), all->end(), [](const auto& record) { return store::has_ended(record.status); });
    if (over) ::_exit(0);
  }
}

}  // namespace glovebox::workflow
