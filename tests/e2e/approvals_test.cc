// `glovebox approvals`, `runs` and `audit` beside a gateway that runs, and without one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "command.h"
#include "config/state/state_folder.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"
#include "row_key.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

class EchoTools final : public catalog::ToolSource {
 public:
  explicit EchoTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    boost::asio::post(io_, [found, done] { done(found); });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    ++calls;
    auto text = std::make_shared<std::string>(call.arguments());
    boost::asio::post(io_, [text, done] { done(catalog::ToolResult{text, *text}); });
    return [] {};
  }
  int calls = 0;

 private:
  boost::asio::io_context& io_;
};

class ApprovalsCommand : public testing::Test {
 protected:
  ApprovalsCommand() {
    char name[] = "/tmp/glovebox-approvals-XXXXXX";
    root_ = ::mkdtemp(name);
    state_ = config::make_state_folder(root_).value().path;
    store_ = std::move(store::Store::open(state_, row_key())).value();
    open();
  }
  ~ApprovalsCommand() override {
    gateway_.reset();
    std::filesystem::remove_all(state_);
    std::filesystem::remove_all(root_);
  }
  void open() {
    gateway::GatewayOptions options;
    options.state_folder = state_;
    options.workspace = root_;
    gateway_ = std::move(gateway::Gateway::open(io_.get_executor(), *store_, tools_, runner_, options)).value();
  }
  std::string execute(const std::string& code) {
    gateway::ExecuteRequest request;
    request.code = code;
    request.intent = "tidy up";
    gateway::RunEvents events;
    events.on_waiting = [this](const gateway::ApprovalRequest& approval) { requests_.push_back(approval.id); };
    events.on_end = [this](const gateway::RunEnd& end) { outcome_ = end.outcome_json; };
    const std::string run = gateway_->execute(request, events).value();
    while (requests_.empty()) io_.run_one();
    return run;
  }
  json::value wait_for_outcome() {
    while (outcome_.empty()) io_.run_one();
    return json::parse(outcome_);
  }
  Ended cli(std::vector<std::string> arguments) {
    const bool is_yes = arguments.size() > 1 && arguments[0] == "approvals" && arguments[1] == "approve";
    arguments.insert(arguments.end(), {"--workspace", root_});
    Command command(std::move(arguments));
    return is_yes ? command.at_terminal().run() : command.run();
  }
  json::value cli_json(std::vector<std::string> arguments, int code = 0) {
    arguments.push_back("--json");
    const auto result = cli(std::move(arguments));
    EXPECT_EQ(result.code, code) << result.out << result.err;
    return json::parse(result.out);
  }

  std::string root_;
  std::string state_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::unique_ptr<store::Store> store_;
  EchoTools tools_{io_};
  Sandbox sandbox_;
  gateway::SandboxRunner runner_{sandbox_};
  std::shared_ptr<gateway::Gateway> gateway_;
  std::vector<std::string> requests_;
  std::string outcome_;
};

