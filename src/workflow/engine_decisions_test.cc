// Decisions of people and agents about a workflow, and what they may change.
#include "base/text/json_slice.h"
#include "store/standing_still.h"
#include "workflow/engine.h"
#include "workflow/plan_fixture.h"

namespace glovebox::workflow {
namespace {

TEST_F(EngineTest, WaitsForADecisionAfterALayer) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"human")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  // An agent cannot decide for the person.
  EXPECT_FALSE(command(id, "continue", "{}", "mcp").ok());
  // Nor can it change what the person is asked about.
  const std::string injected = R"({"tasks":[)" + code("evil", "666") + "]}";
  EXPECT_FALSE(command(id, "inject_tasks", injected, "mcp").ok());
  EXPECT_FALSE(command(id, "replan_dag", injected, "mcp").ok());
  EXPECT_FALSE(command(id, "modify_args", R"({"task":"b","arguments":{"x":"evil"}})", "mcp").ok());
  const std::string shown = yes_to(id);
  EXPECT_TRUE(command(id, "modify_args", R"({"task":"b","arguments":{"x":"$OUTPUT[a]"}})").ok());
  EXPECT_FALSE(command(id, "modify_args", R"({"task":"b","arguments":{"x":"$OUTPUT[z]"}})").ok());
  EXPECT_FALSE(command(id, "modify_args", R"({"task":"a","arguments":{}})").ok());
  // An approval covers only the tasks that were shown with it.
  run_until([&] { return yes_to(id) != shown; });
  EXPECT_FALSE(command(id, "continue", "{}", "terminal").ok());
  EXPECT_FALSE(command(id, "continue", shown, "terminal").ok());
  EXPECT_FALSE(command(id, "approval_response", R"({"approved":true})", "terminal").ok());
  // Nor does one count that needed no terminal.
  EXPECT_FALSE(command(id, "continue", yes_to(id)).ok());
  EXPECT_FALSE(command(id, "approval_response", R"({"approved":true,)" + yes_to(id).substr(1)).ok());
  EXPECT_FALSE(command(id, "skip_layer").ok());
  EXPECT_TRUE(command(id, "continue", yes_to(id), "terminal").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(outcome(id).at("state").at("decisions").as_array().size(), 2u);
}

// An agent can give as many commands as it likes: the loop goes on while the store stands still.
TEST_F(EngineTest, ACommandDoesNotMakeTheLoopWaitForTheStore) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  store::StandingStill still(*store_);
  std::size_t answered = 0;
  bool has_gone_on = false;
  {
    const store::QueueOnly loop;
    for (const char* type : {"pause", "continue", "abort"}) {
      store::WorkflowCommand command;
      command.workflow = id;
      command.type = type;
      command.payload = "{}";
      command.channel = "mcp";
      engine().command(command, [&](const Result<void>&) { ++answered; });
    }
  }
  boost::asio::post(io_, [&] { has_gone_on = true; });
  run_until([&] { return has_gone_on; });
  still.let_go();
  run_until([&] { return answered == 3; });
}

TEST_F(EngineTest, TheQuestionListsTheTasksThatAreNext) {
  const auto id = start(workflow({code("a", "1"), tool("b", "fs:list", after(R"(["a"])") + R"(,"arguments":{"n":7})"),
                                  code("c", "3", after(R"(["b"])"))},
                                 R"(,"decisions":"human")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  const auto report = report_on(*store_, id);
  ASSERT_TRUE(report.ok()) << report.failure().message;
  const auto& next = report->at("waitsFor").at(0).at("tasks").as_array();
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].at("id").as_string(), "b");
  EXPECT_EQ(json::serialize(next[0].at("arguments")), R"({"n":7})");
  EXPECT_TRUE(command(id, "approval_response", R"({"approved":true,)" + yes_to(id).substr(1), "elicitation").ok());
  run_until([&] { return task_status(id, "b") == "completed" && record(id).status == WorkflowStatus::kWaiting; });
  EXPECT_TRUE(command(id, "continue", yes_to(id), "http").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
}

// An approval covers the tasks as they were shown, once: after a change of them, a rollback or a fork, the person is
// asked again.
TEST_F(EngineTest, AYesIsForWhatWasShownAndForOnce) {
  const std::string one_task = R"({"task":"b","arguments":{"n":666}})";
  const auto id = start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])")),
                                  tool("c", "fs:list", after(R"(["a"])")), tool("d", "fs:list", after(R"(["b","c"])"))},
                                 R"(,"decisions":{"a":"human"},"concurrency":1)"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  // Given while it is paused, and the tasks change before it continues.
  EXPECT_TRUE(command(id, "continue", yes_to(id), "terminal").ok());
  EXPECT_TRUE(command(id, "pause", "{}", "mcp").ok());
  tools_.hold = true;
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  run_until([&] { return tools_.held.size() == 1; });
  // Its layer has begun with b or c: the other is covered by the approval.
  const std::string other = task_status(id, "b") == "running" ? "c" : "b";
  EXPECT_FALSE(command(id, "modify_args", R"({"task":")" + other + R"(","arguments":{"n":666}})", "mcp").ok());
  tools_.hold = false;
  for (const auto& end : std::exchange(tools_.held, {})) end();
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 4u);

  const auto checkpoints = store_->workflow_checkpoints(id).value();
  for (const auto& checkpoint : checkpoints) {
    ForkRequest fork;
    fork.workflow = id;
    fork.checkpoint = checkpoint.number;
    fork.arguments["b"] = json::parse(R"({"n":666})").get_object();
    const auto forked = make_fork(fork);
    if (!forked) continue;  // b has ended there
    wait_for_status(forked.value(), WorkflowStatus::kWaiting);
    EXPECT_EQ(task_status(forked.value(), "b"), "pending");
    EXPECT_TRUE(command(forked.value(), "abort").ok());
  }
  // The last checkpoint at which a task of that layer is still to be done.
  for (auto checkpoint = checkpoints.rbegin();; ++checkpoint) {
    ASSERT_NE(checkpoint, checkpoints.rend());
    ASSERT_TRUE(roll_back(id, checkpoint->number, "agent", "mcp").ok());
    if (task_status(id, "b") == "pending" || task_status(id, "c") == "pending") break;
  }
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_FALSE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_FALSE(command(id, "modify_args", one_task, "mcp").ok());
  for (const auto& made : tools_.made) EXPECT_EQ(made.arguments.find("666"), std::string::npos);
}

