#include "gateway/gateway.h"
#include "gateway/audit_check/audit_check.h"
#include "gateway/counting_runner.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "gateway/privacy/run_privacy.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using store::RunStatus;

// Tools that a test answers itself.
class FakeTools final : public catalog::ToolSource {
 public:
  explicit FakeTools(boost::asio::io_context& io) : io_(io) {}

  struct Made {
    std::string tool;
    std::string arguments;
  };
  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}, {"gh", {}}}; }

  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server == "files" ? "fs" : server;
    found.name = tool == "writeFile" ? "write_file" : tool;
    found.hash = hash;
    found.description = description;
    found.annotations = R"({"readOnlyHint":true})";
    if (tool == "quarantined") found.state = catalog::Tool::State::kQuarantined;
    auto answer = [found = std::move(found), done = std::move(done)] {
      if (found.name == "missing") {
        done(catalog::CallFailure{"TOOL_NOT_FOUND", "there is no such tool"});
      } else if (found.name == "gone") {
        done(catalog::CallFailure{"SERVER_UNAVAILABLE", "cannot start /opt/server"});
      } else {
        done(found);
      }
    };
    if (tool != together) return boost::asio::post(io_, std::move(answer));
    found_together.push_back(std::move(answer));
    if (found_together.size() < how_many) return;
    together.clear();
    boost::asio::post(io_, [all = std::exchange(found_together, {})] {
      for (const auto& one : all) one();
    });
  }

  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string& arguments) override {
    if (arguments.find("wrong") == arguments.npos) return std::nullopt;
    return catalog::CallFailure{"INVALID_ARGUMENTS", "/wrong is not known"};
  }

  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    made.push_back({call.tool().server + ":" + call.tool().name, call.arguments()});
    most_at_once = std::max(most_at_once, ++at_once);
    auto end = [this, done = std::move(done), arguments = call.arguments()] {
      --at_once;
      if (arguments.find("fail") != arguments.npos) {
        return done(
            catalog::CallFailure{"TOOL_ERROR", "no /home/ada/x" + std::string(600, '.') + "\n    at f (a.js:1)", true});
      }
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    };
    if (hold) {
      held.push_back(end);
    } else if (pause.count() > 0) {
      const auto timer = std::make_shared<boost::asio::steady_timer>(io_, pause);
      timer->async_wait([timer, end](auto) { end(); });
    } else {
      boost::asio::post(io_, end);
    }
    return [] {};
  }

  std::vector<Made> made;
  std::vector<std::function<void()>> held;
  bool hold = false;
  std::chrono::milliseconds pause{0};  // before each answer
  int at_once = 0;
  int most_at_once = 0;
  std::string hash = "sha256-1";
  std::string description;
  // Finds this many calls of this tool at once, a single time: so they join one approval request even on a busy
  // machine.
  std::string together;
  std::size_t how_many = 0;
  std::vector<std::function<void()>> found_together;

 private:
  boost::asio::io_context& io_;
};

class GatewayTest : public testing::Test {
 protected:
  GatewayTest() {
    char name[] = "/tmp/glovebox-gateway-XXXXXX";
    root_ = ::mkdtemp(name);
    state_ = root_ + "/.glovebox";
    options_.state_folder = state_;
    options_.audit_log.key_path = root_ + "/key/audit.key";
    options_.workspace = root_;
    options_.times.gather = std::chrono::milliseconds(20);
    options_.times.poll = std::chrono::milliseconds(20);
    options_.times.park_after = std::chrono::hours(1);
    store_ = std::move(store::Store::open(state_, store::RowKey{})).value();
  }
  ~GatewayTest() override {
    gateway_.reset();
    std::filesystem::remove_all(root_);
  }

  void permit(policy::PermissionTexts texts) {
    options_.rules = std::move(policy::ToolRules::parse(texts, root_)).value();
  }
  Gateway& gateway() {
    if (!gateway_) {
      auto opened = Gateway::open(io_.get_executor(), *store_, tools_, runner_, options_);
      EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
      gateway_ = std::move(opened).value();
    }
    return *gateway_;
  }
  template <typename Until>
  void run_until(Until until) {
    while (!until()) io_.run_one();
  }
  void turn(std::chrono::milliseconds time) { io_.run_for(time); }
  void find_together(const std::string& tool, std::size_t how_many) {
    tools_.together = tool;
    tools_.how_many = how_many;
  }

  std::string execute(const std::string& code, ExecuteRequest request = {}) {
    request.code = code;
    request.client = "test";
    request.session = session_;
    // Timeouts as long as a busy machine may need.
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(10);
    RunEvents events;
    events.on_waiting = [this](const ApprovalRequest& approval) { requests_.push_back(approval); };
    events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
    events.on_progress = [this](std::string_view message) { progress_.emplace_back(message); };
    events.on_log = [this](const LogLine& line) { logs_.push_back(line.text); };
    auto id = gateway().execute(std::move(request), std::move(events));
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    return id ? id.value() : "";
  }
  json::value result_of(const std::string& run) {
    run_until([&] { return ends_.contains(run); });
    return json::parse(ends_[run].outcome_json);
  }
  void wait_for_requests(std::size_t count) {
    run_until([&] { return requests_.size() >= count; });
  }
  Result<AnswerReceipt> answer(const std::string& approval, bool approved, store::Scope scope = store::Scope::kOnce,
                               std::vector<std::uint64_t> calls = {}, std::string reason = "") {
    return gateway().answer({approval, std::move(calls), approved, scope, std::move(reason), {}, "ann", "test"});
  }
  CheckCode answers_check(CodeReport report) {
    return [this, report](const CodeToCheck&, auto done) { boost::asio::post(io_, [=] { done(report); }); };
  }
  std::vector<json::value> audit(std::string_view event) {
    std::ifstream file(state_ + "/audit.log");
    std::vector<json::value> found;
    for (std::string line; std::getline(file, line);) {
      auto record = json::parse(line);
      if (record.at("event").as_string() == event) found.push_back(std::move(record));
    }
    return found;
  }