TEST_F(ApprovalsCommand, ShowAndApproveACallOfARunningGateway) {
  const auto run = execute("return await mcp.fs.write_file({ path: './out/a', content: 'x' })");
  const auto listed = cli_json({"approvals", "ls"}).at("approvals");
  ASSERT_EQ(listed.as_array().size(), 1u);
  EXPECT_EQ(listed.at(0).at("id").as_string(), requests_[0]);
  EXPECT_EQ(listed.at(0).at("title").as_string(), "write_file ./out/a");
  // Without arguments it lists what waits, in short; the beginning of an id is enough.
  const auto in_short = cli({"approvals"});
  for (const char* word : {"ID ", "AGE", "CLIENT", "fs:write_file {", "./out/a"})
    EXPECT_NE(in_short.out.find(word), std::string::npos) << in_short.out;
  EXPECT_EQ(cli({"approvals", "show", requests_[0].substr(0, 8)}).code, 0);
  EXPECT_EQ(cli_json({"runs", "show", run.substr(0, 8)}).at("id").as_string(), run);
  EXPECT_EQ(cli({"trace", "show", run.substr(0, 8)}).code, cli({"trace", "show", run}).code);
  const auto newest = cli({"runs", "ls"});
  EXPECT_TRUE(newest.out.starts_with("ID ")) << newest.out;
  EXPECT_NE(newest.out.find("tidy up"), std::string::npos) << newest.out;
  const auto shown = cli_json({"approvals", "show", requests_[0]});
  EXPECT_EQ(shown.at("card").at("calls").at(0).at("arguments").at("content").as_string(), "x");
  const auto for_people = cli({"approvals", "show", requests_[0]});
  EXPECT_NE(for_people.out.find("tidy up"), std::string::npos) << for_people.out;
  EXPECT_NE(for_people.out.find("fs:write_file(only path=./out/**, content=x)"), std::string::npos) << for_people.out;
  EXPECT_EQ(cli_json({"runs", "show", run}).at("waitsFor").at(0).as_string(), requests_[0]);

  const auto approved = cli_json({"approvals", "approve", requests_[0], "--scope", "session"});
  EXPECT_EQ(approved.at("rules").at(0).as_string(), "fs:write_file(only path=./out/**, content=x)");
  EXPECT_TRUE(approved.at("gatewayRuns").as_bool());
  EXPECT_EQ(wait_for_outcome().at("result").at("content").as_string(), "x");
  EXPECT_EQ(tools_.calls, 1);
  // It can be answered only once.
  EXPECT_EQ(cli_json({"approvals", "deny", requests_[0]}, 5).at("error").at("code").as_string(), "CONFLICT");
  EXPECT_EQ(cli_json({"runs", "ls", "--status", "finished"}).at("runs").as_array().size(), 1u);

  const auto verified = cli_json({"audit", "verify"});
  EXPECT_TRUE(verified.at("ok").as_bool());
  const auto audit = cli({"audit"});
  EXPECT_NE(audit.out.find("approval.answered"), std::string::npos) << audit.out;
  EXPECT_NE(audit.out.find("channel=cli"), std::string::npos) << audit.out;
}

TEST_F(ApprovalsCommand, ABeginningThatSeveralHaveIsNoId) {
  execute("return await Promise.all([mcp.fs.post({ n: 1 }), 1])");
  execute("return await mcp.fs.post({ n: 2 })");
  while (requests_.size() < 2) io_.run_one();
  const Ended several = cli({"approvals", "deny", "ap_"});
  EXPECT_EQ(several.code, 2);
  EXPECT_NE(several.err.find("several begin with ap_: "), std::string::npos) << several.err;
  const Ended none = cli({"approvals", "show", "ap_none"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("there is no approval ap_none"), std::string::npos) << none.err;
  EXPECT_EQ(cli_json({"approvals", "ls"}).at("approvals").as_array().size(), 2u);
}

TEST_F(ApprovalsCommand, AYesNeedsATerminal) {
  execute("return await mcp.fs.post({ n: 1 })");
  const Ended refused = Command({"approvals", "approve", requests_[0], "--workspace", root_}).input("y\n1\n").run();
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find("at a terminal"), std::string::npos) << refused.err;
  EXPECT_EQ(cli_json({"approvals", "ls"}).at("approvals").as_array().size(), 1u);
  EXPECT_EQ(tools_.calls, 0);
}

TEST_F(ApprovalsCommand, DenyWithAReasonThatTheCodeGets) {
  execute("try { await mcp.fs.write_file({}) } catch (error) { return error.message }");
  EXPECT_EQ(cli({"approvals", "deny", requests_[0], "--reason", "not on Sundays"}).code, 0);
  EXPECT_NE(wait_for_outcome().at("result").as_string().find("not on Sundays"), json::string::npos);
  EXPECT_EQ(tools_.calls, 0);
}

