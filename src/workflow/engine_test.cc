#include "workflow/engine.h"

#include <filesystem>
#include <set>

#include "base/text/json_slice.h"
#include "workflow/live/task_end.h"
#include "workflow/place.h"
#include "workflow/plan_fixture.h"

namespace glovebox::workflow {
namespace {

TEST_F(EngineTest, RunsToolsAndCodeAndGivesEachWhatItRefersTo) {
  const auto id =
      start(workflow({
                tool("fetch", "fs:list", R"(,"arguments":{"items":[1,2,3],"city":"$INPUT.city"})"),
                code("sum",
                     "return {n: deps.fetch.output.items.reduce((a, b) => a + b), by: context.by, "
                     "input: context.input.city, status: deps.fetch.status}",
                     after(R"(["fetch"])") + R"(,"context":{"by":"$OUTPUT[fetch].city"})"),
                tool("tell", "fs:write", after(R"(["sum"])") + R"(,"arguments":{"text":"sum is $OUTPUT[sum].n"})"),
            }),
            json::parse(R"({"city":"Bern"})"));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(json::serialize(outcome(id).at("outputs")), R"({"tell":{"text":"sum is 6"}})");
  ASSERT_EQ(tools_.made.size(), 2u);
  EXPECT_EQ(tools_.made[0].arguments, R"({"items":[1,2,3],"city":"Bern"})");
  EXPECT_EQ(tools_.made[0].key.size(), 64u);
  EXPECT_NE(tools_.made[0].key, tools_.made[1].key);
  const std::vector<std::string> expected = {"workflow_start",
                                             "checkpoint",
                                             "layer_start",
                                             "task_start",
                                             "checkpoint",
                                             "task_complete",
                                             "layer_start",
                                             "task_start",
                                             "code_execution_started",
                                             "checkpoint",
                                             "code_execution_completed",
                                             "task_complete",
                                             "layer_start",
                                             "task_start",
                                             "checkpoint",
                                             "task_complete",
                                             "workflow_complete",
                                             "checkpoint"};
  EXPECT_EQ(event_types(id), expected);
}

TEST_F(EngineTest, RunsPython) {
  const auto id = start(workflow({
                            tool("fetch", "fs:list", R"(,"arguments":{"items":[1,2,3]})"),
                            code("sum",
                                 "items = deps['fetch']['output']['items']\n"
                                 "return {'n': sum(items), 'city': context['input']['city']}",
                                 after(R"(["fetch"])") + R"(,"language":"python")"),
                        }),
                        json::parse(R"({"city":"Bern"})"));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(json::serialize(outcome(id).at("outputs")), R"({"sum":{"n":6,"city":"Bern"}})");
}

TEST_F(EngineTest, TellsWhatIsWrongBeforeAnythingRuns) {
  const auto wrong = validate(workflow({
      tool("a", "fs:missing"),
      tool("b", "fs:list", R"(,"arguments":{"wrong":1})"),
      tool("c", "fs:denied"),
      tool("d", "fs:write", R"(,"retry":{"attempts":2})"),
      code("e", "1", R"(,"sandbox_config":{"allowWrite":["/etc"]})"),
      code("f", "1", R"(,"retry":{"attempts":2},"sideEffects":true)"),
      code("g", "1", R"(,"retry":{"attempts":2},"sandbox_config":{"allowWrite":["/tmp"]})"),
  }));
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(describe(wrong.failure()),
            "tasks[4].sandbox_config: \"/etc\" is not granted\n"
            "tasks[5].retry: code that may run commands, may use the network or declares side effects is not "
            "retried\n"
            "tasks[0].tool: fs has no tool missing; did you mean list?\n"
            "tasks[1].arguments: /wrong is not known\n"
            "tasks[2].tool: fs:denied is denied by the permissions of the workspace\n"
            "tasks[3].retry: fs:write is not among permissions.idempotent of the config, so it is not retried");
  EXPECT_TRUE(tools_.made.empty());
}

TEST_F(EngineTest, AFailureFailsDependentsAndNobodyElse) {
  const auto id = start(workflow({
      tool("bad", "fs:fail"),
      tool("good", "fs:list"),
      tool("after_bad", "fs:list", after(R"(["bad"])")),
      tool("after_good", "fs:list", after(R"(["good"])")),
      code("broken", "throw new Error('no')"),
      code("sees", "return [deps.broken.status, deps.broken.error.message, deps.broken.output]",
           after(R"(["broken"])")),
  }));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFailed);
  EXPECT_EQ(task_status(id, "bad"), "failed");
  EXPECT_EQ(task_status(id, "after_bad"), "failed");
  EXPECT_EQ(task_status(id, "after_good"), "completed");
  EXPECT_EQ(task_status(id, "broken"), "failed_safe");
  EXPECT_EQ(json::serialize(outcome(id).at("outputs").at("sees")), R"(["failed_safe","no",null])");
}

TEST_F(EngineTest, AFailureWithoutAnEffectMakesThePartOfAnEnd) {
  const auto id = start(workflow({code("only", "throw new Error('no')")}));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kPartial);
  EXPECT_EQ(outcome(id).at("status").as_string(), "partial");
  EXPECT_EQ(outcome(id).at("failed").at(0).at("task").as_string(), "only");
}

