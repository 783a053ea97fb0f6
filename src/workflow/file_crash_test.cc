// A task that has called a tool that must not be repeated and has written files, and whose gateway is killed between
// the end of its run and the task's checkpoint, or is stopped there until it is declared dead. The files appear once,
// the tool is not called again, and no person is asked: also when another gateway, with a disk of its own, resumes the
// workflow.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>

#include "gateway/direct/sandbox_runner.h"
#include "store/database/failpoint.h"
#include "store/database/postgres_cluster.h"
#include "store/memory_folder.h"
#include "workflow/engine.h"
#include "workflow/ledger_tools.h"

namespace glovebox::workflow {
namespace {

// After the end of the task's run, in order.
enum class Death {
  kNever,
  kBeforeTheCommitIsNoted,
  kBeforeTheCommit,
  kBeforeTheCheckpoint,
  // These do not die: they are stopped until they are continued.
  kStandsBeforeTheCommit,
  kStandsDuringTheCommit,
  // The disk is slower than anything else that happens.
  kWaitsForTheLoop,
};
boost::asio::io_context* loop = nullptr;
Death death = Death::kNever;
bool run_has_ended = false;
int steps_since = 0;
int files_asked = 0;

void die_there(const char* what, const char* moment) {
  const std::string at = std::string(what) + " " + moment;
  if (at == "end_run committed") run_has_ended = true;
  if (!run_has_ended || death == Death::kNever) return;
  if (death == Death::kStandsBeforeTheCommit || death == Death::kStandsDuringTheCommit) {
    const bool before = death == Death::kStandsBeforeTheCommit;
    const bool there = before ? at == "hold_lease committed" : at == "commit_files next" && ++files_asked == 3;
    if (!there) return;
    death = Death::kNever;
    ::raise(SIGSTOP);
    return;
  }
  if (death == Death::kWaitsForTheLoop) {
    if (at != "commit_files next") return;
    std::promise<void> turned;
    boost::asio::post(*loop, [&] { turned.set_value(); });
    if (turned.get_future().wait_for(std::chrono::minutes(1)) != std::future_status::ready) ::_exit(6);
    return;
  }
  if (at == "save_step begun") ++steps_since;
  const bool now = death == Death::kBeforeTheCommitIsNoted ? at == "end_run committed"
                   : death == Death::kBeforeTheCommit      ? at == "save_step committed"
                                                           : at == "save_step begun" && steps_since == 2;
  if (now) ::kill(::getpid(), SIGKILL);
}

// How long the other gateway waits for one that died or is stopped.
constexpr std::chrono::milliseconds kLease{3000};
using Files = std::map<std::string, std::size_t>;
const Files kAllFiles = {{"a", 40000}, {"b", 40000}, {"c", 40000}};

class FileCrash {
 public:
  FileCrash() {
    for (const char* machine : {"/one", "/two"}) {
      std::filesystem::create_directories(root_ + machine + "/.glovebox");
      std::filesystem::create_directory(root_ + machine + "/out");
    }
  }
  ~FileCrash() { std::filesystem::remove_all(root_); }

  // Runs a gateway with that machine's state, until the workflow has ended.
  int run_gateway(const std::string& machine, const std::string& address, Death how) const {
    int status = 0;
    ::waitpid(start_gateway(machine, address, how), &status, 0);
    return status;
  }
  pid_t start_gateway(const std::string& machine, const std::string& address, Death how) const {
    const pid_t child = ::fork();
    if (child == 0) run_until_ended(root_ + "/" + machine, address, how);
    return child;
  }
  // The files there, with their sizes.
  Files files(const std::string& machine) const {
    Files all;
    for (const auto& entry : std::filesystem::directory_iterator(root_ + "/" + machine + "/out"))
      all[entry.path().filename()] = entry.is_regular_file() ? entry.file_size() : 0;
    return all;
  }
  std::string ledger() const { return text("/ledger"); }
  std::unique_ptr<store::Store> store(const std::string& address) const {
    return std::move(address.empty() ? store::Store::open(root_ + "/one/.glovebox", store::RowKey{})
                                     : store::Store::connect(address, store::RowKey{}))
        .value();
  }