TEST_F(ApprovalsCommand, SomeCallsOfARequest) {
  const auto ask = [&] {
    const auto run =
        execute("return (await Promise.allSettled([1, 2].map((n) => mcp.fs.post({ n })))).map((one) => one.status)");
    const auto request = cli_json({"approvals", "show", requests_[0]}).at("card");
    return std::pair(run, request);
  };
  auto [run, request] = ask();
  // Calls are batched for a short time, which may pass between two of them on a busy machine.
  while (request.at("calls").as_array().size() < 2) {
    gateway_->cancel_run(run);
    (void)wait_for_outcome();
    requests_.clear();
    outcome_.clear();
    std::tie(run, request) = ask();
  }
  const auto second = std::to_string(request.at("calls").at(1).at("call").to_number<int>());
  EXPECT_EQ(cli({"approvals", "approve", requests_[0], "--call", second}).code, 0);
  EXPECT_EQ(cli({"approvals", "approve", requests_[0], "--call", "99"}).code, 5);
  EXPECT_EQ(cli({"approvals", "deny", requests_[0]}).code, 0);
  EXPECT_EQ(json::serialize(wait_for_outcome().at("result")), R"(["rejected","fulfilled"])");
}

TEST_F(ApprovalsCommand, AnAnswerWithoutAGatewayWaitsForTheNext) {
  const auto run = execute("return await mcp.fs.post({ n: 1 })");
  gateway_->close();
  gateway_.reset();
  // The last to hold the lock may be the sandbox's thread, which then does not wake this loop.
  const std::string owner = store_->find_run(run).value()->owner;
  while (gateway::owner_is_alive(state_, owner)) io_.run_one_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(cli_json({"approvals", "approve", requests_[0]}).at("gatewayRuns").as_bool());
  EXPECT_EQ(tools_.calls, 0);
  open();
  while (!has_ended(store_->find_run(run).value()->status)) io_.run_one();
  EXPECT_EQ(tools_.calls, 1);
  EXPECT_EQ(cli_json({"runs", "show", run}).at("outcome").at("result").at("n").to_number<int>(), 1);
}

TEST_F(ApprovalsCommand, CancelARun) {
  const auto run = execute("return await mcp.fs.post({ n: 1 })");
  EXPECT_EQ(cli({"runs", "cancel", run}).code, 0);
  EXPECT_EQ(wait_for_outcome().at("error").at("code").as_string(), "CANCELLED");
  EXPECT_EQ(cli({"runs", "cancel", run}).code, 5);
  EXPECT_EQ(cli({"runs", "cancel", "run_none"}).code, 2);
}

TEST_F(ApprovalsCommand, AChangedLogIsFound) {
  execute("return await mcp.fs.post({ n: 1 })");
  const std::string path = state_ + "/audit.log";
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text.replace(text.find("tidy up"), 7, "mess up");
  std::ofstream(path, std::ios::trunc) << text;
  const auto verified = cli_json({"audit", "verify"}, 1);
  EXPECT_FALSE(verified.at("ok").as_bool());
  EXPECT_EQ(verified.at("brokenLine").to_number<int>(), 2);
}

TEST(PermissionsCommand, ExplainsAndExitsWithTheVerdict) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", R"j({"permissions": {"allow": ["fs:w(path=./out/**)"], "deny": ["fs:rm"]}})j");
  const auto check = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"permissions", "check"});
    return Command(std::move(arguments)).folder(folder.path()).run();
  };
  EXPECT_EQ(check({"fs:w", "--args", R"({"path": "./out/a"})"}).code, 0);
  const Ended asked = check({"fs:w", "--args", R"({"path": "./out/../a"})"});
  EXPECT_EQ(asked.code, 6);
  EXPECT_NE(asked.out.find("no rule covers it"), std::string::npos) << asked.out;
  EXPECT_EQ(check({"fs:rm"}).code, 7);
  EXPECT_EQ(check({"fs.rm"}).code, 7);  // as code and `glovebox tools` name it
  EXPECT_EQ(check({"fs"}).code, 2);
  EXPECT_EQ(check({"fs:w", "--args", R"({"path":"a","path":"b"})"}).code, 2);
  // A deny that could never match would protect nothing.
  folder.write("glovebox.json", R"j({"permissions": {"allow": ["*"], "deny": ["fs.rm"]}})j");
  EXPECT_EQ(check({"fs:rm"}).code, 2);
  folder.write("glovebox.json", R"j({"permissions": {"allow": ["fs:w(path"]}})j");
  const Ended wrong = Command({"config", "validate"}).folder(folder.path()).run();
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("glovebox.json:1:"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("do not end with )"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace glovebox::e2e
