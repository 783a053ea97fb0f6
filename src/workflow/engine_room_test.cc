// How many runs the tasks of a client's workflows are at once, and how much the state of a workflow may hold.
#include "workflow/engine_fixture.h"

namespace glovebox::workflow {
namespace {

constexpr const char* kOneCall = R"({"tasks":[{"id":"a","type":"mcp_tool","tool":"fs:list","arguments":{}}]})";

class EngineRoomTest : public EngineTest {
 protected:
  // The most runs of the client that there were at any time, until then.
  template <typename Until>
  std::size_t most_until(Until until) {
    std::size_t most = 0;
    run_until([&] {
      most = std::max(most, gateway_->busy_runs_of("test"));
      return until();
    });
    return most;
  }
  void let_calls_end() {
    tools_.hold = false;
    for (const auto& end : std::exchange(tools_.held, {})) end();
  }
};

// A token with `--runs 1` could have as many as its workflows have tasks.
TEST_F(EngineRoomTest, TasksOfAllItsWorkflowsKeepToTheRunsOfAClient) {
  engine_options_.most_runs = [](const auto&) { return std::optional<std::size_t>(1); };
  tools_.hold = true;
  const std::string first = start(kOneCall);
  run_until([&] { return tools_.held.size() == 1; });
  const std::string second = start(kOneCall);
  int polls = 0;
  EXPECT_EQ(most_until([&] { return task_status(second, "a") == "running" && ++polls > 20; }), 1u);
  EXPECT_EQ(tools_.made.size(), 1u);
  let_calls_end();
  EXPECT_LE(most_until([&] { return store::has_ended(record(second).status); }), 1u);
  EXPECT_EQ(wait_for_end(first), store::WorkflowStatus::kFinished);
  EXPECT_EQ(record(second).status, store::WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 2u);
}

TEST_F(EngineRoomTest, ATaskThatWaitsForRoomIsAborted) {
  engine_options_.most_runs = [](const auto&) { return std::optional<std::size_t>(1); };
  tools_.hold = true;
  const std::string first = start(kOneCall);
  run_until([&] { return tools_.held.size() == 1; });
  const std::string second = start(kOneCall);
  run_until([&] { return task_status(second, "a") == "running"; });
  ASSERT_TRUE(command(second, "abort").ok());
  EXPECT_EQ(wait_for_end(second), store::WorkflowStatus::kAborted);
  EXPECT_EQ(tools_.made.size(), 1u);
  let_calls_end();
  EXPECT_EQ(wait_for_end(first), store::WorkflowStatus::kFinished);
}

TEST_F(EngineRoomTest, OneWorkflowHasNoMoreTasksAtOnceThanItsClientHasRuns) {
  engine_options_.most_runs = [](const auto&) { return std::optional<std::size_t>(2); };
  std::string tasks;
  for (int i = 0; i < 6; ++i) {
    tasks += (i == 0 ? "" : ",") + (R"({"id":"t)" + std::to_string(i)) +
             R"(","type":"mcp_tool","tool":"fs:list","arguments":{}})";
  }
  const std::string id = start(R"({"concurrency":6,"tasks":[)" + tasks + "]}");
  EXPECT_LE(most_until([&] { return store::has_ended(record(id).status); }), 2u);
  EXPECT_EQ(tools_.made.size(), 6u);
}

// Many workflows give a client no more room, and cost another none.
TEST_F(EngineRoomTest, OutputsOfAllItsWorkflowsAreBounded) {
  engine_options_.most_kept_bytes = 100'000;
  const std::string code = "return 'x'.repeat(60000)";
  const std::string large = R"({"decisions":"human","tasks":[{"id":"a","type":"code_execution","code":")" + code +
                            R"("},{"id":"b","type":"code_execution","code":"return 1","dependencies":["a"]}]})";
  const auto begin = [&](const std::string& client) {
    StartRequest request;
    request.definition = validate(large).value();
    request.client = client;
    const std::string id = start(std::move(request)).value();
    run_until([&] { return task_status(id, "a") == "completed" || task_status(id, "a") == "failed"; });
    return task_status(id, "a");
  };
  EXPECT_EQ(begin("http:eve name-one"), "completed");
  EXPECT_EQ(begin("http:eve name-two"), "failed");
  EXPECT_EQ(begin("http:ann"), "completed");
}

TEST_F(EngineRoomTest, TheStateOfAWorkflowIsBounded) {
  engine_options_.most_state_bytes = 100'000;
  const std::string code = "return {state: {messages: ['x'.repeat(60000)]}}";
  const std::string id =
      start(R"({"tasks":[{"id":"a","type":"code_execution","code":")" + code +
            R"("},{"id":"b","type":"code_execution","code":")" + code + R"(","dependencies":["a"]}]})");
  EXPECT_EQ(wait_for_end(id), store::WorkflowStatus::kFailed);
  EXPECT_EQ(task_status(id, "a"), "completed");
  EXPECT_EQ(task_status(id, "b"), "failed");
  EXPECT_EQ(outcome(id).at("failed").at(0).at("error").at("code"), "BAD_STATE");
  EXPECT_EQ(outcome(id).at("state").at("messages").as_array().size(), 1u);
}

