// What an agent can make of a workflow by directing it again and again.
#include "workflow/command.h"
#include "workflow/engine.h"
#include "workflow/plan_fixture.h"
#include "workflow/snapshot.h"

namespace glovebox::workflow {
namespace {

// Tasks of former plans keep their places while the workflow is driven.
TEST_F(EngineTest, APlanIsNotChangedWithoutEnd) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  std::string tasks;
  for (int i = 0; i < 15'000; ++i) tasks += (i == 0 ? "" : ",") + code("t" + std::to_string(i), "1");
  const std::string plan = R"({"tasks":[)" + tasks + "]}";
  EXPECT_TRUE(command(id, "replan_dag", plan, "mcp").ok());
  EXPECT_TRUE(command(id, "replan_dag", plan, "mcp").ok());
  const auto refused = command(id, "replan_dag", plan, "mcp");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.failure().message.find("too often"), std::string::npos) << refused.failure().message;
  EXPECT_TRUE(command(id, "replan_dag", R"({"tasks":[)" + code("last", "3") + "]}", "mcp").ok());
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(outcome(id).at("outputs").at("last").as_int64(), 3);
}

// What a command says in error messages is in the state, and so in memory.
TEST_F(EngineTest, ACommandAddsLittleToTheState) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  // As another gateway would, which does not know the workflow.
  store::WorkflowCommand wrong;
  wrong.workflow = id;
  wrong.type = "modify_args";
  wrong.payload = R"({"arguments":{},"task":")" + std::string(1 << 20, 'x') + "\"}";
  wrong.who = "ann";
  wrong.channel = "mcp";
  ASSERT_TRUE(store_->add_command(wrong).ok());
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_LT(record(id).outcome.size(), 3000u);
}

TEST_F(EngineTest, WhatHasTooManyDecisionsIsOnlyAborted) {
  const std::string many = "({ state: { decisions: Array.from({ length: 10000 }, (_, i) => ({ id: `d${i}` })) } })";
  const auto id = start(workflow({code("a", many), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_FALSE(command(id, "pause", "{}", "mcp").ok());
  EXPECT_FALSE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_TRUE(command(id, "abort", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kAborted);
}

TEST(CommandPayload, ACheckpointIsAWholeNumber) {
  const auto is_fine = [](const char* checkpoint) {
    return check_payload(CommandType::kRollback, R"({"checkpoint":)" + std::string(checkpoint) + "}").ok();
  };
  EXPECT_TRUE(is_fine("1"));
  EXPECT_TRUE(is_fine("12.0"));
  for (const char* wrong : {"0", "-1", "1.5", "1e300", "-1e300", "\"1\"", "null"})
    EXPECT_FALSE(is_fine(wrong)) << wrong;
}

// A task may wait with many large requests: a report has some of them, and the first in any case.
TEST_F(EngineTest, AReportHasRequestsUpToATotal) {
  engine();
  store::RunRecord run;
  run.id = "run_1";
  run.owner = gateway_->owner();
  run.context = run.config = "{}";
  ASSERT_TRUE(store_->add_run(run).ok());
  for (int i = 0; i < 5; ++i) {
    const std::string request = json::serialize(json::object{{"code", std::string(std::size_t{3} << 20, 'x')}});
    ASSERT_TRUE(store_->add_approval({"ap_" + std::to_string(i), "run_1", i, "tool_calls", request, {}, {}}).ok());
  }
  store::WorkflowRecord made;
  made.id = "wf_1";
  made.definition = R"({"tasks":[{"id":"a","type":"code_execution","code":"1"}]})";
  made.input = made.config = "{}";
  store::WorkflowStep first;
  first.checkpoint = {1, "entry", "", "", snapshot_json(Snapshot())};
  store::TaskRecord task;
  task.id = "a";
  task.status = "running";
  task.run = "run_1";
  first.tasks.push_back(task);
  ASSERT_TRUE(store_->create_workflow(made, first).ok());
  const auto report = report_on(*store_, "wf_1");
  ASSERT_TRUE(report.ok()) << report.failure().message;
  const json::array& waits = report->at("waitsFor").as_array();
  ASSERT_EQ(waits.size(), 5u) << "all are named";
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(waits[i].as_object().contains("card"), i < 3) << i;
}

}  // namespace
}  // namespace glovebox::workflow
