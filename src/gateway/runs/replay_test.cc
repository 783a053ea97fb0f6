// Runs that outlive their guest, and their gateway.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/proving.h"
#include "gateway/audit_check/audit_check.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"
#include "store/database/sqlite.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using store::RunStatus;

// Records each call that is really made, in a file that outlives the process.
class Ledger final : public catalog::ToolSource {
 public:
  Ledger(boost::asio::io_context& io, std::string path) : io_(io), path_(std::move(path)) {}

  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}, {"gh", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = hash;
    if (tool != together) return boost::asio::post(io_, [found, done] { done(found); });
    found_together.push_back([found, done] { done(found); });
    if (found_together.size() < how_many) return;
    together.clear();
    boost::asio::post(io_, [all = std::exchange(found_together, {})] {
      for (const auto& one : all) one();
    });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    std::ofstream(path_, std::ios::app) << call.tool().name << call.arguments() << "\n" << std::flush;
    if (call.tool().name == "hang") return [] {};
    auto text = std::make_shared<std::string>(call.arguments());
    boost::asio::post(io_, [text, done] { done(catalog::ToolResult{text, *text}); });
    return [] {};
  }
  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  // Finds this many calls of this tool at once, a single time: so they join one approval request even on a busy
  // machine.
  void find_together(std::string tool, std::size_t count) {
    together = std::move(tool);
    how_many = count;
  }
  std::string hash = "sha256-1";

 private:
  boost::asio::io_context& io_;
  std::string path_;
  std::string together;
  std::size_t how_many = 0;
  std::vector<std::function<void()>> found_together;
};

// Begins runs when it is told to.
class HoldingRunner final : public Runner {
 public:
  explicit HoldingRunner(Runner& inner) : inner_(inner) {}
  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override {
    if (!hold) return inner_.submit(std::move(request), std::move(done));
    const auto cancel = std::make_shared<std::function<void()>>();
    held.push_back([this, cancel, request = std::move(request), done = std::move(done)]() mutable {
      *cancel = inner_.submit(std::move(request), std::move(done));
    });
    return [this, cancel] {
      if (*cancel) return (*cancel)();
      given_up = true;
    };
  }
  bool hold = false;
  bool given_up = false;  // a held run was cancelled
  std::vector<std::function<void()>> held;

 private:
  Runner& inner_;
};

// Everything that one process has.
struct Process {
  Process(const std::string& root, GatewayOptions options, bool hold = false) : tools(io, root + "/ledger") {
    holding.hold = hold;
    store = std::move(store::Store::open(root + "/.glovebox", store::RowKey{})).value();
    options.state_folder = root + "/.glovebox";
    options.workspace = root;
    options.audit_log.key_path = root + "/key/audit.key";
    auto opened = Gateway::open(io.get_executor(), *store, tools, holding, std::move(options));
    EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
    gateway = std::move(opened).value();
  }
  std::string execute(const std::string& code, SandboxConfig config = {}) {
    ExecuteRequest request;
    request.code = code;
    request.config = std::move(config);
    request.session = "s";
    // Timeouts as long as a busy machine may need.
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(10);
    RunEvents events;
    events.on_waiting = [this](const ApprovalRequest& approval) { requests.push_back(approval); };
    events.on_end = [this](const RunEnd& end) { ends[end.run] = end; };
    events.on_log = [this](const LogLine& line) { logs.push_back(line.text); };
    return gateway->execute(std::move(request), std::move(events)).value();
  }
  template <typename Until>
  void run_until(Until until) {
    while (!until()) io.run_one();
  }
  json::value result_of(const std::string& run) {
    run_until([&] { return has_ended(store->find_run(run).value()->status); });
    return json::parse(store->find_run(run).value()->outcome);
  }
  void approve(const std::string& approval, std::vector<std::uint64_t> calls = {}, bool approved = true) {
    const auto given = gateway->answer({approval, std::move(calls), approved, store::Scope::kOnce, "", {}, "ann", "t"});
    EXPECT_TRUE(given.ok()) << given.failure().message;
  }
  void approve_everything() {
    const auto approvals = store->approvals("", true).value();
    for (const auto& approval : approvals) approve(approval.id);
  }

  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
  std::unique_ptr<store::Store> store;
  Ledger tools;
  Sandbox sandbox;
  SandboxRunner runner{sandbox};
  HoldingRunner holding{runner};
  std::shared_ptr<Gateway> gateway;
  std::vector<ApprovalRequest> requests;
  std::vector<std::string> logs;
  std::map<std::string, RunEnd> ends;
};

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    char name[] = "/tmp/glovebox-replay-XXXXXX";
    root_ = ::mkdtemp(name);
    options_.times.gather = milliseconds(20);
    options_.times.poll = milliseconds(20);
    options_.times.park_after = milliseconds(60);
    options_.rules = std::move(policy::ToolRules::parse({{"fs"}, {}, {}}, root_)).value();
  }
  ~ReplayTest() override { std::filesystem::remove_all(root_); }
  std::unique_ptr<Process> process() { return std::make_unique<Process>(root_, options_); }
  // In a process of its own, which is killed when `work` returns.
  template <typename Work>
  void in_killed_process(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
      {
        Process inside(root_, options_);
        work(inside);
        ::kill(::getpid(), SIGKILL);
      }
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  std::string root_;
  GatewayOptions options_;
};