TEST_F(EngineTest, CodeThatCalledWhatMustNotBeCalledTwiceFailsForGood) {
  const auto id = start(workflow({
      code("acts", "await mcp.fs.write({}); throw new Error('no')"),
      code("reads", "await mcp.fs.list({}); throw new Error('no')"),
  }));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFailed);
  EXPECT_EQ(task_status(id, "acts"), "failed");
  EXPECT_EQ(task_status(id, "reads"), "failed_safe");
}

TEST_F(EngineTest, TriesIdempotentTasksAgainWithTheSameKey) {
  tools_.failures = 2;
  const auto id = start(workflow({tool("flaky", "fs:flaky", R"(,"retry":{"attempts":3,"backoffMs":1})")}));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 3u);
  EXPECT_EQ(tools_.made[0].key, tools_.made[2].key);
}

TEST_F(EngineTest, KeepsToItsConcurrency) {
  std::vector<std::string> tasks;
  for (int i = 0; i < 12; ++i) tasks.push_back(tool("t" + std::to_string(i), "fs:list"));
  tools_.hold = true;
  const auto id = start(workflow(tasks, R"(,"concurrency":3)"));
  for (int round = 0; round < 4; ++round) {
    run_until([&] { return tools_.held.size() == 3; });
    for (const auto& end : std::exchange(tools_.held, {})) end();
  }
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 12u);
  EXPECT_EQ(tools_.most_at_once, 3);
}

TEST_F(EngineTest, ResultsEnterTheStateByTheirStateField) {
  const auto id = start(workflow(
      {code("a", "return {state: {messages: ['hi'], context: {k: {x: 1}}}}"),
       code("b", "return {state: {context: {k: {y: context.state.context.k.x + 1}}, tasks: [{id: 'x', n: 1}]}}",
            after(R"(["a"])")),
       code("c", "return {state: {nonsense: 1}}", after(R"(["a"])")),
       code("d", "return {state: {tasks: [{id: 'x', m: context.state.tasks[0].n + 1}]}}", after(R"(["b"])")),
       // The status of a task is the workflow's to report, not the code's.
       code("e", "return {state: {tasks: [{id: 'a', status: 'pending'}]}}", after(R"(["a"])"))},
      R"(,"context":{"from":"definition"})"));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFailed);
  EXPECT_EQ(json::serialize(outcome(id).at("state").at("context")), R"({"from":"definition","k":{"x":1,"y":2}})");
  EXPECT_EQ(json::serialize(outcome(id).at("state").at("messages")), R"(["hi"])");
  EXPECT_EQ(task_status(id, "c"), "failed");
  EXPECT_EQ(task_status(id, "e"), "failed");
  EXPECT_EQ(json::serialize(outcome(id).at("state").at("tasks")), R"([{"id":"x","n":1,"m":2}])");
}

