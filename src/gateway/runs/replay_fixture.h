// Gateways that end and come back, with a ledger of the calls that were really made.
#pragma once

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

#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"
#include "store/memory_folder.h"

namespace glovebox::gateway {

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

// Holds runs back until the test lets them begin.
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
    while (!until()) {
      const store::QueueOnly loop;
      io.run_one();
    }
  }
  Result<std::optional<Gateway::Listener>> continue_run(const std::string& run, const Gateway::Continuation& with,
                                                        RunEvents events = {}) {
    std::optional<Result<std::optional<Gateway::Listener>>> followed;
    gateway->continue_run(run, with, std::move(events), [&](auto listener) { followed = std::move(listener); });
    run_until([&] { return followed.has_value(); });
    return std::move(*followed);
  }
  Result<bool> follow(const std::string& run, const RunEvents& events) {
    std::optional<Result<bool>> followed;
    gateway->follow(run, "", events, [&](const Result<bool>& done) { followed = done; });
    run_until([&] { return followed.has_value(); });
    return *followed;
  }
  json::value result_of(const std::string& run) {
    run_until([&] { return has_ended(store->find_run(run).value()->status); });
    return json::parse(store->find_run(run).value()->outcome);
  }
  void approve(const std::string& approval, std::vector<std::uint64_t> calls = {}, bool approved = true) {
    gateway->answer({approval, std::move(calls), approved, store::Scope::kOnce, "", {}, "ann", "t"}, "",
                    [](const Result<void>& given) { EXPECT_TRUE(given.ok()) << given.failure().message; });
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

  const std::string root_ = store::make_memory_folder("replay");
  GatewayOptions options_;
};

}  // namespace glovebox::gateway