TEST_F(ReplayTest, AParkedRunGoesOnWhereItWaited) {
  auto here = process();
  const auto run = here->execute(R"(
    const first = await mcp.fs.read({ n: 1 });
    console.log('one', Math.random() > 2, Date.now() > 0);
    const second = await mcp.gh.post({ n: first.n + 1 });
    console.log('two');
    const third = await mcp.fs.read({ n: second.n + 1 });
    return [first, second, third])");
  here->run_until([&] { return here->requests.size() == 1 && here->gateway->live_runs() == 0; });
  EXPECT_EQ(here->tools.lines(), std::vector<std::string>{R"(read{"n":1})"});
  here->approve(here->requests[0].id);
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([{"n":1},{"n":2},{"n":3}])");
  EXPECT_EQ(here->tools.lines(), (std::vector<std::string>{R"(read{"n":1})", R"(post{"n":2})", R"(read{"n":3})"}));
  // Each line is reported once, though both attempts logged the first.
  EXPECT_EQ(here->logs, (std::vector<std::string>{"one false true", "two"}));
  here->run_until([&] { return here->ends.contains(run); });
}

// It never comes to rest by itself: neither its process nor its journal may grow for as long as a person takes.
TEST_F(ReplayTest, AProgramWithATimerLoopIsParkedAllTheSame) {
  options_.times.park_after = std::chrono::hours(1);
  options_.times.restless_entries = 50;
  auto here = process();
  const auto run = here->execute(R"(
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const posted = await mcp.gh.post({ n: 1 });
    clearInterval(timer);
    return [posted.n, ticks > 0])");
  here->run_until([&] { return here->requests.size() == 1 && here->gateway->live_runs() == 0; });
  const auto entries = here->store->journal(run).value().size();
  here->io.run_for(milliseconds(100));
  EXPECT_EQ(here->store->journal(run).value().size(), entries);
  here->approve(here->requests[0].id);
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), "[1,true]");
}

// The same with work that is not a timer: it may go on for longer, but not forever.
TEST_F(ReplayTest, AProgramThatNeverStopsReadingIsParkedAllTheSame) {
  options_.times.park_after = std::chrono::hours(1);
  options_.times.restless_entries = 20;
  auto here = process();
  const auto run = here->execute(R"(
    let waits = true;
    const posted = mcp.gh.post({ n: 1 }).then((value) => { waits = false; return value.n });
    while (waits) try { await Deno.stat('/nowhere') } catch {}
    return await posted)");
  here->run_until([&] { return here->requests.size() == 1 && here->gateway->live_runs() == 0; });
  here->approve(here->requests[0].id);
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), "1");
}