TEST_F(EngineTest, FilesAreWrittenWithTheTaskAndAFailedTaskLeavesNothing) {
  const std::string folder = root_ + "/out";
  std::filesystem::create_directory(folder);
  const std::string grant = R"(,"sandbox_config":{"allowWrite":[")" + folder + R"("]})";
  const auto id = start(workflow({
      code("good", "await Deno.writeTextFile('" + folder + "/good', 'x'); return 1", grant),
      code("bad", "await Deno.writeTextFile('" + folder + "/bad', 'x'); throw new Error('no')", grant),
  }));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kPartial);
  EXPECT_TRUE(std::filesystem::exists(folder + "/good"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/bad"));
  EXPECT_EQ(task_status(id, "bad"), "failed_safe");
  // Writes to a layer that was discarded can be retried.
  tools_.failures = 2;
  const auto again = start(
      workflow({code("again", "await Deno.writeTextFile('" + folder + "/again', 'x'); return await mcp.fs.flaky({})",
                     grant + R"(,"retry":{"attempts":3,"backoffMs":1})")}));
  EXPECT_EQ(wait_for_end(again), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 3u);
  EXPECT_TRUE(std::filesystem::exists(folder + "/again"));
}

// Parsers differ in which of two members of the same name they take.
TEST_F(EngineTest, EventsRepeatNoKey) {
  const auto aborted = start(workflow({code("a", "return {state: {messages: [1]}}"), code("b", "throw new Error('no')"),
                                       tool("c", "fs:list", after(R"(["a"])"))},
                                      R"(,"decisions":"agent")"));
  wait_for_status(aborted, WorkflowStatus::kWaiting);
  EXPECT_TRUE(command(aborted, "abort").ok());
  const auto asking = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(asking, WorkflowStatus::kWaiting);
  const auto done = start(workflow({code("a", "1")}));
  wait_for_end(aborted);
  wait_for_end(done);
  std::set<std::string> types;
  for (const std::string& id : {aborted, asking, done}) {
    const auto events = store_->workflow_events_after(id, 0, 1000).value();
    for (const store::WorkflowEvent& event : events) {
      const std::string text = to_json(id, event);
      const auto read = base::JsonSlices::of(text, {.unique_keys = true});
      ASSERT_TRUE(read.ok()) << text;
      EXPECT_EQ(read->raw("type"), "\"" + event.type + "\"");
      EXPECT_EQ(read->raw("event"), std::to_string(event.number));
      const auto payload = base::JsonSlices::of(event.payload).value();
      for (const auto& [key, value] : payload.all()) EXPECT_TRUE(read->has(key)) << text;
      EXPECT_EQ(read->all().size(), payload.all().size() + 4) << "a member is lost: " << text;
      types.insert(event.type);
    }
  }
  const std::set<std::string> all = {"workflow_start",
                                     "layer_start",
                                     "task_start",
                                     "task_complete",
                                     "task_error",
                                     "code_execution_started",
                                     "code_execution_completed",
                                     "code_execution_failed",
                                     "state_updated",
                                     "checkpoint",
                                     "decision_required",
                                     "workflow_complete",
                                     "workflow_abort"};
  EXPECT_EQ(types, all);
}

// Outputs are in the gateway's memory until the last task that needs them has ended.
TEST_F(EngineTest, OutputsThatAreNeededAreBounded) {
  engine_options_.most_kept_bytes = 100'000;
  const std::string large = "return 'x'.repeat(40000)";
  const auto all = start(workflow(
      {code("a", large), code("b", large), code("c", large), code("d", "return 1", after(R"(["a","b","c"])"))}));
  EXPECT_EQ(wait_for_end(all), WorkflowStatus::kFailed);
  int completed = 0;
  for (const char* task : {"a", "b", "c"}) completed += task_status(all, task) == "completed" ? 1 : 0;
  EXPECT_EQ(completed, 2);
  EXPECT_NE(json::serialize(outcome(all)).find(R"("code":"OUTPUT_LIMIT")"), std::string::npos);
  // What is not needed any more makes room.
  const auto chain = start(workflow({code("a", large), code("b", large, after(R"(["a"])")),
                                     code("c", large, after(R"(["b"])")), code("d", large, after(R"(["c"])"))}));
  EXPECT_EQ(wait_for_end(chain), WorkflowStatus::kFinished);
  // What nothing needs is only missing in the outcome.
  const auto leaves = start(workflow({code("a", large), code("b", large), code("c", large)}));
  EXPECT_EQ(wait_for_end(leaves), WorkflowStatus::kFinished);
  EXPECT_EQ(outcome(leaves).at("outputs").as_object().size(), 2u);
}

TEST_F(EngineTest, OutputsAreReadAgainAsFarAsTheyAreNeeded) {
  const std::string large = "return 'x'.repeat(40000)";
  const auto id = start(workflow({code("a", large), code("b", large, after(R"(["a"])")),
                                  code("c", "return deps.b.output.length", after(R"(["b"])"))},
                                 R"(,"decisions":"human")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  ASSERT_TRUE(command(id, "continue", yes_to(id), "terminal").ok());
  run_until([&] { return task_status(id, "b") == "completed" && record(id).status == WorkflowStatus::kWaiting; });
  // There is room for one of them, and one is needed.
  close();
  engine_options_.most_kept_bytes = 60'000;
  ASSERT_TRUE(resume(id).value());
  const std::int64_t last = record(id).last_checkpoint;
  ForkRequest fork;
  fork.workflow = id;
  const auto forked = make_fork(fork);
  ASSERT_TRUE(forked.ok()) << forked.failure().message;
  EXPECT_EQ(store_->task_output(forked.value(), "a").value(), store_->task_output(id, "a").value());
  EXPECT_EQ(store_->task_output(forked.value(), "b").value().size(), 40'002u);
  for (const std::string& one : {id, forked.value()}) {
    wait_for_status(one, WorkflowStatus::kWaiting);
    ASSERT_TRUE(command(one, "continue", yes_to(one), "terminal").ok());
    EXPECT_EQ(wait_for_end(one), WorkflowStatus::kFinished);
    EXPECT_EQ(json::serialize(outcome(one).at("outputs")), R"({"c":40000})");
  }
  ASSERT_TRUE(roll_back(id, last, "ann", "cli").ok());
  EXPECT_EQ(task_status(id, "b"), "completed");
  EXPECT_EQ(task_status(id, "c"), "pending");
  // Without room for what is needed, nothing is begun.
  close();
  engine_options_.most_kept_bytes = 1000;
  (void)engine();
  EXPECT_FALSE(make_fork(fork).ok());
}

TEST_F(EngineTest, AClientHasSoManyWorkflowsThatHaveNotEnded) {
  options_.waiting_per_client = 2;
  const std::string waits =
      workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])"))}, R"(,"decisions":"human")");
  const auto begin = [&](const std::string& client) {
    StartRequest request;
    request.definition = validate(waits).value();
    request.client = client;
    return start(std::move(request));
  };
  const auto first = begin("http:ann");
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(begin("http:ann other-name").ok());
  const auto refused = begin("http:ann third-name");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.failure().message.find("limits.waitingRunsPerClient"), std::string::npos);
  ForkRequest fork;
  fork.workflow = first.value();
  fork.client = "http:ann";
  EXPECT_FALSE(make_fork(fork).ok());
  EXPECT_TRUE(begin("http:anna").ok()) << "another holder";
  wait_for_status(first.value(), WorkflowStatus::kWaiting);
  ASSERT_TRUE(command(first.value(), "abort").ok());
  EXPECT_EQ(wait_for_end(first.value()), WorkflowStatus::kAborted);
  EXPECT_TRUE(make_fork(fork).ok());
  EXPECT_FALSE(roll_back(first.value(), 1, "ann", "cli").ok()) << "it would be one more";
}

TEST_F(EngineTest, AFeedGivesEveryEventOnceFromAnyNumber) {
  std::vector<std::int64_t> numbers;
  const auto id = start(workflow({code("a", "1"), code("b", "2", after(R"(["a"])"))}));
  const auto feed = engine().follow(id, 0, [&](const store::WorkflowEvent& event) { numbers.push_back(event.number); });
  wait_for_end(id);
  run_until([&] { return static_cast<std::int64_t>(numbers.size()) == record(id).last_event; });
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], static_cast<std::int64_t>(i) + 1);
  std::vector<std::int64_t> later;
  const auto again = engine().follow(id, 5, [&](const store::WorkflowEvent& event) { later.push_back(event.number); });
  run_until([&] { return later.size() == numbers.size() - 5; });
  EXPECT_EQ(later.front(), 6);
}