 private:
  std::string text(const std::string& name) const {
    std::ifstream file(root_ + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string definition() {
    return R"({"tasks":[
      {"id":"file","type":"code_execution","code":"await mcp.ledger.post({n: 1}); )"
           R"(for (const name of ['a', 'b', 'c']) )"
           R"(await Deno.writeTextFile('out/' + name, 'x'.repeat(40000), {append: true}); return 'written'",
       "sandbox_config":{"allowWrite":["out"]}},
      {"id":"after","type":"mcp_tool","tool":"ledger:list","arguments":{"n":2},"dependencies":["file"]}]})";
  }
  [[noreturn]] void run_until_ended(const std::string& home, const std::string& address, Death how) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    death = how;
    // A disk of its own: no other gateway finishes what is unfinished there.
    ::setenv("XDG_STATE_HOME", (home + "/state").c_str(), 1);
    if (::chdir(home.c_str()) != 0) ::_exit(2);
    store::failpoint_hook = &die_there;
    boost::asio::io_context io;
    loop = &io;
    const auto work = boost::asio::make_work_guard(io);
    Sandbox sandbox(SandboxOptions{.pool_size = 1});
    gateway::SandboxRunner runner(sandbox);
    Ledger ledger(io, root_ + "/ledger");
    gateway::GatewayOptions options;
    options.state_folder = home + "/.glovebox";
    options.workspace = home;
    options.times.poll = std::chrono::milliseconds(20);
    options.lease = how == Death::kNever ? std::chrono::milliseconds(std::chrono::hours(1)) : kLease;
    options.rules = std::move(policy::ToolRules::parse({{"ledger"}, {}, {}}, home)).value();
    auto store = address.empty() ? store::Store::open(options.state_folder, store::RowKey{})
                                 : store::Store::connect(address, store::RowKey{});
    if (!store) ::_exit(3);
    auto gateway = gateway::Gateway::open(io.get_executor(), *store.value(), ledger, runner, options);
    if (!gateway) ::_exit(4);
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
    auto engine = WorkflowEngine::open(io.get_executor(), *store.value(), *gateway.value(), ledger, engine_options);
    auto known = engine->list(std::nullopt, 10);
    std::string id = known->empty() ? "" : known->front().id;
    if (id.empty()) {
      StartRequest request;
      request.definition = std::move(read_definition(json::parse(definition()))).value();
      engine->start(std::move(request), [&](const Result<std::string>& started) { id = started.value(); });
      while (id.empty()) turn(io);
    }
    while (!store::has_ended(engine->find(id).value()->status)) {
      turn(io);
      // No person must be asked.
      if (engine->find(id).value()->status == store::WorkflowStatus::kWaiting) ::_exit(5);
    }
    engine->close();
    ::_exit(0);
  }

  // A disk that others keep busy would let the lease run out before the gateway stands where it is to stand.
  const std::string root_ = store::make_memory_folder("file-crash");
};

void expect_written_once(const FileCrash& crash, const std::string& address, const std::string& machine) {
  EXPECT_EQ(crash.files(machine), kAllFiles);
  const std::string ledger = crash.ledger();
  EXPECT_EQ(ledger.find("post"), ledger.rfind("post")) << ledger;
  const auto store = crash.store(address);
  const auto all = store->list_workflows(std::nullopt, 10).value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, store::WorkflowStatus::kFinished);
  // After the checkpoint the journal is not needed any more.
  const auto runs = store->list_runs(std::nullopt, 10).value();
  for (const auto& run : runs) {
    EXPECT_TRUE(store->journal(run.id).value().empty());
    EXPECT_FALSE(run.journaled);
  }
  EXPECT_EQ(store->check().value(), std::vector<std::string>());
}

TEST(WorkflowFileCrash, AreWrittenOnceWheneverTheGatewayDies) {
  for (const Death how : {Death::kBeforeTheCommitIsNoted, Death::kBeforeTheCommit, Death::kBeforeTheCheckpoint}) {
    SCOPED_TRACE(static_cast<int>(how));
    FileCrash crash;
    ASSERT_TRUE(WIFSIGNALED(crash.run_gateway("one", "", how)));
    EXPECT_EQ(crash.files("one"), how == Death::kBeforeTheCheckpoint ? kAllFiles : Files());
    ASSERT_EQ(crash.run_gateway("one", "", Death::kNever), 0);
    expect_written_once(crash, "", "one");
  }
}

TEST(WorkflowFiles, DoNotStopTheLoopWhileTheDiskIsSlow) {
  FileCrash crash;
  ASSERT_EQ(crash.run_gateway("one", "", Death::kWaitsForTheLoop), 0);
  expect_written_once(crash, "", "one");
}

TEST(WorkflowFileCrashPostgres, AreWrittenByTheGatewayThatTakesOver) {
  if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
  const std::string address = store::PostgresCluster::shared()->make_database();
  FileCrash crash;
  ASSERT_TRUE(WIFSIGNALED(crash.run_gateway("one", address, Death::kBeforeTheCommit)));
  EXPECT_EQ(crash.files("one"), Files());
  ASSERT_EQ(crash.run_gateway("two", address, Death::kNever), 0);
  expect_written_once(crash, address, "two");
  EXPECT_EQ(crash.files("one"), Files());
}

TEST(WorkflowFileCrashPostgres, AreNotWrittenByAGatewayThatStoodStill) {
  if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
  for (const Death how : {Death::kStandsBeforeTheCommit, Death::kStandsDuringTheCommit}) {
    SCOPED_TRACE(static_cast<int>(how));
    const std::string address = store::PostgresCluster::shared()->make_database();
    FileCrash crash;
    const pid_t one = crash.start_gateway("one", address, how);
    int status = 0;
    ASSERT_EQ(::waitpid(one, &status, WUNTRACED), one);
    ASSERT_TRUE(WIFSTOPPED(status)) << status;
    // One rename has been made, and one is pending.
    EXPECT_EQ(crash.files("one").contains("a"), how == Death::kStandsDuringTheCommit);
    ASSERT_EQ(crash.run_gateway("two", address, Death::kNever), 0);
    ASSERT_EQ(::kill(one, SIGCONT), 0);
    ASSERT_EQ(::waitpid(one, &status, 0), one);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(crash.files("one"), Files());
    expect_written_once(crash, address, "two");
  }
}

}  // namespace
}  // namespace glovebox::workflow