TEST_F(ReplayTest, APromiseAllIsAnsweredPieceByPieceAcrossAttempts) {
  auto here = process();
  here->tools.find_together("post", 3);
  const auto run = here->execute(R"(
    const done = await Promise.allSettled([
      mcp.gh.post({ n: 1 }), mcp.fs.read({ n: 2 }), mcp.gh.post({ n: 3 }), mcp.gh.post({ n: 4 }),
    ]);
    return done.map((one) => one.value ? one.value.n : one.reason.name))");
  const auto is_parked = [&] { return here->gateway->live_runs() == 0; };
  here->run_until([&] { return here->requests.size() == 1 && is_parked(); });
  const auto approval = here->store->find_approval(here->requests[0].id).value();
  ASSERT_EQ(approval->calls.size(), 3u);
  here->approve(approval->id, {approval->calls[2].call});
  here->run_until([&] { return here->tools.lines().size() == 2 && is_parked(); });
  here->approve(approval->id, {approval->calls[0].call}, false);
  here->run_until([&] { return !is_parked(); });
  here->run_until(is_parked);
  here->approve(approval->id);
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"(["ApprovalDenied",2,3,4])");
  EXPECT_EQ(here->tools.lines().size(), 3u);
  EXPECT_EQ(here->requests.size(), 1u);
}

// It waits for another answer too, and has not yet come to where it waited: that is no reason to park it.
TEST_F(ReplayTest, AnAttemptThatHasJustBegunIsNotParked) {
  auto here = process();
  here->tools.find_together("post", 2);
  const auto run = here->execute("return await Promise.all([mcp.gh.post({ n: 1 }), mcp.gh.post({ n: 2 })])");
  const auto is_parked = [&] { return here->gateway->live_runs() == 0; };
  here->run_until([&] { return here->requests.size() == 1 && is_parked(); });
  const auto approval = here->store->find_approval(here->requests[0].id).value();
  ASSERT_EQ(approval->calls.size(), 2u);
  here->holding.hold = true;
  here->approve(approval->id, {approval->calls[0].call});
  here->run_until([&] { return here->holding.held.size() == 1; });
  // Many polls, each of which might park it.
  here->io.run_for(options_.times.park_after * 5);
  here->holding.hold = false;
  ASSERT_FALSE(here->holding.given_up);
  for (auto& begin : std::exchange(here->holding.held, {})) begin();
  here->run_until([&] { return here->tools.lines().size() == 1; });
  here->approve(approval->id);
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([{"n":1},{"n":2}])");
}

// It waits for a person, and for the end of a call that the last gateway had under way.
TEST_F(ReplayTest, AResumedAttemptIsNotParkedBeforeItHasMadeItsCallsAgain) {
  in_killed_process([](Process& doomed) {
    doomed.execute(R"(
      const hanging = mcp.fs.hang({}).catch((error) => mcp.fs.read({ after: error.code }));
      return [await mcp.gh.post({ n: 1 }), await hanging])");
    doomed.run_until([&] { return doomed.requests.size() == 1 && doomed.tools.lines().size() == 1; });
  });
  Process here(root_, options_, true);
  here.run_until([&] { return here.holding.held.size() == 1; });
  here.io.run_for(options_.times.park_after * 5);
  here.holding.hold = false;
  ASSERT_FALSE(here.holding.given_up);
  for (auto& begin : std::exchange(here.holding.held, {})) begin();
  // What needs no person happens before one has answered.
  here.run_until([&] { return here.tools.lines().size() == 2 && here.gateway->live_runs() == 0; });
  here.approve_everything();
  const auto run = here.store->list_runs(std::nullopt, 10).value()[0].id;
  EXPECT_EQ(json::serialize(here.result_of(run).at("result")), R"([{"n":1},{"after":"OUTCOME_UNKNOWN"}])");
}