TEST_F(EngineTest, GoesOnAfterItsGatewayWasClosed) {
  tools_.hold = true;
  const auto id = start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])"))}));
  run_until([&] { return tools_.held.size() == 1; });
  for (const auto& end : std::exchange(tools_.held, {})) end();
  run_until([&] { return tools_.held.size() == 1; });
  close();
  tools_.held.clear();
  tools_.hold = false;
  engine();
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 3u) << "a has ended and is not run again";
  EXPECT_EQ(tools_.made[1].key, tools_.made[2].key);
}

// A task that could not begin has not failed: it begins when it can.
// Where its gateway was declared dead, another one has the workflow's runs by then, or will have them.
TEST_F(EngineTest, RunsOfALostWorkflowAreNotCancelled) {
  const auto id = start(workflow({tool("a", "fs:ask")}));
  wait_for_status(id, store::WorkflowStatus::kWaiting);
  const std::string run = store_->workflow_tasks(id).value().at(0).run;
  engine().lost_lease();
  // What a cancellation would do is done by then.
  wait_for_end(start(workflow({tool("a", "fs:list")})));
  EXPECT_EQ(store_->find_run(run).value()->status, store::RunStatus::kWaiting);
  EXPECT_FALSE(store_->find_run(run).value()->cancel_asked);
}