// Outputs that nothing needs are on the disk until the workflow is pruned, and so are the states that it has had.
TEST_F(EngineRoomTest, WhatItsWorkflowsHaveInTheStoreIsBounded) {
  engine_options_.most_stored_bytes = 1'000'000;
  const auto begin = [&](const std::string& client) {
    std::string tasks;
    for (int i = 0; i < 6; ++i) {
      tasks += (i == 0 ? "" : ",") + (R"({"id":"t)" + std::to_string(i)) +
               R"x(","type":"code_execution","code":"return 'x'.repeat(200000)"})x";
    }
    StartRequest request;
    request.definition = validate(R"({"concurrency":1,"tasks":[)" + tasks + "]}").value();
    request.client = client;
    return start(std::move(request)).value();
  };
  const auto completed = [&](const std::string& id) {
    const auto rows = store_->workflow_tasks(id).value();
    return std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.status == "completed"; });
  };
  const std::string first = begin("http:eve");
  EXPECT_EQ(wait_for_end(first), store::WorkflowStatus::kFailed);
  EXPECT_GE(completed(first), 2);
  EXPECT_LT(completed(first), 5);
  EXPECT_EQ(outcome(first).at("failed").at(0).at("error").at("code"), "OUTPUT_LIMIT");
  EXPECT_LT(record(first).bytes, 2'000'000);
  // What has ended is pruned with time, and no longer counts here.
  const std::string second = begin("http:eve");
  wait_for_end(second);
  EXPECT_GE(completed(second), 2);
}

// What has ended takes room again when a rollback reopens it, and so does a fork.
TEST_F(EngineRoomTest, WhatIsReopenedOrForkedNeedsRoom) {
  engine_options_.most_stored_bytes = 150'000;
  const std::string ended = start(kOneCall);
  EXPECT_EQ(wait_for_end(ended), store::WorkflowStatus::kFinished);
  tools_.hold = true;
  std::string tasks = R"({"id":"held","type":"mcp_tool","tool":"fs:list","arguments":{}})";
  for (int i = 0; i < 6; ++i) {
    tasks += R"(,{"id":"t)" + std::to_string(i) + R"x(","type":"code_execution","code":"return 'x'.repeat(25000)"})x";
  }
  const std::string large = start(R"({"concurrency":2,"tasks":[)" + tasks + "]}");
  run_until([&] {
    const std::string last = task_status(large, "t5");
    return last == "completed" || last == "failed";
  });
  const auto back = roll_back(ended, 1, "ann", "cli");
  ASSERT_FALSE(back.ok());
  EXPECT_EQ(back.failure().code, ErrorCode::kConflict) << back.failure().message;
  EXPECT_EQ(record(ended).status, store::WorkflowStatus::kFinished) << "it was not reopened";
  ForkRequest fork;
  fork.workflow = ended;
  fork.client = "test";
  EXPECT_FALSE(make_fork(fork).ok());
  let_calls_end();
  wait_for_end(large);
  run_until([&] { return !engine().drives(large); });
  EXPECT_TRUE(roll_back(ended, 1, "ann", "cli").ok());
}

// A task of a large workflow would cost a copy of its state every 64 tasks.
TEST_F(EngineRoomTest, ALargeStateThatHardlyChangesIsWrittenOnceInAWhile) {
  std::string tasks =
      R"({"id":"a","type":"code_execution","code":"return {state: {context: {x: 'x'.repeat(600000)}}}"})";
  for (int i = 0; i < 300; ++i) {
    tasks += R"(,{"id":"t)" + std::to_string(i) +
             R"(","type":"mcp_tool","tool":"fs:list","arguments":{},"dependencies":["a"]})";
  }
  const std::string id = start(R"({"concurrency":1,"tasks":[)" + tasks + "]}");
  EXPECT_EQ(wait_for_end(id), store::WorkflowStatus::kFinished);
  EXPECT_GT(record(id).last_checkpoint, 256);
  // Its output, the change of the state, one snapshot, and the outcome: four times 600 KB.
  EXPECT_LT(record(id).bytes, 3'400'000);
}

// Every command is noted in the state, with what its client says about it.
TEST_F(EngineRoomTest, WhatACommandSaysIsCut) {
  tools_.hold = true;
  const std::string id = start(kOneCall);
  run_until([&] { return tools_.held.size() == 1; });
  const std::string said(1'000'000, 'x');
  ASSERT_TRUE(command(id, "pause", json::serialize(json::object{{"reason", said}, {"decision", said}})).ok());
  ASSERT_TRUE(command(id, "abort").ok());
  let_calls_end();
  EXPECT_EQ(wait_for_end(id), store::WorkflowStatus::kAborted);
  const json::value paused = outcome(id).at("state").at("decisions").at(0);
  EXPECT_EQ(paused.at("reason").as_string().size(), 2000u);
  EXPECT_EQ(paused.at("decision").as_string().size(), 2000u);
}

}  // namespace
}  // namespace glovebox::workflow
