// Runs that outlive their guest, and their gateway.
#include <sys/stat.h>

#include "base/proving.h"
#include "gateway/audit_check/audit_check.h"
#include "gateway/runs/replay_fixture.h"
#include "store/database/sqlite.h"

namespace glovebox::gateway {
namespace {

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
  EXPECT_FALSE(here->follow("run_none", events).value());
  EXPECT_TRUE(here->follow(run, events).value());
  here->run_until([&] { return end.has_value(); });
  EXPECT_EQ(end->status, RunStatus::kFinished);
  EXPECT_EQ(here->tools.lines().size(), 2u);
  // For a run that has ended, the end is reported.
  end.reset();
  EXPECT_TRUE(here->follow(run, events).value());
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
    // The call did not wait for the record of its run.
    ASSERT_TRUE(doomed.store->wait_for_posted().ok());
  });
  auto here = process();
  const auto run = here->store->list_runs(std::nullopt, 10).value()[0].id;
  EXPECT_EQ(here->result_of(run).at("error").at("code").as_string(), "GATEWAY_DIED");
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

// It was taken, and then the database went away.
TEST_F(ReplayTest, ARunOfItsOwnThatNobodyDrivesIsTakenForWhoListens) {
  auto here = process();
  store::RunRecord left;
  left.id = "run_left";
  left.owner = here->gateway->owner();
  left.config = to_json(RunSettings());
  ASSERT_TRUE(here->store->add_run(left).ok());
  std::vector<std::string> ends;
  RunEvents events;
  events.on_end = [&](const RunEnd& end) { ends.push_back(end.outcome_json); };
  // Two at once take it once.
  for (int i = 0; i < 2; ++i) {
    here->gateway->follow(left.id, "", events, [](const Result<bool>& found) { EXPECT_TRUE(found && *found); });
  }
  here->run_until([&] { return ends.size() == 2; });
  for (const std::string& end : ends) EXPECT_NE(end.find("GATEWAY_DIED"), std::string::npos) << end;
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

TEST_F(ReplayTest, AnotherLivingGatewayLeavesItAlone) {
  auto one = process();
  const auto run = one->execute("return await mcp.gh.post({ n: 2 })");
  one->run_until([&] { return one->requests.size() == 1; });
  auto two = process();
  // Its sandbox is up: while it starts, a forked process that has yet to exec holds all our locks.
  two->result_of(two->execute("return 1"));
  EXPECT_EQ(two->store->find_run(run).value()->owner, one->gateway->owner());
  const auto listener = two->continue_run(run, {.approved = true, .approval = one->requests[0].id});
  ASSERT_FALSE(listener.ok());
  EXPECT_EQ(listener.failure().code, ErrorCode::kConflict);
  EXPECT_EQ(two->continue_run(run, {}).failure().code, ErrorCode::kConflict);
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
  ASSERT_TRUE(two->continue_run(next, {.approved = true, .approval = request}, events).ok());
  two->run_until([&] { return ended; });
}

TEST_F(ReplayTest, ContinueOfARunThatHasEndedTellsItsEnd) {
  auto here = process();
  const auto run = here->execute("return 7");
  here->result_of(run);
  std::string outcome;
  RunEvents events;
  events.on_end = [&](const RunEnd& end) { outcome = end.outcome_json; };
  ASSERT_TRUE(here->continue_run(run, {.approved = true}, events).ok());
  EXPECT_EQ(json::parse(outcome).at("result").to_number<int>(), 7);
  EXPECT_EQ(here->continue_run("run_none", {}).failure().code, ErrorCode::kNotFound);
}

// An approval request is approved by its id: neither later requests nor those of another run are covered.
TEST_F(ReplayTest, AYesIsForOneRequest) {
  auto here = process();
  const auto run = here->execute("return await mcp.gh.post({ n: 1 })");
  here->run_until([&] { return here->requests.size() == 1; });
  const auto other = here->execute("return await mcp.gh.post({ n: 3 })");
  here->run_until([&] { return here->requests.size() == 2; });
  const auto says_yes_to = [&](const std::string& approval) {
    return here->continue_run(run, {.approved = true, .approval = approval});
  };
  EXPECT_EQ(says_yes_to("").failure().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(says_yes_to(here->requests[1].id).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(says_yes_to("ap_none").failure().code, ErrorCode::kConflict);
  EXPECT_TRUE(here->tools.lines().empty());
  EXPECT_TRUE(says_yes_to(here->requests[0].id).ok());
  here->result_of(run);
  EXPECT_EQ(here->tools.lines().size(), 1u);
  // A denial needs no id.
  EXPECT_TRUE(here->continue_run(other, {}).ok());
  here->run_until([&] { return has_ended(here->store->find_run(other).value()->status); });
  EXPECT_EQ(here->tools.lines().size(), 1u);
}

}  // namespace
}  // namespace glovebox::gateway