// If it were interrupted, its outcome would be unknown.
TEST_F(ReplayTest, ARunWhoseCommandIsUnderWayIsNotParked) {
  const std::string pipe = root_ + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  SandboxConfig config;
  config.allow_run = {"cat"};
  auto here = process();
  const auto run = here->execute("const command = new Deno.Command('cat', { args: ['" + pipe + R"('] }).output();
    const post = await mcp.gh.post({ n: 1 });
    return [post.n, new TextDecoder().decode((await command).stdout)])",
                                 config);
  here->run_until([&] { return here->requests.size() == 1; });
  here->io.run_for(options_.times.park_after * 5);
  ASSERT_EQ(here->gateway->live_runs(), 1u);
  std::ofstream(pipe) << "said";
  here->run_until([&] { return here->gateway->live_runs() == 0; });
  here->approve_everything();
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([1,"said"])");
}

TEST_F(ReplayTest, AKilledGatewaysRunsAreResumedAndEachToolIsCalledOnce) {
  options_.times.park_after = std::chrono::hours(1);  // they have guests when the gateway dies
  in_killed_process([](Process& doomed) {
    doomed.tools.find_together("post", 6);
    for (int n = 0; n < 3; ++n) {
      doomed.execute("const before = await mcp.fs.read({ n: " + std::to_string(n) +
                     " }); const posts = await Promise.all([1, 2].map((i) => mcp.gh.post({ n: before.n, i })));"
                     "await mcp.fs.read({ after: before.n }); return posts.length");
    }
    doomed.run_until([&] { return doomed.requests.size() == 3; });
  });
  auto here = process();
  ASSERT_EQ(here->tools.lines().size(), 3u);
  const auto approvals = here->store->approvals("", true).value();
  ASSERT_EQ(approvals.size(), 3u);
  EXPECT_EQ(here->gateway->live_runs(), 0u);
  here->approve_everything();
  for (const auto& approval : approvals) EXPECT_EQ(here->result_of(approval.run).at("result").to_number<int>(), 2);
  auto lines = here->tools.lines();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines.size(), 3u + 6u + 3u);
  EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end()) << "a call was made twice";
  const std::string log = root_ + "/.glovebox/audit.log";
  const auto key = AuditKey::read(root_ + "/key/audit.key").value();
  const auto report = check_audit(log, &key, known_records(here->store.get(), log).value()).value();
  EXPECT_TRUE(report.intact()) << report.problem->reason;
}

TEST_F(ReplayTest, AnswersThatCameWhileNobodyWasThereCount) {
  in_killed_process([](Process& doomed) {
    doomed.execute("return [await mcp.gh.post({ n: 1 }), await mcp.fs.read({})]");
    doomed.run_until([&] { return doomed.requests.size() == 1; });
    ASSERT_TRUE(
        give_answer(*doomed.store, {doomed.requests[0].id, {}, true, store::Scope::kOnce, "", {}, "x", "cli"}, "/", 1)
            .ok());
  });
  auto here = process();
  const auto run = here->store->list_runs(std::nullopt, 10).value()[0].id;
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([{"n":1},{}])");
  EXPECT_EQ(here->tools.lines().size(), 2u);
}

// `exec` and the like may end before a run that they adopt: an answer must not be spent on a call that is not made.
TEST_F(ReplayTest, AGatewayThatMayEndSoonResumesOnlyWhatItIsAskedTo) {
  in_killed_process([](Process& doomed) {
    doomed.execute("return await mcp.gh.post({ n: 1 })");
    doomed.execute("return await mcp.gh.post({ n: 2 })");
    doomed.execute("return await mcp.fs.hang({})");
    doomed.run_until([&] { return doomed.requests.size() == 2 && doomed.tools.lines().size() == 1; });
  });
  options_.adopts_runs = false;
  auto here = process();
  here->approve_everything();
  EXPECT_EQ(here->result_of(here->execute("return 1 + 3")).at("result"), 4);
  // Any gateway ends runs that cannot be resumed.
  EXPECT_EQ(here->store->list_runs(RunStatus::kFailed, 10)->size(), 1u);
  const std::string run = here->store->list_runs(RunStatus::kWaiting, 10).value()[0].id;
  EXPECT_EQ(here->tools.lines().size(), 1u);
  std::optional<RunEnd> end;
  RunEvents events;
  events.on_end = [&](const RunEnd& ended) { end = ended; };
  EXPECT_FALSE(here->gateway->resume("run_none", events).value());
  EXPECT_TRUE(here->gateway->resume(run, events).value());
  here->run_until([&] { return end.has_value(); });
  EXPECT_EQ(end->status, RunStatus::kFinished);
  EXPECT_EQ(here->tools.lines().size(), 2u);
  // For a run that has ended, the end is reported.
  end.reset();
  EXPECT_TRUE(here->gateway->resume(run, events).value());
  here->run_until([&] { return end.has_value(); });
  EXPECT_EQ(end->status, RunStatus::kFinished);
}

