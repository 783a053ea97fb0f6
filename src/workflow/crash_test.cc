// A workflow whose gateway is killed at each moment of each write to the store, and that another gateway resumes: it
// must end as one that was not disturbed.
//
// Each attempt is a process of its own. By default some of the moments are tried; `make prove` tries all.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/proving.h"
#include "gateway/direct/sandbox_runner.h"
#include "store/database/failpoint.h"
#include "workflow/engine.h"
#include "workflow/ledger_tools.h"

namespace glovebox::workflow {
namespace {

std::atomic<long> moments{0};
std::atomic<long> last_moment{0};  // at which this process is killed; 0: never

void count_moment(const char*, const char*) {
  if (++moments == last_moment.load()) ::kill(::getpid(), SIGKILL);
}

std::string definition(const std::string& root) {
  return R"({"concurrency":2,"tasks":[
    {"id":"list","type":"mcp_tool","tool":"ledger:list","arguments":{"n":[1,2,3]}},
    {"id":"post","type":"mcp_tool","tool":"ledger:post","arguments":{"n":1}},
    {"id":"sum","type":"code_execution",
     "code":"return {sum: deps.list.output.n.reduce((a, b) => a + b), state: {messages: ['summed']}}",
     "dependencies":["list"]},
    {"id":"file","type":"code_execution","code":"await Deno.writeTextFile(')" +
         root + R"(/out/sum', String(deps.sum.output.sum)); return 'written'","dependencies":["sum","post"],
     "sandbox_config":{"allowWrite":[")" +
         root + R"(/out"]}},
    {"id":"again","type":"mcp_tool","tool":"ledger:post","arguments":{"n":"$OUTPUT[sum].sum"},
     "dependencies":["file"]}]})";
}

// One process of a gateway, until the workflow has ended. Never returns.
[[noreturn]] void run_until_ended(const std::string& root, long die_at) {
  last_moment = die_at;
  store::failpoint_hook = &count_moment;
  boost::asio::io_context io;
  const auto work = boost::asio::make_work_guard(io);
  Sandbox sandbox(SandboxOptions{.pool_size = 1});
  gateway::SandboxRunner runner(sandbox);
  Ledger ledger(io, root + "/ledger");
  gateway::GatewayOptions options;
  options.state_folder = root + "/.glovebox";
  options.workspace = root;
  options.times.poll = std::chrono::milliseconds(20);
  options.rules = std::move(policy::ToolRules::parse({{"ledger"}, {}, {}}, root)).value();
  options.idempotent = std::move(policy::ToolRules::parse({{"ledger:list"}, {}, {}}, root)).value();
  auto store = std::move(store::Store::open(options.state_folder, store::RowKey{})).value();
  auto gateway = std::move(gateway::Gateway::open(io.get_executor(), *store, ledger, runner, options)).value();
  EngineOptions engine_options;
  engine_options.state_folder = options.state_folder;
  engine_options.poll = std::chrono::milliseconds(20);
  engine_options.sandbox_config = [](const json::object& asked, Language) -> Result<config::NarrowedSandbox> {
    SandboxConfig config;
    config.timeout = config.rpc_timeout = std::chrono::minutes(10);
    if (const json::value* write = asked.if_contains("allowWrite")) {
      for (const json::value& path : write->get_array()) config.allow_write.emplace_back(path.get_string());
    }
    return config::NarrowedSandbox{config, {}};
  };
  auto engine = WorkflowEngine::open(io.get_executor(), *store, *gateway, ledger, engine_options);
  auto known = engine->list(std::nullopt, 10);
  std::string id = known->empty() ? "" : known->front().id;
  if (id.empty()) {
    StartRequest request;
    request.definition = std::move(read_definition(json::parse(definition(root)))).value();
    engine->start(std::move(request), [&](const Result<std::string>& started) { id = started.value(); });
    while (id.empty()) turn(io);
  }
  while (!store::has_ended(engine->find(id).value()->status)) {
    turn(io);
    // Acts as a person who knows that the ledger does nothing twice.
    const auto tasks = store->workflow_tasks(id);
    for (const store::TaskRecord& task : tasks.value()) {
      if (task.status != "unknown") continue;
      store::WorkflowCommand command;
      command.workflow = id;
      command.type = "approval_response";
      command.payload = R"({"task":")" + task.id + R"(","decision":"retry"})";
      command.channel = "cli";
      engine->command(std::move(command), [](const Result<void>&) {});
    }
  }
  std::ofstream(root + "/moments") << moments.load();
  ::_exit(0);
}

