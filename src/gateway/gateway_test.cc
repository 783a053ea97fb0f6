#include "gateway/gateway.h"

#include <signal.h>
#include <sys/resource.h>

#include "gateway/audit_check/audit_check.h"
#include "gateway/gateway_fixture.h"

namespace glovebox::gateway {
namespace {

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

// A question that stays open stops the time limits of every call to its server.
TEST_F(GatewayTest, AServersQuestionEndsWithItsCall) {
  permit({.allow = {"fs"}});
  tools_.hold = true;
  const auto run = execute("return await mcp.fs.read({})");
  run_until([&] { return !tools_.held.empty(); });
  std::string said;
  tools_.ask("elicitation/create", R"({"message":"m"})",
             [&](Result<std::string> answer) { said = answer ? *answer : answer.failure().message; });
  ASSERT_EQ(questions_.size(), 1u);
  EXPECT_EQ(said, "");
  tools_.held.front()();
  result_of(run);
  EXPECT_EQ(said, "the call has ended");
  questions_.front()(std::string("{}"));
  EXPECT_EQ(said, "the call has ended") << "this answer is too late";
}

// Results are most of what runs leave in the store, and pruning would otherwise come minutes later.
TEST_F(GatewayTest, LargeResultsArePrunedSoon) {
  options_.keep_runs = 1;
  int polls = 0;
  options_.on_poll = [&] { ++polls; };
  gateway();
  run_until([&] { return polls > 5; });  // the first of them prunes
  for (int i = 0; i < 5; ++i) result_of(execute("return 'x'.repeat(15e6)"));
  polls = 0;
  run_until([&] { return polls > 300 || store_->list_runs(std::nullopt, 10).value().size() == 1; });
  EXPECT_LE(polls, 300);
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

}  // namespace
}  // namespace glovebox::gateway
