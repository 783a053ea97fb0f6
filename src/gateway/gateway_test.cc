#include "gateway/gateway.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using store::RunStatus;

// Tools that a test answers itself.
class FakeTools final : public ToolSource {
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
    found.annotations = R"({"readOnlyHint":true})";
    if (tool == "quarantined") found.state = catalog::Tool::State::kQuarantined;
    boost::asio::post(io_, [found = std::move(found), done = std::move(done)] {
      if (found.name == "missing") {
        done(catalog::CallFailure{"TOOL_NOT_FOUND", "there is no such tool"});
      } else {
        done(found);
      }
    });
  }

  std::function<void()> call(const catalog::Tool& tool, std::string arguments, catalog::CallOptions,
                             Called done) override {
    made.push_back({tool.server + ":" + tool.name, arguments});
    most_at_once = std::max(most_at_once, ++at_once);
    auto end = [this, done = std::move(done), arguments] {
      --at_once;
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
    options_.workspace = root_;
    options_.times.gather = std::chrono::milliseconds(20);
    options_.times.look = std::chrono::milliseconds(20);
    options_.times.park_after = std::chrono::hours(1);
    store_ = std::move(store::Store::open(state_)).value();
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

  std::string execute(const std::string& code) {
    ExecuteRequest request;
    request.code = code;
    request.client = "test";
    request.session = session_;
    RunEvents events;
    events.on_waiting = [this](const ApprovalCard& card) { cards_.push_back(card); };
    events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
    events.on_progress = [this](std::string_view message) { progress_.emplace_back(message); };
    auto id = gateway().execute(std::move(request), std::move(events));
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    return id ? id.value() : "";
  }
  json::value result_of(const std::string& run) {
    run_until([&] { return ends_.contains(run); });
    return json::parse(ends_[run].outcome_json);
  }
  void wait_for_cards(std::size_t count) {
    run_until([&] { return cards_.size() >= count; });
  }
  Result<AnswerReceipt> answer(const std::string& approval, bool approved, store::Scope scope = store::Scope::kOnce,
                               std::vector<std::uint64_t> calls = {}, std::string reason = "") {
    return gateway().answer({approval, std::move(calls), approved, scope, std::move(reason), {}, "ann", "test"});
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
  // A loop without work would return at once.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::unique_ptr<store::Store> store_;
  FakeTools tools_{io_};
  Sandbox sandbox_;
  SandboxRunner runner_{sandbox_};
  GatewayOptions options_;
  std::shared_ptr<Gateway> gateway_;
  std::vector<ApprovalCard> cards_;
  std::vector<std::string> progress_;
  std::map<std::string, RunEnd> ends_;
};

TEST_F(GatewayTest, AnAllowedCallIsMadeAndWrittenDown) {
  permit({{"fs:read"}, {}, {}});
  const auto run = execute("return await mcp.fs.read({path: './a', token: 'hunter2'})");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"({"path":"./a","token":"hunter2"})");
  EXPECT_EQ(ends_[run].status, RunStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(tools_.made[0].tool, "fs:read");
  EXPECT_TRUE(cards_.empty());
  ASSERT_EQ(audit("run.started").size(), 1u);
  EXPECT_NE(audit("run.started")[0].at("code").as_string().find("mcp.fs.read"), json::string::npos);
  ASSERT_EQ(audit("call.begun").size(), 1u);
  EXPECT_EQ(audit("call.begun")[0].at("rule").as_string(), "fs:read");
  EXPECT_EQ(json::serialize(audit("call.begun")[0].at("arguments")), R"({"path":"./a","token":"[redacted]"})");
  EXPECT_EQ(audit("call.ended")[0].at("outcome").as_string(), "ok");
  EXPECT_EQ(audit("run.ended")[0].at("status").as_string(), "finished");
  EXPECT_TRUE(verify_audit(state_ + "/audit.log").value().intact);
  EXPECT_EQ(store_->find_run(run).value()->status, RunStatus::kFinished);
}

TEST_F(GatewayTest, ADeniedCallIsNotMade) {
  permit({{"*"}, {}, {"fs:write_file"}});
  // An alias is the tool that it stands for.
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
    for (const tool of ['missing', 'quarantined']) {
      try { await mcp.fs[tool]({}) } catch (error) { codes.push(error.code) }
    }
    return codes)");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"(["TOOL_NOT_FOUND","TOOL_QUARANTINED"])");
  EXPECT_TRUE(cards_.empty());
}

TEST_F(GatewayTest, CallsOfAPromiseAllGatherIntoOneCardAndOnlyTheyWait) {
  permit({{"fs:read"}, {}, {}});
  const auto run = execute(R"(
    const seen = [];
    const writes = [1, 2, 3].map((n) => mcp.fs.write_file({ path: `./out/${n}.txt`, content: 'x' }));
    seen.push(await mcp.fs.read({ n: 9 }));
    return [seen, await Promise.all(writes)])");
  wait_for_cards(1);
  EXPECT_EQ(cards_[0].title, "write_file × 3, all under ./out");
  run_until([&] { return tools_.made.size() == 1; });
  EXPECT_EQ(tools_.made[0].tool, "fs:read");
  EXPECT_EQ(store_->find_run(run).value()->status, RunStatus::kWaiting);
  const auto card = json::parse(cards_[0].json);
  ASSERT_EQ(card.at("calls").as_array().size(), 3u);
  EXPECT_EQ(card.at("calls").at(1).at("arguments").at("path").as_string(), "./out/2.txt");
  EXPECT_EQ(card.at("calls").at(0).at("claimsReadOnly").as_bool(), true);
  EXPECT_EQ(card.at("groups").at(0).at("rule").as_string(), "fs:write_file(path=./out/**)");
  EXPECT_NE(card.at("code").as_string().find("Promise.all"), json::string::npos);
  ASSERT_TRUE(answer(cards_[0].id, true).ok());
  EXPECT_EQ(result_of(run).at("result").at(1).as_array().size(), 3u);
  EXPECT_EQ(tools_.made.size(), 4u);
  EXPECT_EQ(audit("approval.answered")[0].at("approver").as_string(), "ann");
  EXPECT_EQ(audit("call.begun").back().at("verdict").as_string(), "approved");
  EXPECT_EQ(audit("call.begun").back().at("approver").as_string(), "ann");
  EXPECT_FALSE(answer(cards_[0].id, false).ok());
}

TEST_F(GatewayTest, SomeCallsOfACardAreApprovedAndOthersDenied) {
  const auto run = execute(R"(
    const settled = await Promise.allSettled([1, 2, 3].map((n) => mcp.gh.post({ n })));
    return settled.map((one) => one.value ? one.value.n : [one.reason.name, one.reason.code, one.reason.message]))");
  wait_for_cards(1);
  const auto calls = json::parse(cards_[0].json).at("calls").as_array();
  const auto id = [&](std::size_t at) { return static_cast<std::uint64_t>(calls[at].at("call").to_number<int>()); };
  ASSERT_TRUE(answer(cards_[0].id, true, store::Scope::kOnce, {id(1)}).ok());
  run_until([&] { return tools_.made.size() == 1; });
  ASSERT_TRUE(answer(cards_[0].id, false, store::Scope::kOnce, {}, "too many").ok());
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
    for (; !cards_.empty(); cards_.pop_back()) {
      EXPECT_LT(cards_.back().json.size(), std::size_t{4} << 20);
      const auto card = json::parse(cards_.back().json);
      for (const auto& call : card.at("calls").as_array()) {
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

TEST_F(GatewayTest, AnUncaughtNoEndsTheRun) {
  const auto run = execute("return await mcp.gh.post({})");
  wait_for_cards(1);
  ASSERT_TRUE(answer(cards_[0].id, false).ok());
  EXPECT_EQ(result_of(run).at("error").at("code").as_string(), "APPROVAL_DENIED");
  EXPECT_EQ(ends_[run].status, RunStatus::kFailed);
}

TEST_F(GatewayTest, AYesForTheRunHoldsForThatRun) {
  const char* code = "for (const n of [1, 2, 3]) await mcp.fs.write_file({ path: `./out/${n}` }); return 'done'";
  const auto first = execute(code);
  wait_for_cards(1);
  ASSERT_TRUE(answer(cards_[0].id, true, store::Scope::kRun).ok());
  EXPECT_EQ(result_of(first).at("result").as_string(), "done");
  EXPECT_EQ(cards_.size(), 1u);
  execute(code);
  wait_for_cards(2);
}

TEST_F(GatewayTest, AYesForTheSessionHoldsForItsRunsAndNotBeyondItsFolder) {
  const auto first = execute("return await mcp.fs.write_file({ path: './out/a' })");
  const auto second = execute("return await mcp.fs.write_file({ path: './out/b' })");
  const auto outside = execute("return await mcp.fs.write_file({ path: './out/../c' })");
  session_ = "s2";
  const auto stranger = execute("return await mcp.fs.write_file({ path: './out/d' })");
  wait_for_cards(4);
  for (const ApprovalCard& card : cards_) {
    if (card.run == first) {
      ASSERT_TRUE(answer(card.id, true, store::Scope::kSession).ok());
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
  const auto run = execute("await mcp.fs.list({}); return await mcp.fs.list({ again: 1 })");
  wait_for_cards(1);
  ASSERT_TRUE(answer(cards_[0].id, true, store::Scope::kAlways).ok());
  result_of(run);
  EXPECT_EQ(written, std::vector<std::string>{"fs:list"});
  EXPECT_TRUE(store_->rules_to_write().value().empty());
  EXPECT_EQ(audit("rule.remembered").size(), 1u);
}

TEST_F(GatewayTest, ADenialInTheConfigStandsAboveWhatWasApproved) {
  const auto run = execute("try { return await mcp.fs.list({}) } catch (error) { return error.name }");
  wait_for_cards(1);
  gateway().set_rules(std::move(policy::ToolRules::parse({{}, {}, {"fs"}}, root_)).value());
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_TRUE(tools_.made.empty());
}

TEST_F(GatewayTest, ADefinitionThatChangedMeanwhileIsAskedAboutAgain) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_cards(1);
  tools_.hash = "sha256-2";
  ASSERT_TRUE(answer(cards_[0].id, true).ok());
  wait_for_cards(2);
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_EQ(json::parse(cards_[1].json).at("calls").at(0).at("definition").as_string(), "sha256-2");
  ASSERT_TRUE(answer(cards_[1].id, true).ok());
  result_of(run);
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, AnAnswerOfAnotherProcessIsFoundInTheStore) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_cards(1);
  auto other = std::move(store::Store::open(state_)).value();
  const auto receipt =
      give_answer(*other, {cards_[0].id, {}, true, store::Scope::kOnce, "", {}, "bob", "cli"}, root_, 1);
  ASSERT_TRUE(receipt.ok());
  EXPECT_EQ(receipt.value().owner, gateway().owner());
  result_of(run);
  EXPECT_EQ(audit("approval.answered")[0].at("approver").as_string(), "bob");
}

TEST_F(GatewayTest, APokeIsQuickerThanALook) {
  options_.times.look = std::chrono::hours(1);
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_cards(1);
  auto other = std::move(store::Store::open(state_)).value();
  ASSERT_TRUE(give_answer(*other, {cards_[0].id, {}, true, store::Scope::kOnce, "", {}, "bob", "cli"}, root_, 1).ok());
  poke(state_, gateway().owner());
  result_of(run);
}

TEST_F(GatewayTest, NoClockRunsWhileAPersonThinks) {
  ExecuteRequest request;
  request.code = "return await mcp.fs.list({})";
  request.config.timeout = std::chrono::milliseconds(400);
  request.config.rpc_timeout = std::chrono::milliseconds(200);
  RunEvents events;
  events.on_waiting = [this](const ApprovalCard& card) { cards_.push_back(card); };
  events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
  const auto run = gateway().execute(request, events).value();
  wait_for_cards(1);
  turn(std::chrono::milliseconds(900));
  ASSERT_TRUE(answer(cards_[0].id, true).ok());
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kFinished) << ends_[run].outcome_json;
}

TEST_F(GatewayTest, LimitsOfACallsNumberAndTime) {
  permit({{"*"}, {}, {}});
  options_.limits = {{"fs:read", {.per_minute = 2}}, {"gh", {.concurrent = 2}}};
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
  wait_for_cards(1);
  EXPECT_TRUE(gateway().cancel_run(run).value());
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kCancelled);
  EXPECT_TRUE(store_->approvals("", true).value().empty());
  EXPECT_FALSE(answer(cards_[0].id, true).ok());
  EXPECT_FALSE(gateway().cancel_run(run).value());
  EXPECT_FALSE(gateway().cancel_run("run_x").value());
  // By another process, through the store.
  const auto other = execute("return await mcp.fs.list({})");
  wait_for_cards(2);
  ASSERT_TRUE(store_->ask_to_cancel(other).value());
  result_of(other);
  EXPECT_EQ(ends_[other].status, RunStatus::kCancelled);
}

TEST_F(GatewayTest, WhatCannotBeWrittenDownDoesNotHappen) {
  permit({{"*"}, {}, {}});
  gateway();
  // The log is a file that cannot grow.
  const auto run = execute("await new Promise((go) => setTimeout(go, 50)); return await mcp.fs.read({})");
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

}  // namespace
}  // namespace glovebox::gateway