  std::string root_;
  std::string state_;
  std::string session_ = "s1";
  boost::asio::io_context io_;
  // Without work, the loop would return at once.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::unique_ptr<store::Store> store_;
  FakeTools tools_{io_};
  Sandbox sandbox_;
  CountingRunner runner_{sandbox_};
  GatewayOptions options_;
  std::shared_ptr<Gateway> gateway_;
  std::vector<ApprovalRequest> requests_;
  std::vector<std::string> progress_;
  std::vector<std::string> logs_;
  std::map<std::string, RunEnd> ends_;
};

TEST_F(GatewayTest, AnAllowedCallIsMadeAndWrittenDown) {
  permit({{"fs:read"}, {}, {}});
  const auto run = execute("return await mcp.fs.read({path: './a', token: 'hunter2'})");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"({"path":"./a","token":"hunter2"})");
  EXPECT_EQ(ends_[run].status, RunStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(tools_.made[0].tool, "fs:read");
  EXPECT_TRUE(requests_.empty());
  ASSERT_EQ(audit("run.started").size(), 1u);
  EXPECT_NE(audit("run.started")[0].at("code").as_string().find("mcp.fs.read"), json::string::npos);
  ASSERT_EQ(audit("call.begun").size(), 1u);
  EXPECT_EQ(audit("call.begun")[0].at("rule").as_string(), "fs:read");
  EXPECT_EQ(json::serialize(audit("call.begun")[0].at("arguments")), R"({"path":"./a","token":"[redacted]"})");
  EXPECT_EQ(audit("call.ended")[0].at("outcome").as_string(), "ok");
  EXPECT_EQ(audit("run.ended")[0].at("status").as_string(), "finished");
  gateway_->close();
  const auto key = AuditKey::read(options_.audit_log.key_path).value();
  const auto known = known_records(store_.get(), state_ + "/audit.log").value();
  const auto report = check_audit(state_ + "/audit.log", &key, known).value();
  EXPECT_TRUE(report.intact()) << report.problem->reason;
  ASSERT_TRUE(known.head);
  EXPECT_EQ(known.head->hash, report.head.hash);
  EXPECT_EQ(known.hashes.size(), 2u) << "one of the run, and the last";
  EXPECT_EQ(store_->find_run(run).value()->status, RunStatus::kFinished);
}

TEST_F(GatewayTest, AgentsAreToldLittleOfAFailureAndTheAuditLogAll) {
  permit({.allow = {"fs"}});
  const auto outcome =
      result_of(execute("const told = [];"
                        "for (const [tool, args] of [['read', { fail: 1 }], ['gone', {}], ['read', { wrong: 1 }]])"
                        "  await mcp.fs[tool](args).catch(({ code, message }) => told.push(code, message));"
                        "return told"));
  const json::array& errors = outcome.at("result").as_array();
  ASSERT_EQ(errors.size(), 6u) << outcome;
  EXPECT_EQ(errors[0], "TOOL_ERROR");
  EXPECT_TRUE(errors[1].as_string().starts_with("no <path>")) << errors[1];
  EXPECT_TRUE(errors[1].as_string().ends_with("…"));
  EXPECT_LE(errors[1].as_string().size(), 502u);  // the last character has three bytes
  EXPECT_EQ(errors[3], "cannot start <path>");
  EXPECT_EQ(errors[5], "/wrong is not known");
  const std::string whole(audit("call.ended")[0].at("error").as_string());
  EXPECT_TRUE(whole.starts_with("no /home/ada/x") && whole.ends_with("at f (a.js:1)")) << whole;
  EXPECT_EQ(audit("call.refused")[0].at("error"), "cannot start /opt/server");
}

TEST_F(GatewayTest, OnlyToolsThatMayHaveThemGetValuesForTokens) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh:send_*"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  const std::string filtered = options_.privacy->filter()->json(R"(["bob@example.com"])").text;
  ASSERT_EQ(filtered, R"(["<EMAIL_1>"])");
  const auto run = execute(
      "await mcp.gh.send_mail({to: '<EMAIL_1>', about: '<EMAIL_7>'});"
      "await mcp.gh.post({to: '<EMAIL_1>'}); return await mcp.fs.send_mail({to: '<EMAIL_1>'})");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"({"to":"<EMAIL_1>"})");
  ASSERT_EQ(tools_.made.size(), 3u);
  EXPECT_EQ(tools_.made[0].arguments, R"({"to":"bob@example.com","about":"<EMAIL_7>"})");
  EXPECT_EQ(tools_.made[1].arguments, R"({"to":"<EMAIL_1>"})");
  EXPECT_EQ(tools_.made[2].arguments, R"({"to":"<EMAIL_1>"})");
  // The audit log has neither.
  EXPECT_EQ(json::serialize(audit("call.begun")[0].at("arguments")), R"({"to":"<EMAIL>","about":"<EMAIL_7>"})");
}

