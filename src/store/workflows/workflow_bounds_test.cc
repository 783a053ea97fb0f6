#include <fstream>
#include <iterator>

#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class WorkflowBoundsTest : public StoreFixture {
 protected:
  static Fence begin(Store& store) {
    WorkflowRecord made;
    made.id = "w";
    made.owner = "g1";
    WorkflowStep first;
    first.events = {{0, 5, "workflow_start", "{}"}};
    first.checkpoint = WorkflowStep::Checkpoint{5, "entry", "", "", "s0"};
    return store.create_workflow(made, first).value();
  }
};
INSTANTIATE_TEST_SUITE_P(On, WorkflowBoundsTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

// An event may have a whole approval request.
TEST_P(WorkflowBoundsTest, EventsAreReadUpToATotal) {
  const auto store = open();
  const auto fence = begin(*store);
  WorkflowStep step;
  for (int i = 0; i < 4; ++i) step.events.push_back({0, i, "state_updated", std::string(kLargeValue + 1 + i, 'x')});
  ASSERT_TRUE(store->save_step(fence, step).ok());
  std::vector<std::size_t> pages;
  std::int64_t last = 1;
  for (;;) {
    const auto events = store->workflow_events_after("w", last, 10, kLargeValue + 100).value();
    if (events.empty()) break;
    for (const WorkflowEvent& event : events) EXPECT_EQ(event.number, ++last);
    for (const WorkflowEvent& event : events) EXPECT_GT(event.payload.size(), kLargeValue);
    pages.push_back(events.size());
  }
  EXPECT_EQ(pages, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(store->workflow_events_after("w", 1, 10, 0)->size(), 1u) << "one at least";
}

// A command may be megabytes, and there may be many.
TEST_P(WorkflowBoundsTest, WhatACommandSaidGoesWhenItIsDone) {
  const auto store = open();
  const auto fence = begin(*store);
  const std::string payload(std::size_t{1} << 20, 'x');
  WorkflowStep step;
  for (int i = 0; i < 8; ++i)
    step.commands_done = store->add_command({0, "w", "modify_args", payload, "ann", "mcp", 1}).value();
  ASSERT_TRUE(store->save_step(fence, step).ok());
  EXPECT_TRUE(store->open_commands("w").value().empty());
  const std::string copy = root_ + "/copy.db";
  ASSERT_TRUE(store->back_up_to(copy).ok());
  std::ifstream file(copy, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::size_t kept = 0;
  for (const char c : bytes) kept += c == 'x' ? 1 : 0;
  EXPECT_LT(kept, payload.size());
}

}  // namespace
}  // namespace glovebox::store