TEST_F(EngineTest, ATaskThatCannotBeWrittenDownWaits) {
  engine();
  const std::string log = options_.state_folder + "/audit.log";
  std::filesystem::rename(log, log + ".away");
  std::filesystem::create_directory(log);
  const auto id = start(workflow({tool("a", "fs:write")}));
  run_until([&] { return task_status(id, "a") == "running"; });
  io_.run_for(std::chrono::milliseconds(50));
  EXPECT_EQ(task_status(id, "a"), "running");
  EXPECT_TRUE(tools_.made.empty());
  std::filesystem::remove(log);
  std::filesystem::rename(log + ".away", log);
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST(TaskEnd, AStoreThatIsAwayFailsNothing) {
  Task task;
  task.type = Task::Type::kTool;
  task.server = "fs";
  task.tool = "write";
  std::string outcome = R"({"error":{"type":"ToolError","code":"STORE_UNAVAILABLE"},"metrics":{"toolCalls":1},)"
                        R"("trace":[{"op":"tool","target":"fs.write","outcome":"failed"}]})";
  const auto never = [](const std::string&, const std::string&, const std::string&) { return false; };
  const auto of = [&] { return judge_end(task, {}, store::RunStatus::kFailed, outcome, never).end; };
  EXPECT_EQ(of(), Scheduler::End::kNotBegun) << "its one call was not made";
  task.type = Task::Type::kCode;
  EXPECT_EQ(of(), Scheduler::End::kUnknown) << "it may have made others";
  task.type = Task::Type::kTool;
  outcome = R"({"error":{"type":"SandboxError","code":"STORE_UNAVAILABLE"},"metrics":{"toolCalls":0},"trace":[]})";
  EXPECT_EQ(of(), Scheduler::End::kUnknown) << "an earlier life may have made it";
}

// Code that may run commands is unknown when its gateway ends, unless it was still being checked.
TEST(TaskEnd, CodeThatWasBeingCheckedHasNotBegun) {
  Task task;
  task.type = Task::Type::kCode;
  const auto of = [&](const std::string& code, const std::string& type = "SandboxError") {
    const auto never = [](const std::string&, const std::string&, const std::string&) { return false; };
    const std::string outcome = R"({"error":{"type":")" + type + R"(","code":")" + code + R"("},"trace":[]})";
    return judge_end(task, {.acts = true}, store::RunStatus::kFailed, outcome, never);
  };
  EXPECT_EQ(of("GATEWAY_CLOSED").end, Scheduler::End::kUnknown);
  EXPECT_EQ(of("NOT_BEGUN").end, Scheduler::End::kNotBegun);
  EXPECT_FALSE(of("NOT_BEGUN").may_have_acted);
  // Code can throw any word after it has acted.
  for (const char* word : {"NOT_BEGUN", "GATEWAY_CLOSED", "GATEWAY_DIED"}) {
    EXPECT_EQ(of(word, "ToolError").end, Scheduler::End::kFailedFinal) << word;
    EXPECT_TRUE(of(word, "LimitError").may_have_acted) << word;
  }
}

TEST_F(EngineTest, RollsBackAndForks) {
  const auto id =
      start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])") + R"(,"arguments":{"n":1})")}));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  std::int64_t after_a = 0;
  const auto checkpoints = store_->workflow_checkpoints(id);
  for (const auto& checkpoint : checkpoints.value()) {
    if (checkpoint.kind == "layer_end" && checkpoint.label == "0") after_a = checkpoint.number;
  }
  ASSERT_GT(after_a, 0);

  ForkRequest fork;
  fork.workflow = id;
  fork.checkpoint = after_a;
  fork.arguments["b"] = json::parse(R"({"n":2})").get_object();
  const auto forked = make_fork(fork);
  ASSERT_TRUE(forked.ok()) << forked.failure().message;
  EXPECT_EQ(wait_for_end(forked.value()), WorkflowStatus::kFinished);
  EXPECT_EQ(json::serialize(outcome(forked.value()).at("outputs")), R"({"b":{"n":2}})");
  EXPECT_EQ(tools_.made.size(), 3u) << "a was not run again";
  fork.arguments["a"] = {};
  EXPECT_FALSE(make_fork(fork).ok());

  ASSERT_TRUE(roll_back(id, after_a, "ann", "cli").ok());
  EXPECT_EQ(record(id).status, WorkflowStatus::kPaused);
  EXPECT_FALSE(report_on(*store_, id)->contains("outcome")) << "that of its former end";
  EXPECT_EQ(task_status(id, "a"), "completed");
  EXPECT_EQ(task_status(id, "b"), "pending");
  EXPECT_TRUE(command(id, "continue").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  ASSERT_EQ(tools_.made.size(), 4u);
  EXPECT_NE(tools_.made[3].key, tools_.made[1].key) << "it is meant to happen again";
}