TEST_F(GatewayTest, RulesJudgeWhatTheServerWouldGet) {
  permit({{"*"}, {}, {"gh:send(to=*@evil.example)"}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter()->text("eve@evil.example");
  const auto run = execute("try { await mcp.gh.send({to: '<EMAIL_1>'}) } catch (error) { return error.name }");
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_TRUE(tools_.made.empty());
}

TEST_F(GatewayTest, DataThatGoesToAnotherServerIsAskedAbout) {
  permit({{"*"}, {}, {}});
  options_.privacy = std::move(PrivacyGuard::make({}, {{"fs:*", "gh:*", "ask"}}, privacy::Mode::kTokenize)).value();
  // The fake tools return their arguments.
  const auto run = execute(
      "const {mail} = await mcp.fs.read({mail: 'bob@example.com'});"
      "await mcp.gh.post({text: 'nothing of it'}); await mcp.fs.write({text: mail});"
      "await mcp.gh.post({text: 'write to ' + mail}); return 1");
  wait_for_requests(1);
  EXPECT_EQ(tools_.made.size(), 3u);
  const json::value request = json::parse(requests_[0].json);
  ASSERT_EQ(request.at("calls").as_array().size(), 1u);
  EXPECT_NE(request.at("calls").at(0).at("why").as_string().find("It carries what fs:read answered"),
            json::string::npos);
  EXPECT_EQ(audit("call.asked")[0].at("rule").as_string(), "flows");
  ASSERT_TRUE(answer(requests_[0].id, true));
  EXPECT_EQ(result_of(run).at("result").as_int64(), 1);
  EXPECT_EQ(tools_.made.size(), 4u);
}

TEST_F(GatewayTest, ATokenIsTheValueThatItStandsFor) {
  permit({{"*"}, {}, {}});
  options_.privacy = std::move(PrivacyGuard::make({}, {{"fs", "gh", "deny"}}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter()->text("bob@example.com");
  const auto run = execute(
      "await mcp.fs.read({mail: 'bob@example.com'});"
      "try { await mcp.gh.post({text: 'to <EMAIL_1>'}) } catch (error) { return error.name }");
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, PrivateValuesStopAtTheBoundary) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.enforce = "boundary";
  privacy.restore = {"fs:read"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  const auto run = execute(
      "const {mail} = await mcp.fs.read({mail: 'bob@example.com'});"
      "await mcp.gh.post({text: 'somebody wrote'});"
      "try { await mcp.gh.post({text: mail.split('').join(' ')}) } catch (error) { return error.message }");
  const auto message = result_of(run).at("result").as_string();
  EXPECT_NE(message.find("denied by the rule \"privacy.enforce\": it would carry a private value"), json::string::npos)
      << message;
  EXPECT_EQ(tools_.made.size(), 2u);
  EXPECT_EQ(audit("call.denied")[0].at("rule").as_string(), "privacy.enforce");
}

TEST_F(GatewayTest, TokensAreKnownInTheirConversationAlone) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  ASSERT_EQ(options_.privacy->filter("a")->text("bob@example.com").text, "<EMAIL_1>");
  ASSERT_EQ(options_.privacy->filter("b")->text("eve@example.com").text, "<EMAIL_2>");
  const auto run_in = [&](const std::string& conversation) {
    ExecuteRequest request;
    request.privacy = gateway().privacy_in(conversation);
    const auto outcome = result_of(
        execute("const {to} = await mcp.gh.post({to: '<EMAIL_1>, <EMAIL_2>'}); return to", std::move(request)));
    return std::string(outcome.at("result").as_string());
  };
  EXPECT_EQ(run_in("a"), "bob@example.com, <EMAIL_2>");
  EXPECT_EQ(run_in("b"), "<EMAIL_1>, eve@example.com");
  EXPECT_EQ(run_in(""), "<EMAIL_1>, <EMAIL_2>");
  options_.privacy->end("a");
  EXPECT_EQ(run_in("a"), "<EMAIL_1>, <EMAIL_2>");
}

TEST_F(GatewayTest, ARunThatIsCalledSharesWhatItsCallerKnows) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh:send"};
  options_.privacy =
      std::move(PrivacyGuard::make(privacy, {{"fs", "gh:post", "deny"}}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter("a")->text("bob@example.com");
  ExecuteRequest request;
  request.privacy = gateway().privacy_in("a");
  const auto caller =
      execute("await mcp.fs.read({mail: 'secret-plan-77'}); await mcp.fs.list({}); return 1", std::move(request));
  run_until([&] { return tools_.made.size() == 1; });
  tools_.hold = true;
  run_until([&] { return tools_.held.size() == 1; });
  tools_.hold = false;
  ExecuteRequest called;
  called.parent = caller;
  const auto outcome =
      result_of(execute("const {to} = await mcp.gh.send({to: '<EMAIL_1>'});"
                        "try { await mcp.gh.post({text: 'secret-plan-77'}) }"
                        "catch (error) { return [to, error.name] }",
                        std::move(called)));
  EXPECT_EQ(json::serialize(outcome.at("result")), R"(["bob@example.com","PermissionDenied"])");
  tools_.held.front()();
  EXPECT_EQ(result_of(caller).at("result"), 1);
}

TEST_F(GatewayTest, ADeniedCallIsNotMade) {
  permit({{"*"}, {}, {"fs:write_file"}});
  // An alias is the tool that it refers to.
  const auto run =
      execute("try { await mcp.files.writeFile({}) } catch (error) { return [error.name, String(error.message)] }");
  const auto result = result_of(run);
  EXPECT_EQ(result.at("result").at(0).as_string(), "PermissionDenied");
  EXPECT_TRUE(tools_.made.empty());
  ASSERT_EQ(audit("call.denied").size(), 1u);
  EXPECT_EQ(audit("call.denied")[0].at("tool").as_string(), "fs:write_file");
}

TEST_F(GatewayTest, WhatCannotBeCalledIsNotAskedAbout) {
  const auto run = execute(R"(
    const codes = [];
    for (const tool of ['missing', 'quarantined', 'read']) {
      try { await mcp.fs[tool]({ wrong: 1 }) } catch (error) { codes.push(error.code) }
    }
    return codes)");
  EXPECT_EQ(json::serialize(result_of(run).at("result")),
            R"(["TOOL_NOT_FOUND","TOOL_QUARANTINED","INVALID_ARGUMENTS"])");
  EXPECT_TRUE(requests_.empty());
}

TEST_F(GatewayTest, ARequestWaitsForThePlanOfTheProgram) {
  std::function<void(std::string)> planned;
  options_.plan = [&](const std::string&, Language, auto done) { planned = std::move(done); };
  options_.times.plan_most = std::chrono::hours(1);
  execute("return await mcp.fs.write_file({ path: './out/1', content: 'x' })");
  run_until([&] { return planned != nullptr; });
  turn(3 * options_.times.gather);
  EXPECT_TRUE(requests_.empty());
  planned(R"({"tools":[]})");
  wait_for_requests(1);
  EXPECT_TRUE(json::parse(requests_[0].json).at("plan").is_object());
}

TEST_F(GatewayTest, ARequestDoesNotWaitForAPlanThatNeverComes) {
  options_.plan = [](const std::string&, Language, const auto&) {};
  options_.times.plan_most = std::chrono::milliseconds(30);
  execute("return await mcp.fs.write_file({ path: './out/1', content: 'x' })");
  wait_for_requests(1);
  EXPECT_TRUE(json::parse(requests_[0].json).at("plan").is_null());
}

TEST_F(GatewayTest, CallsOfAPromiseAllGatherIntoOneRequestAndOnlyTheyWait) {
  permit({{"fs:read"}, {}, {}});
  find_together("write_file", 3);
  const auto run = execute(R"(
    const seen = [];
    const writes = [1, 2, 3].map((n) => mcp.fs.write_file({ path: `./out/${n}.txt`, content: 'x' }));
    seen.push(await mcp.fs.read({ n: 9 }));
    return [seen, await Promise.all(writes)])");
  wait_for_requests(1);
  EXPECT_EQ(requests_[0].title, "write_file × 3, all under ./out");
  run_until([&] { return tools_.made.size() == 1; });
  EXPECT_EQ(tools_.made[0].tool, "fs:read");
  EXPECT_EQ(store_->find_run(run).value()->status, RunStatus::kWaiting);
  const auto request = json::parse(requests_[0].json);
  ASSERT_EQ(request.at("calls").as_array().size(), 3u);
  EXPECT_EQ(request.at("calls").at(1).at("arguments").at("path").as_string(), "./out/2.txt");
  EXPECT_EQ(request.at("calls").at(0).at("claimsReadOnly").as_bool(), true);
  EXPECT_EQ(request.at("groups").at(0).at("rule").as_string(), "fs:write_file(only path=./out/**, content=x)");
  EXPECT_NE(request.at("code").as_string().find("Promise.all"), json::string::npos);
  ASSERT_TRUE(answer(requests_[0].id, true).ok());
  EXPECT_EQ(result_of(run).at("result").at(1).as_array().size(), 3u);
  EXPECT_EQ(tools_.made.size(), 4u);
  EXPECT_EQ(audit("approval.answered")[0].at("approver").as_string(), "ann");
  EXPECT_EQ(audit("call.begun").back().at("verdict").as_string(), "approved");
  EXPECT_EQ(audit("call.begun").back().at("approver").as_string(), "ann");
  EXPECT_FALSE(answer(requests_[0].id, false).ok());
}

TEST_F(GatewayTest, SomeCallsOfARequestAreApprovedAndOthersDenied) {
  find_together("post", 3);
  const auto run = execute(R"(
    const settled = await Promise.allSettled([1, 2, 3].map((n) => mcp.gh.post({ n })));
    return settled.map((one) => one.value ? one.value.n : [one.reason.name, one.reason.code, one.reason.message]))");
  wait_for_requests(1);
  const auto calls = json::parse(requests_[0].json).at("calls").as_array();
  const auto id = [&](std::size_t at) { return static_cast<std::uint64_t>(calls[at].at("call").to_number<int>()); };
  ASSERT_TRUE(answer(requests_[0].id, true, store::Scope::kOnce, {id(1)}).ok());
  run_until([&] { return tools_.made.size() == 1; });
  ASSERT_TRUE(answer(requests_[0].id, false, store::Scope::kOnce, {}, "too many").ok());
  const auto result = result_of(run).at("result").as_array();
  EXPECT_EQ(result[1].to_number<int>(), 2);
  EXPECT_EQ(result[0].at(0).as_string(), "ApprovalDenied");
  EXPECT_EQ(result[0].at(1).as_string(), "APPROVAL_DENIED");
  EXPECT_NE(result[2].at(2).as_string().find("too many"), json::string::npos);
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, WhatIsLargeIsSharedOutAndNobodyIsAskedAboutTooMuch) {
  execute(R"(
    const large = 'x'.repeat(900 * 1024);
    await Promise.all(Array.from({ length: 80 }, (_, n) => mcp.gh.post({ n, large }).catch((error) => {
      return mcp.fs.list({ code: error.code });
    }))))");
  std::size_t bytes = 0;
  std::size_t posts = 0;
  std::size_t lists = 0;
  run_until([&] {
    for (; !requests_.empty(); requests_.pop_back()) {
      EXPECT_LT(requests_.back().json.size(), std::size_t{4} << 20);
      const auto request = json::parse(requests_.back().json);
      for (const auto& call : request.at("calls").as_array()) {
        const bool is_post = call.at("tool").as_string() == "post";
        (is_post ? posts : lists) += 1;
        if (is_post) bytes += 900 * 1024;
        if (is_post) continue;
        EXPECT_EQ(call.at("arguments").at("code").as_string(), "APPROVAL_LIMIT");
      }
    }
    return posts + lists == 80;
  });
  EXPECT_LE(bytes, std::size_t{64} << 20);
  EXPECT_GT(bytes, std::size_t{60} << 20);
}

// A server says how long a description is, and each call of the tool repeats it.
TEST_F(GatewayTest, LongDescriptionsAreSharedOut) {
  tools_.description = std::string(1'000'000, 'd');
  execute("await Promise.all(Array.from({ length: 12 }, (_, n) => mcp.gh.post({ n })))");
  std::size_t calls = 0;
  run_until([&] {
    for (; !requests_.empty(); requests_.pop_back()) {
      EXPECT_LT(requests_.back().json.size(), std::size_t{5} << 20);
      calls += json::parse(requests_.back().json).at("calls").as_array().size();
    }
    return calls == 12;
  });
}

TEST_F(GatewayTest, AnUncaughtNoEndsTheRun) {
  const auto run = execute("return await mcp.gh.post({})");
  wait_for_requests(1);
  ASSERT_TRUE(answer(requests_[0].id, false).ok());
  EXPECT_EQ(result_of(run).at("error").at("code").as_string(), "APPROVAL_DENIED");
  EXPECT_EQ(ends_[run].status, RunStatus::kFailed);
}

TEST_F(GatewayTest, AYesForTheRunHoldsForThatRun) {
  const char* code = "for (const n of [1, 2, 3]) await mcp.fs.write_file({ path: `./out/${n}` }); return 'done'";
  const auto first = execute(code);
  wait_for_requests(1);
  ASSERT_TRUE(answer(requests_[0].id, true, store::Scope::kRun).ok());
  EXPECT_EQ(result_of(first).at("result").as_string(), "done");
  EXPECT_EQ(requests_.size(), 1u);
  execute(code);
  wait_for_requests(2);
}

TEST_F(GatewayTest, AYesForTheSessionHoldsForItsRunsAndNotBeyondItsFolder) {
  const auto first = execute("return await mcp.fs.write_file({ path: './out/a' })");
  const auto second = execute("return await mcp.fs.write_file({ path: './out/b' })");
  const auto outside = execute("return await mcp.fs.write_file({ path: './out/../c' })");
  session_ = "s2";
  const auto stranger = execute("return await mcp.fs.write_file({ path: './out/d' })");
  wait_for_requests(4);
  for (const ApprovalRequest& request : requests_) {
    if (request.run == first) {
      ASSERT_TRUE(answer(request.id, true, store::Scope::kSession).ok());
    }
  }
  result_of(first);
  result_of(second);
  turn(std::chrono::milliseconds(200));
  EXPECT_FALSE(ends_.contains(outside));
  EXPECT_FALSE(ends_.contains(stranger));
  EXPECT_EQ(store_->approvals("", true).value().size(), 2u);
}

TEST_F(GatewayTest, AlwaysIsWrittenToTheConfig) {
  std::vector<std::string> written;
  options_.remember_rule = [&](const std::string& rule) -> Result<void> {
    written.push_back(rule);
    return {};
  };
  permit({{}, {"fs"}, {"fs:delete"}});
  const auto run = execute("await mcp.fs.list({}); return await mcp.fs.list({})");
  wait_for_requests(1);
  ASSERT_TRUE(answer(requests_[0].id, true, store::Scope::kAlways).ok());
  result_of(run);
  EXPECT_EQ(written, std::vector<std::string>{"fs:list(only)"});
  EXPECT_TRUE(store_->rules_to_write().value().empty());
  EXPECT_EQ(audit("rule.remembered").size(), 1u);
}

TEST_F(GatewayTest, ADenialInTheConfigStandsAboveWhatWasApproved) {
  const auto run = execute("try { return await mcp.fs.list({}) } catch (error) { return error.name }");
  wait_for_requests(1);
  options_.rules = std::move(policy::ToolRules::parse({{}, {}, {"fs"}}, root_)).value();
  ASSERT_TRUE(gateway().set_policy(options_).ok());
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_TRUE(tools_.made.empty());
}

TEST_F(GatewayTest, ADefinitionThatChangedMeanwhileIsAskedAboutAgain) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_requests(1);
  tools_.hash = "sha256-2";
  ASSERT_TRUE(answer(requests_[0].id, true).ok());
  wait_for_requests(2);
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_EQ(json::parse(requests_[1].json).at("calls").at(0).at("definition").as_string(), "sha256-2");
  ASSERT_TRUE(answer(requests_[1].id, true).ok());
  result_of(run);
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, AnAnswerOfAnotherProcessIsFoundInTheStore) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_requests(1);
  auto other = std::move(store::Store::open(state_, store::RowKey{})).value();
  const auto receipt =
      give_answer(*other, {requests_[0].id, {}, true, store::Scope::kOnce, "", {}, "bob", "cli"}, root_, 1);
  ASSERT_TRUE(receipt.ok());
  EXPECT_EQ(receipt.value().owner, gateway().owner());
  result_of(run);
  EXPECT_EQ(audit("approval.answered")[0].at("approver").as_string(), "bob");
}

TEST_F(GatewayTest, APokeIsQuickerThanAPoll) {
  options_.times.poll = std::chrono::hours(1);
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_requests(1);
  auto other = std::move(store::Store::open(state_, store::RowKey{})).value();
  ASSERT_TRUE(
      give_answer(*other, {requests_[0].id, {}, true, store::Scope::kOnce, "", {}, "bob", "cli"}, root_, 1).ok());
  poke(state_, gateway().owner());
  result_of(run);
}

// A person takes longer than the run may; it has seconds for what takes milliseconds.
TEST_F(GatewayTest, NoClockRunsWhileAPersonThinks) {
  RunEvents events;
  events.on_waiting = [this](const ApprovalRequest& approval) { requests_.push_back(approval); };
  events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
  ExecuteRequest request;
  request.code = "return await mcp.fs.list({})";
  request.config.timeout = std::chrono::milliseconds(4'000);
  request.config.rpc_timeout = std::chrono::milliseconds(3'000);
  const auto run = gateway().execute(request, events).value();
  run_until([&] { return !requests_.empty() || ends_.contains(run); });
  ASSERT_FALSE(requests_.empty()) << ends_[run].outcome_json;
  turn(std::chrono::milliseconds(5'000));
  EXPECT_TRUE(answer(requests_[0].id, true).ok());
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kFinished) << ends_[run].outcome_json;
}

TEST_F(GatewayTest, LimitsOfACallsNumberAndTime) {
  permit({{"*"}, {}, {}});
  options_.rate_limits = {{"fs:read", {.per_minute = 2}}, {"gh", {.concurrent = 2}}};
  // Long enough for all five to be under way at once, if they could.
  tools_.pause = std::chrono::milliseconds(50);
  const auto run = execute(R"(
    const codes = [];
    for (let n = 0; n < 4; n++) { try { await mcp.fs.read({ n }); codes.push('ok') } catch (e) { codes.push(e.code) } }
    await Promise.all([1, 2, 3, 4, 5].map((n) => mcp.gh.get({ n })));
    return codes)");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"(["ok","ok","RATE_LIMITED","RATE_LIMITED"])");
  EXPECT_EQ(tools_.made.size(), 7u);
  EXPECT_LE(tools_.most_at_once, 2);
}

TEST_F(GatewayTest, ARunHasABudgetOfCalls) {
  permit({{"*"}, {}, {}});
  options_.calls_per_run = 3;
  options_.concurrent_per_run = 1;
  const auto run = execute(
      "const done = await Promise.allSettled([1,2,3,4,5].map((n) => mcp.gh.get({ n }))); "
      "return done.filter((one) => one.value).length");
  EXPECT_EQ(result_of(run).at("result").to_number<int>(), 3);
  EXPECT_EQ(tools_.made.size(), 3u);
  EXPECT_EQ(tools_.most_at_once, 1);
}

TEST_F(GatewayTest, ACallThatHasWaitedForRoomIsJudgedAgain) {
  permit({{"*"}, {}, {}});
  options_.concurrent_per_run = 1;
  tools_.hold = true;
  const auto run = execute(
      "const done = await Promise.allSettled([mcp.fs.read({}), mcp.gh.post({})]);"
      "return done.map((one) => one.reason ? one.reason.code : 'made')");
  run_until([&] { return !tools_.held.empty() && audit("call.begun").size() == 1; });
  turn(std::chrono::milliseconds(20));
  options_.rules = std::move(policy::ToolRules::parse({{}, {}, {"*"}}, root_)).value();
  ASSERT_TRUE(gateway().set_policy(options_).ok());
  tools_.held.front()();
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"(["made","PERMISSION_DENIED"])");
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, AYesThatIsTakenBackBeforeTheCallBeginsIsANo) {
  options_.concurrent_per_run = 1;
  tools_.hold = true;
  permit({{"fs:read"}, {}, {}});
  const auto run = execute(R"(
    const read = mcp.fs.read({ n: 1 });
    const post = mcp.fs.post({ n: 2 }).catch((error) => error.code + ' ' + error.message);
    return [await read, await post])");
  wait_for_requests(1);
  run_until([&] { return tools_.held.size() == 1; });
  ASSERT_TRUE(answer(requests_[0].id, true).ok());
  turn(std::chrono::milliseconds(50));  // it is queued behind the held one
  // By another process: this gateway may learn of it only after the call was to begin.
  ASSERT_TRUE(take_back(*store_, {requests_[0].id, "ann", "http"}, 1).ok());
  tools_.held[0]();
  const auto result = result_of(run).at("result").as_array();
  EXPECT_NE(result[1].as_string().find("APPROVAL_DENIED"), json::string::npos) << json::serialize(result);
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(take_back(*store_, {requests_[0].id, "ann", "http"}, 2).failure().code, ErrorCode::kConflict);
}

TEST_F(GatewayTest, OnlyTheToolsThatWereAskedFor) {
  permit({{"*"}, {}, {}});
  ExecuteRequest request;
  request.code = "await mcp.fs.read({}); try { await mcp.gh.get({}) } catch (error) { return error.name }";
  request.tools = {"fs:*"};
  RunEvents events;
  events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
  const auto run = gateway().execute(request, events).value();
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, ACancelledRunTakesItsQuestionsWithIt) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_requests(1);
  EXPECT_TRUE(gateway().cancel_run(run).value());
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kCancelled);
  EXPECT_TRUE(store_->approvals("", true).value().empty());
  EXPECT_FALSE(answer(requests_[0].id, true).ok());
  EXPECT_FALSE(gateway().cancel_run(run).value());
  EXPECT_FALSE(gateway().cancel_run("run_x").value());
  // By another process, through the store.
  const auto other = execute("return await mcp.fs.list({})");
  wait_for_requests(2);
  ASSERT_TRUE(store_->ask_to_cancel(other).value());
  result_of(other);
  EXPECT_EQ(ends_[other].status, RunStatus::kCancelled);
}

TEST_F(GatewayTest, WhatCannotBeWrittenDownDoesNotHappen) {
  permit({{"*"}, {}, {}});
  // The sandbox is up, and creates no more files.
  result_of(execute("return 1"));
  // The log is a file that cannot grow. Nothing is written to it before this thread runs its loop.
  const auto run = execute("return await mcp.fs.read({})");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto size = std::filesystem::file_size(state_ + "/audit.log");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit small{size, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  run_until([&] { return ends_.contains(run); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  const auto outcome = json::parse(ends_[run].outcome_json);
  EXPECT_EQ(outcome.at("error").at("code").as_string(), "AUDIT_UNAVAILABLE") << ends_[run].outcome_json;
  EXPECT_TRUE(tools_.made.empty());
}

// ---- the check before a run

Diagnostic wrong_argument() {
  Diagnostic diagnostic;
  diagnostic.about = Diagnostic::About::kTools;
  diagnostic.code = "TS2561";
  diagnostic.message = "'pth' does not exist. Did you mean to write 'path'?";
  diagnostic.position = {1, 19};
  diagnostic.end = {1, 22};
  diagnostic.source_line = "return mcp.a.b({ pth: 1 })";
  diagnostic.caret = "                 ^^^";
  diagnostic.suggestion = "path";
  return diagnostic;
}

TEST_F(GatewayTest, StopsWrongCodeBeforeAnyCall) {
  options_.check = answers_check({{wrong_argument()}, "", 2});
  const json::value result = result_of(execute("return await mcp.notes.add({ pth: 1 })"));
  const json::value& error = result.at("error");
  EXPECT_EQ(error.at("type"), "TypeError");
  EXPECT_EQ(error.at("code"), "TYPE_CHECK_FAILED");
  EXPECT_EQ(error.at("line"), 1);
  EXPECT_EQ(error.at("column"), 19);
  EXPECT_EQ(error.at("caret"), "                 ^^^");
  EXPECT_EQ(error.at("suggestion"), "path");
  EXPECT_EQ(result.at("diagnostics").as_array().size(), 1u);
  EXPECT_EQ(result.at("diagnostics").at(0).at("severity"), "error");
  EXPECT_EQ(result.at("metrics").at("checkTimeMs"), 2);
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_EQ(audit("run.checked").size(), 1u);
}

TEST_F(GatewayTest, TellsWarningsWithTheResult) {
  Diagnostic own = wrong_argument();
  own.about = Diagnostic::About::kCode;
  options_.check = answers_check({{own}, "", 2});
  const json::value result = result_of(execute("return 7"));
  EXPECT_EQ(result.at("result"), 7);
  EXPECT_EQ(result.at("diagnostics").at(0).at("severity"), "warning");
}

TEST_F(GatewayTest, RunsWhatCouldNotBeChecked) {
  options_.check = answers_check({{}, "the type checker took too long", 3000});
  const json::value result = result_of(execute("return 7"));
  EXPECT_EQ(result.at("result"), 7);
  EXPECT_EQ(result.at("diagnostics").at(0).at("code"), "CHECK_UNAVAILABLE");
}

TEST_F(GatewayTest, CanBeCancelledWhileItIsChecked) {
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("return await mcp.notes.add({})");
  ASSERT_TRUE(gateway().cancel_run(run).value());
  EXPECT_EQ(result_of(run).at("error").at("code"), "CANCELLED");
  answer_check({});
  turn(std::chrono::milliseconds(20));
  EXPECT_TRUE(tools_.made.empty());
}

// The guest runs meanwhile: its output and calls wait for the verdict.
TEST_F(GatewayTest, RunsBesideItsCheckAndTouchesNothing) {
  permit({.allow = {"fs"}});
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("console.log('early'); return await mcp.fs.read({})");
  turn(std::chrono::milliseconds(200));
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_TRUE(logs_.empty());
  EXPECT_FALSE(ends_.contains(run));
  answer_check({});
  EXPECT_TRUE(result_of(run).as_object().contains("result"));
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(logs_, std::vector<std::string>{"early"});
}

// A held guest takes up a slot that others may need: it is given back, and the code runs after the verdict.
TEST_F(GatewayTest, BeginsAnewWhereTheCheckTakesLong) {
  permit({.allow = {"fs"}});
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("console.log('early'); return await mcp.fs.read({})");
  turn(std::chrono::milliseconds(800));
  EXPECT_TRUE(logs_.empty());
  EXPECT_FALSE(ends_.contains(run));
  EXPECT_EQ(runner_.runs, 1);
  answer_check({});
  EXPECT_TRUE(result_of(run).as_object().contains("result"));
  EXPECT_EQ(runner_.runs, 2) << "the first was given back";
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(logs_, std::vector<std::string>{"early"});
}

TEST_F(GatewayTest, ForgetsWhatAGuestDidWhoseCodeIsRefused) {
  permit({.allow = {"fs"}});
  for (const char* code : {"console.log('early'); return await mcp.fs.read({})", "console.log('early'); return 7",
                           "console.log('early'); throw new Error('mine')", "while (true) {}"}) {
    std::function<void(CodeReport)> answer_check;
    options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
    gateway_.reset();
    const std::string run = execute(code);
    turn(std::chrono::milliseconds(100));
    answer_check({{wrong_argument()}, "", 2});
    const json::value result = result_of(run);
    turn(std::chrono::milliseconds(50));
    EXPECT_EQ(result.at("error").at("code"), "TYPE_CHECK_FAILED") << code;
    EXPECT_EQ(result.at("metrics").at("executionTimeMs"), 0) << code;
    EXPECT_TRUE(result.at("logs").as_array().empty()) << code;
    EXPECT_TRUE(tools_.made.empty()) << code;
    EXPECT_TRUE(logs_.empty()) << code;
    EXPECT_TRUE(audit("call.begun").empty());
    const std::string spans = store_->find_trace(run).value().value_or("");
    EXPECT_EQ(spans.find("execution"), std::string::npos) << spans;
  }
}

// Code that attacks its guest is recorded even if it would be refused anyway.
TEST_F(GatewayTest, NotesHowAGuestBrokeWhoseCodeIsRefused) {
  for (const FailureCode how :
       {FailureCode("FORBIDDEN_SYSTEM_CALL"), FailureCode("GUEST_CRASHED"), FailureCode("RUNTIME_ERROR")}) {
    std::function<void(CodeReport)> answer_check;
    options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
    gateway_.reset();
    options_.times.hold_most = std::chrono::minutes(1);
    runner_.breaks = RunError{.code = how, .message = "it broke"};
    const std::string run = execute("return 1");
    run_until([&] { return runner_.ended == runner_.runs; });
    turn(std::chrono::milliseconds(1));
    answer_check({{wrong_argument()}, "", 2});
    EXPECT_EQ(result_of(run).at("error").at("code"), "TYPE_CHECK_FAILED") << how.name();
    const auto stopped = audit("run.stopped");
    if (how == "RUNTIME_ERROR") {
      EXPECT_EQ(stopped.size(), 2u) << "a program's own mistake is none";
      continue;
    }
    ASSERT_FALSE(stopped.empty()) << how.name();
    EXPECT_EQ(stopped.back().at("code").as_string(), how.text());
    EXPECT_EQ(stopped.back().at("run").as_string(), run);
  }
}

TEST_F(GatewayTest, EndsByItsLimitOnlyAfterTheVerdict) {
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  ExecuteRequest request;
  request.config.cpu = std::chrono::milliseconds(50);
  const std::string run = execute("while (true) {}", request);
  turn(std::chrono::milliseconds(300));
  EXPECT_FALSE(ends_.contains(run));
  answer_check({});
  EXPECT_EQ(result_of(run).at("error").at("code"), "CPU_LIMIT");
}

// It would not be checked again, so it is not resumed.
TEST_F(GatewayTest, KeepsNoRunWhoseCodeIsNotChecked) {
  options_.check = [](const CodeToCheck&, auto) {};
  const std::string run = execute("return await mcp.fs.read({})");
  turn(std::chrono::milliseconds(20));
  gateway().drain();
  gateway().park();
  EXPECT_EQ(result_of(run).at("error").at("code"), "NOT_BEGUN");
}

// An orderly shutdown: a run that is under way is left to another gateway, and is not reported as failed.
TEST_F(GatewayTest, ParksWhatIsUnderWayAndBeginsNothingNew) {
  permit({.allow = {"fs"}});
  tools_.hold = true;
  const std::string run = execute("await mcp.fs.read({}); try { await mcp.fs.write({}) } catch (e) { return e.code }");
  run_until([&] { return tools_.made.size() == 1; });
  EXPECT_FALSE(gateway().is_at_rest());
  tools_.held.front()();
  run_until([&] { return tools_.made.size() == 2; });
  gateway().drain();
  EXPECT_FALSE(gateway().is_at_rest());
  ExecuteRequest late;
  late.code = "return 1";
  EXPECT_EQ(gateway().execute(late, {}).failure().code, ErrorCode::kSandboxUnavailable);
  gateway().park();
  gateway().close();
  EXPECT_EQ(store_->find_run(run).value()->status, RunStatus::kRunning);
  gateway_.reset();
  tools_.held.clear();  // they hold their answers, and with them the lock of the gateway

  options_.adopts_runs = true;
  gateway();
  run_until([&] { return store_->find_run(run).value()->status == RunStatus::kFinished; });
  EXPECT_EQ(json::parse(store_->find_run(run).value()->outcome).at("result"), "OUTCOME_UNKNOWN");
  EXPECT_EQ(tools_.made.size(), 2u) << "neither call was made again";
}

TEST_F(GatewayTest, EndsRunsThatAreBeingCheckedWhenItCloses) {
  options_.check = [](const CodeToCheck&, auto) {};
  const std::string run = execute("return 1");
  gateway().close();
  EXPECT_EQ(result_of(run).at("error").at("code"), "NOT_BEGUN");
}

}  // namespace
}  // namespace glovebox::gateway
