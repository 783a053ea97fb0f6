#include "assembly/views/workflow_lines.h"

#include <gtest/gtest.h>

#include "cli/session/workflow_graph.h"
#include "cli/session/workflow_session.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

store::WorkflowEvent event(const char* type, const char* payload) {
  return {1, 0, type, payload};
}

TEST(WorkflowLines, SayWhatHappens) {
  EXPECT_EQ(assembly::line_of(event("layer_start", R"({"layer":1,"tasks":["a","b"]})")), "layer 1: a, b");
  EXPECT_EQ(
      assembly::line_of(event("task_error", R"({"task":"a","status":"failed","error":{"code":"X","message":"no"}})")),
      "  a failed: X: no");
  EXPECT_EQ(assembly::line_of(event("checkpoint", "{}")), "");
  EXPECT_EQ(assembly::line_of(event("task_start", "nonsense")), "");
}

TEST(WorkflowGraph, DrawsTasksWithWhatTheyWaitFor) {
  workflow::Definition definition;
  definition.tasks.resize(2);
  definition.tasks[0].id = "a";
  definition.tasks[1].id = "b";
  definition.tasks[1].dependencies = {"a"};
  std::vector<store::TaskRecord> tasks(2);
  tasks[0].id = "a";
  tasks[1].id = "b";
  tasks[1].layer = 1;
  WorkflowGraph graph(definition, tasks);
  graph.apply(event("task_start", R"({"task":"a"})"));
  EXPECT_EQ(graph.lines(10),
            (std::vector<std::string>{"layer 0  1 running", "  ◐ a", "layer 1  1 pending", "  · b ← a"}));
  graph.apply(event("task_complete", R"({"task":"a","status":"completed","durationMs":5})"));
  EXPECT_EQ(graph.lines(10)[1], "  ✓ a   5 ms");
  EXPECT_EQ(graph.lines(3), (std::vector<std::string>{"layer 0  1 completed", "layer 1  1 pending"}));
}

TEST(WorkflowSession, ExitsByWhatFailedFirst) {
  store::WorkflowRecord record;
  record.status = store::WorkflowStatus::kFailed;
  record.outcome = R"({"failed":[{"task":"b","error":{"code":"DEPENDENCY_FAILED"}},
    {"task":"a","error":{"code":"APPROVAL_DENIED"}}]})";
  EXPECT_EQ(exit_code_of_workflow(record), kPolicyDenied);
  record.outcome = R"({"failed":[{"task":"a","error":{"code":"RPC_TIMEOUT"}}]})";
  EXPECT_EQ(exit_code_of_workflow(record), kTimeout);
  record.outcome = R"({"failed":[{"task":"a","error":{"code":"TOOL_ERROR"}}]})";
  EXPECT_EQ(exit_code_of_workflow(record), kToolFailed);
  record.status = store::WorkflowStatus::kAborted;
  EXPECT_EQ(exit_code_of_workflow(record), kRolledBack);
}

}  // namespace
}  // namespace glovebox::cli
