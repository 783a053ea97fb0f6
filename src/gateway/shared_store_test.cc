// Gateways that share a PostgreSQL store, as if on several machines.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "gateway/adoption/owner_lock.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"
#include "store/database/postgres_cluster.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using store::RunStatus;

class LedgerTools final : public catalog::ToolSource {
 public:
  LedgerTools(boost::asio::io_context& io, std::vector<std::string>& ledger) : io_(io), ledger_(ledger) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = "h";
    boost::asio::post(io_, [found, done = std::move(done)] { done(found); });
  }
  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string&) override {
    return std::nullopt;
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    ledger_.push_back(call.arguments());
    auto answer = [done = std::move(done), arguments = call.arguments()] {
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    };
    if (hold) {
      held.push_back(answer);
    } else {
      boost::asio::post(io_, answer);
    }
    return [] {};
  }

  bool hold = false;
  std::vector<std::function<void()>> held;

 private:
  boost::asio::io_context& io_;
  std::vector<std::string>& ledger_;
};

// A machine with a gateway. It works only while its loop is run; not running it is like SIGSTOP.
struct Machine {
  Machine(const std::string& root, const std::string& address, std::vector<std::string>& ledger,
          std::chrono::milliseconds lease, std::chrono::milliseconds outage)
      : store(std::move(store::Store::connect(address, store::RowKey{})).value()), tools(io, ledger) {
    GatewayOptions options;
    std::filesystem::create_directories(root + "/.glovebox");
    options.state_folder = root + "/.glovebox";
    options.workspace = root;
    options.times.gather = std::chrono::milliseconds(20);
    options.times.poll = std::chrono::milliseconds(20);
    // That a run is another gateway's by now, this one may learn when it writes the end.
    options.times.record_most = std::chrono::minutes(1);
    options.lease = lease;
    options.outage = outage;
    options.on_notice = [this](const std::string& text) { notices.push_back(text); };
    options.on_lease_lost = [this] { ++losses; };
    options.rules = std::move(policy::ToolRules::parse({{"fs:read"}, {}, {}}, root)).value();
    auto opened = Gateway::open(io.get_executor(), *store, tools, runner, options);
    EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
    gateway = std::move(opened).value();
  }

  RunEvents events() {
    RunEvents events;
    events.on_waiting = [this](const ApprovalRequest& approval) { requests.push_back(approval.id); };
    events.on_end = [this](const RunEnd& end) { ends[end.run] = end; };
    return events;
  }
  std::string execute(const std::string& code, SandboxConfig config = {}, bool careful = false) {
    ExecuteRequest request;
    request.careful = careful;
    request.code = code;
    request.config = std::move(config);
    // Timeouts as long as a busy machine may need.
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(10);
    request.client = "test";
    request.session = "s";
    const store::NoPatience hurried;
    auto id = gateway->execute(std::move(request), events());
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    return id ? id.value() : "";
  }

  void approve(const std::string& run, const std::string& approval) {
    gateway->continue_run(run, {.from = {"test"}, .approved = true, .approval = approval}, events(),
                          [](const auto& followed) { EXPECT_TRUE(followed.ok()); });
  }

  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
  std::unique_ptr<store::Store> store;
  LedgerTools tools;
  Sandbox sandbox;
  SandboxRunner runner{sandbox};
  std::shared_ptr<Gateway> gateway;
  std::vector<std::string> notices;
  std::vector<std::string> requests;
  std::map<std::string, RunEnd> ends;
  int losses = 0;
};

class SharedStorePostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
    address_ = store::PostgresCluster::shared()->make_database();
    char name[] = "/tmp/glovebox-shared-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  void TearDown() override {
    if (!root_.empty()) std::filesystem::remove_all(root_);
  }
  // Gateways that are not meant to die keep their lease, however slow the machine is.
  std::unique_ptr<Machine> machine(const std::string& name, std::chrono::milliseconds lease = std::chrono::hours(1),
                                   std::chrono::milliseconds outage = std::chrono::hours(1)) {
    return std::make_unique<Machine>(root_ + "/" + name, address_, ledger_, lease, outage);
  }
  // Runs the loops of these machines; the others are stopped.
  template <typename Until>
  static void run_until(const std::vector<Machine*>& machines, Until until) {
    while (!until()) {
      // Like every loop that serves others. What is waited for is read with the patience of a command.
      const store::NoPatience hurried;
      const store::QueueOnly loop;
      for (Machine* machine : machines) machine->io.run_for(std::chrono::milliseconds(5));
    }
  }

  std::string address_;
  std::string root_;
  std::vector<std::string> ledger_;
};

TEST_F(SharedStorePostgresTest, WhatADeadGatewayRanIsAdoptedOnceAndItWritesNothingMore) {
  auto one = machine("one", std::chrono::milliseconds(800));
  const auto run = one->execute("const a = await mcp.fs.read({ n: 1 }); await mcp.fs.write({ n: 2 }); return a");
  run_until({one.get()}, [&] { return one->requests.size() == 1; });
  const std::string before = one->gateway->owner();

  // It is stopped; two others see its lease expire, and one adopts the run.
  auto two = machine("two");
  auto three = machine("three");
  run_until({two.get(), three.get()}, [&] { return two->store->find_run(run).value()->owner != before; });
  const std::string taker = two->store->find_run(run).value()->owner;
  EXPECT_TRUE(taker == two->gateway->owner() || taker == three->gateway->owner());
  EXPECT_EQ(two->store->nodes().value().size(), 2u);

  // Any gateway can answer for it.
  three->approve(run, one->requests[0]);
  run_until({two.get(), three.get()}, [&] { return three->ends.contains(run); });
  EXPECT_EQ(three->ends[run].status, RunStatus::kFinished) << three->ends[run].outcome_json;
  EXPECT_EQ(ledger_, (std::vector<std::string>{R"({"n":1})", R"({"n":2})"}));
  const std::string outcome = two->store->find_run(run).value()->outcome;

  // It resumes: its listeners are notified, the store does not change, and it continues under another name.
  EXPECT_FALSE(one->store->set_status(run, RunStatus::kWaiting).ok());
  // What it writes about the run may be refused before it tries to renew its lease, and to join again takes a while.
  run_until({one.get()}, [&] { return one->ends.contains(run) && one->gateway->owner() != before; });
  EXPECT_EQ(json::parse(one->ends[run].outcome_json).at("error").at("code").as_string(), "LEASE_LOST");
  EXPECT_EQ(one->losses, 1);
  EXPECT_NE(one->gateway->owner(), before);
  EXPECT_EQ(two->store->find_run(run).value()->outcome, outcome);
  EXPECT_EQ(one->store->set_status(run, RunStatus::kWaiting).failure().code, ErrorCode::kConflict);
  const auto again = one->execute("return await mcp.fs.read({ n: 3 })");
  run_until({one.get()}, [&] { return one->ends.contains(again); });
  EXPECT_EQ(one->ends[again].status, RunStatus::kFinished) << one->ends[again].outcome_json;
  EXPECT_EQ(ledger_.size(), 3u);
}