// The final state, as text.
std::string end_state(const std::string& root) {
  auto store = std::move(store::Store::open(root + "/.glovebox", store::RowKey{})).value();
  const auto known = store->list_workflows(std::nullopt, 10);
  std::string text = std::to_string(known->size()) + " workflow\n";
  const auto record = *store->find_workflow(known->front().id).value();
  auto outcome = json::parse(record.outcome).get_object();
  outcome.erase("workflow_id");
  // The questions to the person may differ, and nothing else.
  outcome["state"].get_object().erase("decisions");
  text += json::serialize(outcome) + "\n";
  const auto tasks = store->workflow_tasks(record.id);
  for (const auto& task : tasks.value()) text += task.id + " " + task.status + " " + task.output + "\n";
  std::int64_t number = 0;
  std::map<std::string, int> ends;
  const auto events = store->workflow_events_after(record.id, 0, 100000);
  for (const auto& event : events.value()) {
    EXPECT_EQ(event.number, ++number);
    if (event.type == "task_complete") ++ends[std::string(json::parse(event.payload).at("task").as_string())];
  }
  for (const auto& [task, count] : ends) text += task + " completed " + std::to_string(count) + " times\n";
  std::ifstream file(root + "/out/sum");
  std::string written;
  std::getline(file, written);
  text += "file " + written + "\n";
  std::ifstream ledger(root + "/ledger");
  std::set<std::string> entries;
  for (std::string line; std::getline(ledger, line);) {
    // The key is derived from the workflow's id.
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    entries.insert(line.substr(0, first) + line.substr(second));
  }
  for (const std::string& entry : entries) text += entry + "\n";
  return text;
}

struct CrashFolder {
  CrashFolder() {
    char name[] = "/tmp/glovebox-crash-XXXXXX";
    path = ::mkdtemp(name);
    std::filesystem::create_directory(path + "/out");
  }
  ~CrashFolder() { std::filesystem::remove_all(path); }
  std::string path;
};

int run_gateway(const std::string& root, long die_at) {
  const pid_t child = ::fork();
  if (child == 0) run_until_ended(root, die_at);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(WorkflowCrash, EveryMomentOfEveryWriteEndsAsIfNothingHadHappened) {
  std::string undisturbed;
  long all = 0;
  {
    CrashFolder folder;
    ASSERT_EQ(run_gateway(folder.path, 0), 0);
    undisturbed = end_state(folder.path);
    std::ifstream(folder.path + "/moments") >> all;
  }
  ASSERT_GT(all, 20);
  const long step = base::is_proving() ? 1 : std::max(1L, all / 12);
  long killed = 0;
  for (long moment = 1; moment <= all; moment += step) {
    CrashFolder folder;
    const int first = run_gateway(folder.path, moment);
    // Attempts differ a little in how many writes they make, so the last moments may not be reached.
    if (WIFSIGNALED(first)) {
      ++killed;
      ASSERT_EQ(run_gateway(folder.path, 0), 0) << "after a death at moment " << moment;
    }
    ASSERT_EQ(end_state(folder.path), undisturbed) << "after a death at moment " << moment;
  }
  EXPECT_GT(killed, 5);
  std::printf("%ld moments, killed at %ld\n", all, killed);
}

}  // namespace
}  // namespace glovebox::workflow