TEST_F(EngineTest, SkippingALayerAsksAboutTheNext) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])")), code("c", "3", after(R"(["b"])"))},
                                 R"(,"decisions":{"a":"human"})"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  const std::string shown = yes_to(id);
  EXPECT_TRUE(command(id, "skip_layer", "{}", "http").ok());
  run_until([&] { return yes_to(id) != shown; });
  EXPECT_EQ(record(id).status, WorkflowStatus::kWaiting);
  EXPECT_EQ(task_status(id, "c"), "pending");
  EXPECT_TRUE(command(id, "continue", yes_to(id), "terminal").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
}

TEST_F(EngineTest, APersonsNoAborts) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":{"a":"human"})"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_TRUE(command(id, "approval_response", R"({"approved":false,"reason":"not today"})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kAborted);
  EXPECT_EQ(task_status(id, "a"), "completed");
  EXPECT_EQ(task_status(id, "b"), "aborted");
  EXPECT_EQ(outcome(id).at("reason").as_string(), "not today");
  EXPECT_EQ(event_types(id)[event_types(id).size() - 2], "workflow_abort");
}

TEST_F(EngineTest, AnAgentReplansInjectsAndSkips) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])")), code("c", "3", after(R"(["b"])"))},
                                 R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_TRUE(command(id, "replan_dag",
                      R"({"tasks":[)" + code("x", "return deps.a.output + 10", after(R"(["a"])")) + "," +
                          code("y", "return deps.x.output + 1", after(R"(["x"])")) + "]}",
                      "mcp")
                  .ok());
  EXPECT_FALSE(command(id, "inject_tasks", R"({"tasks":[)" + code("a", "1") + "]}", "mcp").ok());
  EXPECT_TRUE(
      command(id, "inject_tasks", R"({"tasks":[)" + code("z", "return deps.y.output", after(R"(["y"])")) + "]}", "mcp")
          .ok());
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  run_until([&] { return task_status(id, "x") == "completed" && record(id).status == WorkflowStatus::kWaiting; });
  EXPECT_EQ(task_status(id, "b"), "");
  EXPECT_TRUE(command(id, "skip_layer", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(task_status(id, "y"), "skipped");
  EXPECT_TRUE(outcome(id).at("outputs").at("z").is_null());
}

TEST_F(EngineTest, AnAbortCancelsWhatRunsAndPauseLetsItEnd) {
  tools_.hold = true;
  const auto id = start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])"))}));
  run_until([&] { return tools_.held.size() == 1; });
  EXPECT_TRUE(command(id, "pause").ok());
  EXPECT_FALSE(command(id, "rollback", R"({"checkpoint":1})").ok());
  wait_for_status(id, WorkflowStatus::kPaused);
  for (const auto& end : std::exchange(tools_.held, {})) end();
  run_until([&] { return task_status(id, "a") == "completed"; });
  EXPECT_EQ(record(id).status, WorkflowStatus::kPaused);
  EXPECT_TRUE(command(id, "continue").ok());
  run_until([&] { return tools_.held.size() == 1; });
  EXPECT_TRUE(command(id, "abort", R"({"reason":"enough"})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kAborted);
  EXPECT_EQ(task_status(id, "b"), "aborted");
}

TEST_F(EngineTest, ACallThatAPersonMustApproveWaits) {
  const auto id = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_TRUE(tools_.made.empty());
  // An answer is for one approval request.
  EXPECT_FALSE(command(id, "approval_response", R"({"task":"a","approved":true})").ok());
  EXPECT_TRUE(tools_.made.empty());
  const std::string request = store_->approvals("", true).value().front().id;
  EXPECT_TRUE(command(id, "approval_response", R"({"approval":")" + request + R"(","approved":true})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 1u);
}

// An agent may name any task beside the request that it answers.
TEST_F(EngineTest, AnAnswerThatNamesNoTaskOfTheWorkflowEndsNothing) {
  const auto id = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(id, WorkflowStatus::kWaiting);
  const std::string request = store_->approvals("", true).value().front().id;
  EXPECT_TRUE(
      command(id, "approval_response", R"({"approval":")" + request + R"(","approved":false,"task":"x"})", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFailed);
  EXPECT_TRUE(tools_.made.empty());
}

// Both are sensible when they are given, and only the first when they are obeyed: the second is not answered with yes.
TEST_F(EngineTest, OfTwoDecisionsAtOnceTheSecondIsRefused) {
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}, R"(,"decisions":"human")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  const std::string yes = R"({"approved":true,)" + yes_to(id).substr(1);
  std::vector<Result<void>> answers;
  for (const std::string& payload : {yes, std::string(R"({"approved":false})")}) {
    store::WorkflowCommand command;
    command.workflow = id;
    command.type = "approval_response";
    command.payload = payload;
    command.channel = "terminal";
    engine().command(command, [&](const Result<void>& answer) { answers.push_back(answer); });
  }
  run_until([&] { return answers.size() == 2; });
  EXPECT_TRUE(answers[0].ok()) << answers[0].failure().message;
  EXPECT_FALSE(answers[1].ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
}

// The store refuses it after the command was obeyed, and the state says so.
TEST_F(EngineTest, AnAnswerThatIsRefusedIsNotAccepted) {
  const auto id = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(id, WorkflowStatus::kWaiting);
  const std::string request = store_->approvals("", true).value().front().id;
  const std::string no = R"({"approval":")" + request + R"(","approved":false})";
  for (int i = 0; i < 2; ++i) {
    store::WorkflowCommand command;
    command.workflow = id;
    command.type = "approval_response";
    command.payload = no;
    command.channel = "terminal";
    engine().command(command, [](const Result<void>&) {});
  }
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFailed);
  const json::value decisions = outcome(id).at("state").at("decisions");
  const auto& all = decisions.as_array();
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& one) { return !one.at("accepted").as_bool(); }))
      << json::serialize(decisions);
}

TEST_F(EngineTest, AnAgentDoesNotRollBackWhatAPersonDecides) {
  tools_.hold = true;
  const auto id = start(workflow({tool("a", "fs:write")}));
  run_until([&] { return tools_.held.size() == 1; });
  close();
  tools_.hold = false;
  engine();
  wait_for_status(id, WorkflowStatus::kWaiting);
  ASSERT_EQ(task_status(id, "a"), "unknown");
  EXPECT_FALSE(roll_back(id, 1, "agent", "mcp").ok());
  ASSERT_TRUE(command(id, "abort").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kAborted);
  EXPECT_FALSE(roll_back(id, 1, "agent", "mcp").ok());
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_TRUE(roll_back(id, 1, "ann", "cli").ok());
  wait_for_status(id, WorkflowStatus::kPaused);
}

// A person who knows that it happened, and with what result, says so: nothing is repeated, and dependents get the
// result.
TEST_F(EngineTest, AnUnknownOutcomeIsSettledWithWhatHappened) {
  tools_.hold = true;
  const auto id = start(workflow({tool("a", "fs:write"), code("b", "return deps.a.output.ticket", after(R"(["a"])"))}));
  run_until([&] { return tools_.held.size() == 1; });
  close();
  tools_.held.clear();
  tools_.hold = false;
  engine();
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_FALSE(command(id, "approval_response", R"({"task":"a","decision":"done"})").ok()) << "what did it give?";
  EXPECT_TRUE(command(id, "approval_response", R"({"task":"a","decision":"done","output":{"ticket":7}})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(task_status(id, "a"), "completed");
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_NE(store_->find_workflow(id).value()->outcome.find(R"("outputs":{"b":7})"), std::string::npos)
      << store_->find_workflow(id).value()->outcome;
}

TEST_F(EngineTest, AnUnknownOutcomeIsAskedAbout) {
  tools_.hold = true;
  const auto id = start(workflow({tool("a", "fs:write"), tool("b", "fs:list", after(R"(["a"])"))}));
  run_until([&] { return tools_.held.size() == 1; });
  close();
  tools_.held.clear();
  tools_.hold = false;
  engine();
  wait_for_status(id, WorkflowStatus::kWaiting);
  EXPECT_EQ(task_status(id, "a"), "unknown");
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_TRUE(command(id, "approval_response", R"({"task":"a","decision":"retry"})").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 3u);
}

}  // namespace
}  // namespace glovebox::workflow