// The gateway that resumes a run remakes its layer on its own machine; the one that lost it has nothing to commit.
TEST_F(SharedStorePostgresTest, TheLayerOfARunGoesWithTheRun) {
  const std::string folder = root_ + "/data";
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/old") << "1";
  const auto text = [&](const std::string& name) {
    std::ifstream file(folder + "/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  SandboxConfig config;
  config.allow_read = config.allow_write = {folder};
  config.file_mode = FileMode::kOverlay;
  auto one = machine("one", std::chrono::milliseconds(800));
  const auto run = one->execute("const f = '" + folder + R"(';
    await Deno.writeTextFile(f + '/old', await Deno.readTextFile(f + '/old') + '2');
    await Deno.writeTextFile(f + '/large', 'x'.repeat(100000));
    await mcp.fs.write({ n: 1 });
    return [await Deno.readTextFile(f + '/old'), (await Deno.readTextFile(f + '/large')).length])",
                                config);
  run_until({one.get()}, [&] { return one->requests.size() == 1; });
  const std::string before = one->gateway->owner();
  auto two = machine("two");
  run_until({two.get()}, [&] { return two->store->find_run(run).value()->owner != before; });
  two->approve(run, one->requests[0]);
  run_until({two.get()}, [&] { return two->ends.contains(run); });
  ASSERT_EQ(two->ends[run].status, RunStatus::kFinished) << two->ends[run].outcome_json;
  EXPECT_EQ(two->ends[run].outcome->result_json(), R"(["12",100000])");
  EXPECT_EQ(text("old"), "1");

  run_until({one.get()}, [&] { return one->ends.contains(run); });
  EXPECT_TRUE(one->ends[run].outcome->changes.empty());

  ChangeSet changes = two->ends[run].outcome->changes;
  ASSERT_EQ(changes.changes().size(), 2u);
  ASSERT_TRUE(changes.commit().ok());
  EXPECT_EQ(text("old"), "12");
  EXPECT_EQ(text("large").size(), 100000u);
  EXPECT_EQ(ledger_.size(), 1u);
}

TEST_F(SharedStorePostgresTest, AResultThatComesTooLateDoesNotCount) {
  auto one = machine("one");
  one->tools.hold = true;
  const auto run = one->execute("return await mcp.fs.read({ n: 1 })");
  run_until({one.get()}, [&] { return !ledger_.empty(); });
  // The call did not wait for the record of its run.
  ASSERT_TRUE(one->store->wait_for_posted().ok());
  auto two = machine("two");
  ASSERT_TRUE(two->store->remove_node(one->gateway->owner()).ok());
  run_until({two.get()}, [&] { return two->store->find_run(run).value()->status == RunStatus::kFailed; });
  for (const auto& answer : one->tools.held) answer();
  run_until({one.get()}, [&] { return one->ends.contains(run); });
  EXPECT_EQ(json::parse(one->ends[run].outcome_json).at("error").at("code").as_string(), "LEASE_LOST");
  EXPECT_NE(two->store->find_run(run).value()->outcome.find("GATEWAY_DIED"), std::string::npos);
}

TEST_F(SharedStorePostgresTest, AnAnswerIsHeardOnTheOtherMachine) {
  auto one = machine("one");
  auto two = machine("two");
  const auto run = one->execute("return await mcp.fs.write({ n: 1 })");
  run_until({one.get()}, [&] { return one->requests.size() == 1; });
  two->gateway->answer({one->requests[0], {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, "",
                       [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
  run_until({one.get()}, [&] { return one->ends.contains(run); });
  EXPECT_EQ(one->ends[run].status, RunStatus::kFinished);
  EXPECT_EQ(ledger_.size(), 1u);
}

TEST_F(SharedStorePostgresTest, ARestartOfTheDatabaseIsWaitedOut) {
  auto one = machine("one");
  const auto run = one->execute("await mcp.fs.write({ n: 1 }); return await mcp.fs.read({ n: 2 })");
  run_until({one.get()}, [&] { return one->requests.size() == 1; });
  store::PostgresCluster::shared()->restart();
  one->gateway->answer({one->requests[0], {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, "",
                       [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
  run_until({one.get()}, [&] { return one->ends.contains(run); });
  EXPECT_EQ(one->ends[run].status, RunStatus::kFinished) << one->ends[run].outcome_json;
  EXPECT_EQ(ledger_.size(), 2u);
}

// Its result is in memory: when the database is back, nothing was lost and nothing has failed.
TEST_F(SharedStorePostgresTest, ACallThatWasMadeWaitsForADatabaseThatIsAway) {
  auto one = machine("one");
  one->tools.hold = true;
  const auto run =
      one->execute("const a = await mcp.fs.read({ n: 1 }); await mcp.fs.read({ n: 2 }); return a", {}, true);
  run_until({one.get()}, [&] { return one->tools.held.size() == 1; });
  store::PostgresCluster::shared()->crash();
  one->tools.held.front()();
  // The second call cannot be recorded, so it is not made, and the loop continues.
  run_until({one.get()}, [&] { return one->store->is_away_for() > std::chrono::seconds(1); });
  EXPECT_EQ(one->tools.held.size(), 1u);
  EXPECT_FALSE(one->ends.contains(run));
  // Another run, which makes no calls, is answered meanwhile.
  const auto other = one->execute("return 40 + 2");
  run_until({one.get()}, [&] { return one->ends.contains(other); });
  EXPECT_EQ(one->ends[other].status, RunStatus::kFinished) << one->ends[other].outcome_json;
  store::PostgresCluster::shared()->run();
  run_until({one.get()}, [&] { return one->tools.held.size() == 2; });
  one->tools.held.back()();
  run_until({one.get()}, [&] { return one->ends.contains(run); });
  EXPECT_EQ(one->ends[run].status, RunStatus::kFinished) << one->ends[run].outcome_json;
  EXPECT_EQ(ledger_.size(), 2u);
  EXPECT_EQ(one->store->find_run(run).value()->status, RunStatus::kFinished);
  EXPECT_EQ(one->store->find_run(other).value()->status, RunStatus::kFinished);
}

// Away for longer than store.outageSeconds.
TEST_F(SharedStorePostgresTest, ACallThatWasMadeIsUnknownAndNotFailedWhenTheDatabaseStaysAway) {
  auto one = machine("one", std::chrono::hours(1), std::chrono::seconds(1));
  one->tools.hold = true;
  const auto run =
      one->execute("const a = await mcp.fs.read({ n: 1 }); await mcp.fs.read({ n: 2 }); return a", {}, true);
  run_until({one.get()}, [&] { return one->tools.held.size() == 1; });
  store::PostgresCluster::shared()->crash();
  one->tools.held.front()();
  run_until({one.get()}, [&] { return one->ends.contains(run); });
  store::PostgresCluster::shared()->run();
  EXPECT_EQ(json::parse(one->ends[run].outcome_json).at("error").at("code"), "OUTCOME_UNKNOWN");
  EXPECT_EQ(ledger_.size(), 1u);
  EXPECT_EQ(one->store->find_run(run).value()->status, RunStatus::kFailed);
}

TEST_F(SharedStorePostgresTest, AGatewayThatGoesInGoodOrderIsNoNodeAnyMore) {
  auto one = machine("one");
  auto two = machine("two");
  EXPECT_EQ(two->store->nodes().value().size(), 2u);
  one.reset();
  EXPECT_EQ(two->store->nodes().value().size(), 1u);
}

// Its lease has an hour to go: only the lock of its file shows that it is gone.
TEST_F(SharedStorePostgresTest, AKilledGatewayOfTheSameMachineIsNotWaitedFor) {
  auto one = machine("one");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = OwnerLock::take(root_ + "/one/.glovebox", "gw_killed");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const auto store = std::move(store::Store::connect(address_, store::RowKey{})).value();
  store::NodeRecord killed;
  killed.id = "gw_killed";
  killed.lease = std::chrono::hours(1);
  store::NodeRecord elsewhere = killed;
  elsewhere.id = "gw_elsewhere";
  for (const auto& node : {elsewhere, killed}) ASSERT_TRUE(store->join(node).ok());
  store::RunRecord run;
  run.id = "run_killed";
  run.owner = "gw_killed";
  run.status = RunStatus::kRunning;
  ASSERT_TRUE(store->add_run(run).ok());
  run_until({one.get()}, [&] { return store->find_run(run.id).value()->ended.has_value(); });
  EXPECT_EQ(store->nodes().value().size(), 2u);  // the other node is not known to be dead
}

}  // namespace
}  // namespace glovebox::gateway