TEST_F(ReplayTest, ACallThatWasUnderWayIsNotMadeAgain) {
  in_killed_process([](Process& doomed) {
    doomed.execute(R"(
      const hanging = mcp.fs.hang({}).catch((error) => [error.name, error.code]);
      const post = mcp.gh.post({ n: 1 }).then((value) => value.n);
      return await Promise.all([hanging, post]))");
    doomed.run_until([&] { return doomed.requests.size() == 1 && doomed.tools.lines().size() == 1; });
  });
  auto here = process();
  here->approve_everything();
  const auto run = here->store->list_runs(std::nullopt, 10).value()[0].id;
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([["MCPToolError","OUTCOME_UNKNOWN"],1])");
  EXPECT_EQ(here->tools.lines(), (std::vector<std::string>{"hang{}", R"(post{"n":1})"}));
}

TEST_F(ReplayTest, ARunThatNeverWaitedIsLostAndSaysSo) {
  in_killed_process([](Process& doomed) {
    doomed.execute("return await mcp.fs.hang({})");
    doomed.run_until([&] { return doomed.tools.lines().size() == 1; });
  });
  auto here = process();
  const auto run = here->store->list_runs(std::nullopt, 10).value()[0].id;
  EXPECT_EQ(here->result_of(run).at("error").at("code").as_string(), "GATEWAY_DIED");
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

TEST_F(ReplayTest, AReplayThatDivergesMakesNoCall) {
  std::string run;
  {
    auto here = process();
    run = here->execute("await mcp.fs.read({ n: 1 }); await mcp.gh.post({ n: 2 }); return await mcp.fs.read({ n: 3 })");
    here->run_until([&] { return here->requests.size() == 1 && here->gateway->live_runs() == 0; });
    here->gateway->close();
  }
  {
    // Code other than that of the journal.
    auto database = store::SqliteDatabase::open(root_ + "/.glovebox/glovebox.db");
    ASSERT_TRUE(database.value()->execute("UPDATE runs SET code = replace(code, 'n: 1', 'n: 7')").ok());
    // Sealed by the owner, or it would not be resumed at all.
    ASSERT_TRUE(store::Store::open(root_ + "/.glovebox", store::RowKey{}).value()->seal_all().ok());
  }
  auto here = process();
  here->approve_everything();
  EXPECT_EQ(here->result_of(run).at("error").at("code").as_string(), "REPLAY_DIVERGED");
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

TEST_F(ReplayTest, ADefinitionThatChangedWhileItWasParkedIsAskedAboutAgain) {
  auto here = process();
  const auto run = here->execute("return await mcp.gh.post({ n: 2 })");
  here->run_until([&] { return here->requests.size() == 1 && here->gateway->live_runs() == 0; });
  here->tools.hash = "sha256-2";
  here->approve(here->requests[0].id);
  here->run_until([&] { return here->requests.size() == 2; });
  EXPECT_TRUE(here->tools.lines().empty());
  here->approve(here->requests[1].id);
  here->result_of(run);
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

TEST_F(ReplayTest, AnotherLivingGatewayLeavesItAlone) {
  auto one = process();
  const auto run = one->execute("return await mcp.gh.post({ n: 2 })");
  one->run_until([&] { return one->requests.size() == 1; });
  auto two = process();
  // Its sandbox is up: while it starts, a forked process that has yet to exec holds all our locks.
  two->result_of(two->execute("return 1"));
  EXPECT_EQ(two->store->find_run(run).value()->owner, one->gateway->owner());
  const auto listener = two->gateway->continue_run(run, {.approved = true, .approval = one->requests[0].id}, {});
  ASSERT_FALSE(listener.ok());
  EXPECT_EQ(listener.failure().code, ErrorCode::kConflict);
  EXPECT_EQ(two->gateway->continue_run(run, {}, {}).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(one->store->approvals(run, true).value().size(), 1u) << "what is refused is not answered";
  one->approve(one->requests[0].id);
  one->result_of(run);
  EXPECT_EQ(one->tools.lines().size(), 1u);
  // When it has closed, the other adopts what it left.
  const auto next = one->execute("return await mcp.gh.post({ n: 3 })");
  one->run_until([&] { return one->requests.size() == 2; });
  const std::string request = one->requests[1].id;
  one->gateway->close();
  one.reset();
  bool ended = false;
  RunEvents events;
  events.on_end = [&](const RunEnd& end) { ended = end.status == RunStatus::kFinished; };
  ASSERT_TRUE(two->gateway->continue_run(next, {.approved = true, .approval = request}, events).ok());
  two->run_until([&] { return ended; });
}

TEST_F(ReplayTest, ContinueOfARunThatHasEndedTellsItsEnd) {
  auto here = process();
  const auto run = here->execute("return 7");
  here->result_of(run);
  std::string outcome;
  RunEvents events;
  events.on_end = [&](const RunEnd& end) { outcome = end.outcome_json; };
  ASSERT_TRUE(here->gateway->continue_run(run, {.approved = true}, events).ok());
  EXPECT_EQ(json::parse(outcome).at("result").to_number<int>(), 7);
  EXPECT_EQ(here->gateway->continue_run("run_none", {}, {}).failure().code, ErrorCode::kNotFound);
}

// An approval request is approved by its id: neither later requests nor those of another run are covered.
TEST_F(ReplayTest, AYesIsForOneRequest) {
  auto here = process();
  const auto run = here->execute("return await mcp.gh.post({ n: 1 })");
  here->run_until([&] { return here->requests.size() == 1; });
  const auto other = here->execute("return await mcp.gh.post({ n: 3 })");
  here->run_until([&] { return here->requests.size() == 2; });
  const auto says_yes_to = [&](const std::string& approval) {
    return here->gateway->continue_run(run, {.approved = true, .approval = approval}, {});
  };
  EXPECT_EQ(says_yes_to("").failure().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(says_yes_to(here->requests[1].id).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(says_yes_to("ap_none").failure().code, ErrorCode::kConflict);
  EXPECT_TRUE(here->tools.lines().empty());
  EXPECT_TRUE(says_yes_to(here->requests[0].id).ok());
  here->result_of(run);
  EXPECT_EQ(here->tools.lines().size(), 1u);
  // A denial needs no id.
  EXPECT_TRUE(here->gateway->continue_run(other, {}, {}).ok());
  here->run_until([&] { return has_ended(here->store->find_run(other).value()->status); });
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

TEST_F(ReplayTest, HundredsOfRunsWaitWithoutAProcessEach) {
  const std::size_t kRuns = base::is_proving() ? 1000 : 200;
  options_.times.poll = milliseconds(200);
  auto here = process();
  std::vector<std::string> runs;
  for (std::size_t n = 0; n < kRuns; ++n) {
    runs.push_back(here->execute("return (await mcp.gh.post({ n: " + std::to_string(n) + " })).n"));
  }
  here->run_until([&] { return here->requests.size() == kRuns && here->gateway->live_runs() == 0; });
  EXPECT_TRUE(here->tools.lines().empty());
  here->approve_everything();
  here->run_until([&] { return here->ends.size() == kRuns; });
  for (std::size_t n = 0; n < kRuns; ++n) {
    ASSERT_EQ(json::parse(here->ends[runs[n]].outcome_json).at("result").to_number<std::size_t>(), n);
  }
  EXPECT_EQ(here->tools.lines().size(), kRuns);
}

}  // namespace
}  // namespace glovebox::gateway
