#include "workflow/workflow_trace.h"

#include <gtest/gtest.h>

#include "observe/semantic_names.h"

namespace glovebox::workflow {
namespace {

constexpr const char* kCaller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

store::WorkflowRecord record(const std::string& config) {
  store::WorkflowRecord made;
  made.id = "wf_1";
  made.created = 1000;
  made.config = config;
  return made;
}

TEST(WorkflowTrace, IsPartOfItsCallers) {
  const auto context = context_of(record(config_of(kCaller)));
  EXPECT_EQ(observe::to_hex(context.trace), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_FALSE(context.sampled);
  EXPECT_EQ(config_of("00-nonsense"), "{}");
  EXPECT_EQ(config_of("\"}{"), "{}");
}

// The gateway that resumes it derives the same ids.
TEST(WorkflowTrace, FollowsFromItsRecord) {
  const auto own = context_of(record("{}"));
  EXPECT_TRUE(own);
  EXPECT_EQ(own, context_of(record("{}")));
  EXPECT_EQ(own, context_of(record("")));
  auto other = record("{}");
  other.id = "wf_2";
  EXPECT_NE(observe::to_hex(own.trace), observe::to_hex(context_of(other).trace));
  EXPECT_EQ(task_context(record("{}"), "a").trace, own.trace);
  EXPECT_NE(observe::to_hex(task_context(record("{}"), "a").span),
            observe::to_hex(task_context(record("{}"), "b").span));
}

TEST(WorkflowTrace, TellsOfTasksAndCheckpoints) {
  auto workflow = record(config_of(kCaller));
  workflow.ended = 5000;
  workflow.status = store::WorkflowStatus::kFailed;
  store::TaskRecord ran;
  ran.id = "a";
  ran.status = "failed";
  ran.run = "run_1";
  ran.error = "{}";
  ran.started = 2000;
  ran.ended = 3000;
  store::TaskRecord waits;
  waits.id = "b";
  const auto trace = trace_of(workflow, {ran, waits}, {{1, 2500, "layer", "l1", 7}});
  ASSERT_EQ(trace.spans.size(), 3u);
  EXPECT_EQ(observe::to_hex(trace.spans[0].parent), "00f067aa0ba902b7");
  EXPECT_EQ(trace.spans[0].status, observe::Span::Status::kError);
  EXPECT_EQ(trace.spans[1].name, "task a");
  EXPECT_EQ(trace.spans[1].id, task_context(workflow, "a").span);
  EXPECT_EQ(trace.spans[1].start_us, 2'000'000);
  EXPECT_EQ(trace.spans[1].end_us, 3'000'000);
  EXPECT_EQ(trace.spans[2].name, "checkpoint layer");
  EXPECT_EQ(trace.spans[2].parent, trace.spans[0].id);
}

}  // namespace
}  // namespace glovebox::workflow
