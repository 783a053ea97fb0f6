// A store that stands still does not hold up the loop, whatever is asked of workflows meanwhile, and nothing of it is
// done twice.
#include <algorithm>

#include "store/standing_still.h"
#include "workflow/plan_fixture.h"

namespace glovebox::workflow {
namespace {

class EngineStandstillTest : public EngineTest {
 protected:
  // One that waits for the agent after its first task.
  std::string start_and_wait() {
    const auto id =
        start(workflow({tool("a", "fs:list"), tool("b", "fs:write", after(R"(["a"])") + R"(,"arguments":{"n":1})")},
                       R"(,"decisions":"agent")"));
    wait_for_status(id, WorkflowStatus::kWaiting);
    return id;
  }
  void wait_until_over(const std::string& id) {
    EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
    run_until([&] { return !engine().drives(id); });
  }
  // The gateway ends, and the next one drives only what it is asked to.
  void restart() {
    close();
    engine_options_.take_all = false;
    engine();
  }
  // Until what has been posted to the loop by now is done.
  void go_on() {
    bool has_gone_on = false;
    boost::asio::post(io_, [&] { has_gone_on = true; });
    run_until([&] { return has_gone_on; });
  }
  void add_command(const std::string& id, const std::string& type, const std::string& payload) {
    store::WorkflowCommand command;
    command.workflow = id;
    command.type = type;
    command.payload = payload;
    command.channel = "mcp";
    last_command_ = store_->add_command(command).value();
  }

  std::int64_t last_command_ = 0;
};

TEST_F(EngineStandstillTest, ForksRollbacksAndResumptionsWaitWithoutTheLoop) {
  const auto id = start_and_wait();
  ASSERT_TRUE(command(id, "continue", "{}", "mcp").ok());
  wait_until_over(id);
  store::StandingStill still(*store_);
  std::vector<std::string> answers;
  {
    const store::QueueOnly loop;
    ForkRequest fork;
    fork.workflow = id;
    fork.checkpoint = 1;
    engine().fork(fork, [&](const auto& forked) { answers.push_back(forked ? "forked" : forked.failure().message); });
    engine().roll_back(id, 1, "ann", "cli",
                       [&](const auto& back) { answers.push_back(back ? "back" : back.failure().message); });
    engine().resume(id, [&](const auto& taken) { answers.push_back(taken && *taken ? "resumed" : "not resumed"); });
  }
  go_on();
  EXPECT_TRUE(answers.empty());
  still.let_go();
  run_until([&] { return answers.size() == 3; });
  std::sort(answers.begin(), answers.end());
  // When the last one was asked for, the workflow had ended and was not reopened yet.
  EXPECT_EQ(answers, (std::vector<std::string>{"back", "forked", "not resumed"}));
  wait_for_status(id, WorkflowStatus::kPaused);
  EXPECT_EQ(task_status(id, "a"), "pending");
}

TEST_F(EngineStandstillTest, OfTwoResumptionsAtOnceOneDrives) {
  const auto id = start_and_wait();
  restart();
  const std::int64_t before = record(id).epoch;
  store::StandingStill still(*store_);
  int driven = 0;
  for (int i = 0; i < 2; ++i) engine().resume(id, [&](const auto& taken) { driven += taken && *taken ? 1 : 0; });
  go_on();
  EXPECT_FALSE(engine().drives(id));
  still.let_go();
  run_until([&] { return driven == 2; });
  EXPECT_EQ(record(id).epoch, before + 1) << "it was claimed once";
  ASSERT_TRUE(command(id, "continue", "{}", "mcp").ok());
  wait_until_over(id);
  EXPECT_EQ(tools_.made.size(), 2u);
  // It has ended, and that it was this gateway's does not make it go on.
  EXPECT_FALSE(resume(id).value());
}

TEST_F(EngineStandstillTest, WhatIsReadWhenTheEngineClosesIsNotDriven) {
  const auto id = start_and_wait();
  restart();
  store::StandingStill still(*store_);
  int refused = 0;
  engine().resume(id, [&](const auto& taken) { refused += taken && *taken ? 0 : 1; });
  ForkRequest fork;
  fork.workflow = id;
  engine().fork(fork, [&](const auto& forked) { refused += forked ? 0 : 1; });
  engine_->close();
  still.let_go();
  run_until([&] { return refused == 2; });
  EXPECT_FALSE(engine_->drives(id));
  EXPECT_EQ(record(id).owner, "") << "the next gateway takes it";
  EXPECT_EQ(store_->list_workflows(std::nullopt, 10)->size(), 1u);
}

TEST_F(EngineStandstillTest, ATaskThatWaitsIsFollowedWithoutTheStore) {
  const auto id = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(id, WorkflowStatus::kWaiting);
  close();
  engine();
  // What is posted by now is read: the workflow is claimed.
  store::StandingStill still(*store_);
  run_until([&] { return engine().drives(id); });
  go_on();
  still.let_go();
  const std::string request = store_->approvals("", true).value().front().id;
  EXPECT_TRUE(command(id, "approval_response", R"({"approval":")" + request + R"(","approved":true})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 1u);
}

// What was commanded before it is not in the store yet when a rollback reads what it goes back to.
TEST_F(EngineStandstillTest, CommandsBeforeARollbackCount) {
  const auto id = start_and_wait();
  const std::int64_t now = record(id).last_checkpoint;
  add_command(id, "rollback", R"({"checkpoint":)" + std::to_string(now) + "}");
  add_command(id, "modify_args", R"({"task":"b","arguments":{"n":"$OUTPUT[a]"}})");
  add_command(id, "rollback", R"({"checkpoint":99})");
  add_command(id, "rollback", R"({"checkpoint":)" + std::to_string(now) + "}");
  const Result<void> last = asked<void>([&](auto& engine, const auto& done) { engine.obey(id, last_command_, done); });
  EXPECT_TRUE(last.ok()) << last.failure().message;
  ASSERT_TRUE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 2u) << "a has kept its output";
  EXPECT_EQ(tools_.made[1].arguments, R"({"n":{}})");
}

}  // namespace
}  // namespace glovebox::workflow
