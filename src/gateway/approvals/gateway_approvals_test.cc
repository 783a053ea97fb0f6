// What a gateway asks people about, and what their answers do.
#include "gateway/gateway_fixture.h"

namespace glovebox::gateway {
namespace {

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

// Each is formatted for the client: many large ones would keep the gateway's thread busy.
TEST_F(GatewayTest, AClientIsShownSomeOfManyLargeRequests) {
  const auto run = execute("return await mcp.fs.write_file({ path: './out/1', content: 'x' })");
  wait_for_requests(1);
  const std::string large = json::serialize(json::object{{"code", std::string(std::size_t{4} << 20, 'x')}});
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(store_->add_approval({"ap_" + std::to_string(i), run, i, "tool_calls", large, {}, {}}).ok());
  const auto pending = gateway().pending(run);
  ASSERT_TRUE(pending.ok());
  EXPECT_EQ(pending->shown.size(), 2u);
  EXPECT_EQ(pending->more, 3u);
  EXPECT_EQ(gateway().pending_ids(run)->size(), 5u) << "a denial may be for all of them";
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
  wake_gateway(state_, gateway().owner());
  result_of(run);
}

// A person takes longer than the run may; it has seconds for what takes milliseconds.
TEST_F(GatewayTest, NoClockRunsWhileAPersonThinks) {
  RunEvents events;
  events.on_waiting = [this](const ApprovalRequest& approval) { requests_.push_back(approval); };
  events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
  ExecuteRequest request;
  request.code = "return await mcp.fs.list({})";
  request.config.timeout = std::chrono::seconds(10);
  request.config.rpc_timeout = std::chrono::seconds(8);
  const auto run = gateway().execute(request, events).value();
  run_until([&] { return !requests_.empty() || ends_.contains(run); });
  ASSERT_FALSE(requests_.empty()) << ends_[run].outcome_json;
  turn(std::chrono::seconds(11));
  EXPECT_TRUE(answer(requests_[0].id, true).ok());
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kFinished) << ends_[run].outcome_json;
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

TEST_F(GatewayTest, ACancelledRunTakesItsQuestionsWithIt) {
  const auto run = execute("return await mcp.fs.list({})");
  wait_for_requests(1);
  EXPECT_TRUE(cancel(run));
  result_of(run);
  EXPECT_EQ(ends_[run].status, RunStatus::kCancelled);
  EXPECT_TRUE(store_->approvals("", true).value().empty());
  EXPECT_FALSE(answer(requests_[0].id, true).ok());
  EXPECT_FALSE(cancel(run));
  EXPECT_FALSE(cancel("run_x"));
  // By another process, through the store.
  const auto other = execute("return await mcp.fs.list({})");
  wait_for_requests(2);
  ASSERT_TRUE(store_->ask_to_cancel(other).value());
  result_of(other);
  EXPECT_EQ(ends_[other].status, RunStatus::kCancelled);
}

}  // namespace
}  // namespace glovebox::gateway
