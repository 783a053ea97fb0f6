// Runs that wait for a person give up their process, and come back to where they were.
#include <fcntl.h>
#include <sys/stat.h>

#include "base/proving.h"
#include "base/unique_fd.h"
#include "gateway/runs/replay_fixture.h"

namespace glovebox::gateway {
namespace {

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

// The same with work that is not a timer: it may continue for longer, but not forever.
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
  // It can be opened once the command reads from it.
  base::UniqueFd to_command;
  here->run_until([&] {
    to_command.reset(::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    return to_command.valid();
  });
  here->io.run_for(options_.times.park_after * 5);
  ASSERT_EQ(here->gateway->live_runs(), 1u);
  ASSERT_EQ(::write(to_command.get(), "said", 4), 4);
  to_command.reset();
  here->run_until([&] { return here->gateway->live_runs() == 0; });
  here->approve_everything();
  EXPECT_EQ(json::serialize(here->result_of(run).at("result")), R"([1,"said"])");
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