// A task that had ended at the checkpoint may be running again, since its workflow went back: that run is not the
// fork's.
TEST_F(EngineTest, AForkTakesNoRunOver) {
  const auto id =
      start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])"))}, R"(,"decisions":"agent")"));
  wait_for_status(id, WorkflowStatus::kWaiting);
  ForkRequest fork;
  fork.workflow = id;
  fork.checkpoint = record(id).last_checkpoint;
  ASSERT_TRUE(roll_back(id, 1, "ann", "cli").ok());
  tools_.hold = true;
  ASSERT_TRUE(command(id, "continue").ok());
  run_until([&] { return tools_.held.size() == 1; });
  const auto forked = make_fork(fork);
  ASSERT_TRUE(forked.ok()) << forked.failure().message;
  run_until([&] { return tools_.held.size() == 2; });
  EXPECT_NE(store_->workflow_tasks(*forked)->at(0).run, store_->workflow_tasks(id)->at(0).run);
}

// An exception would end the gateway, and with a command that is kept it would end again.
TEST_F(EngineTest, WhatCodeNotedAboutATaskDoesNotHinderAFork) {
  const auto id = start(workflow(
      {code("a", "return {state: {tasks: [{id: 'b', note: 1}, {id: 'odd'}]}}"), code("b", "2", after(R"(["a"])"))}));
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
  const std::int64_t last = record(id).last_checkpoint;
  for (std::int64_t checkpoint = 1; checkpoint <= last; ++checkpoint) {
    ForkRequest fork;
    fork.workflow = id;
    fork.checkpoint = checkpoint;
    const auto forked = make_fork(fork);
    ASSERT_TRUE(forked.ok()) << forked.failure().message;
    EXPECT_EQ(wait_for_end(forked.value()), WorkflowStatus::kFinished);
  }
}

TEST_F(EngineTest, DoesNotGoBackToALayerThatTheNewPlanLacks) {
  const auto id = start(workflow({tool("a", "fs:list"), tool("b", "fs:list", after(R"(["a"])")),
                                  tool("c", "fs:list", after(R"(["b"])")), tool("d", "fs:list", after(R"(["c"])"))},
                                 R"(,"decisions":"agent")"));
  const auto go_on_until = [&](const char* task) {
    run_until([&] { return task_status(id, task) == "completed" && record(id).status == WorkflowStatus::kWaiting; });
    return record(id).last_checkpoint;
  };
  const std::int64_t early = go_on_until("a");
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  go_on_until("b");
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  const std::int64_t late = go_on_until("c");
  ASSERT_TRUE(roll_back(id, early, "agent", "mcp").ok());
  ASSERT_TRUE(command(id, "replan_dag", R"({"tasks":[)" + tool("e", "fs:list", after(R"(["a"])")) + "]}", "mcp").ok());
  EXPECT_FALSE(roll_back(id, late, "agent", "mcp").ok());
  ForkRequest fork;
  fork.workflow = id;
  fork.checkpoint = late;
  EXPECT_FALSE(make_fork(fork).ok());
  EXPECT_TRUE(command(id, "continue", "{}", "mcp").ok());
  EXPECT_EQ(wait_for_end(id), WorkflowStatus::kFinished);
}

}  // namespace
}  // namespace glovebox::workflow
