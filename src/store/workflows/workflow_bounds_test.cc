#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/database/sqlite.h"
#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class WorkflowBoundsTest : public StoreFixture {
 protected:
  static Fence begin(Store& store, const std::string& id = "w", const std::string& client = "ann") {
    WorkflowRecord made;
    made.id = id;
    made.owner = "g1";
    made.client = client;
    WorkflowStep first;
    first.events = {{0, 5, "workflow_start", "{}"}};
    first.checkpoint = WorkflowStep::Checkpoint{5, "entry", "", "", "s0"};
    return store.create_workflow(made, first).value();
  }
  // How often the byte occurs in a copy of all that the store has.
  std::size_t kept_of(Store& store, char byte) const {
    const std::string copy = root_ + "/copy.db";
    std::filesystem::remove(copy);
    EXPECT_TRUE(store.back_up_to(copy).ok());
    std::ifstream file(copy, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), byte));
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
  EXPECT_LT(kept_of(*store, 'x'), payload.size());
}

// Outputs, events and the history of the state of ended workflows: a client ends as many as it likes.
TEST_P(WorkflowBoundsTest, OldOnesMakeRoomForLargeOnes) {
  const auto store = open();
  for (int i = 0; i < 3; ++i) {
    const auto fence = begin(*store, "w" + std::to_string(i));
    WorkflowStep end;
    TaskRecord task;
    task.id = "a";
    task.output = std::string(40'000, "~^#"[i]);
    end.tasks.push_back(task);
    end.checkpoint = WorkflowStep::Checkpoint{5, "task", "", std::string(5000, 'z'), {}};
    end.status = WorkflowStatus::kFinished;
    end.ended = 100 + i;
    ASSERT_TRUE(store->save_step(fence, end).ok());
    EXPECT_GE(store->find_workflow("w" + std::to_string(i)).value()->bytes, 45'000);
  }
  if (!store->is_shared()) {  // as if the clock had been set back since
    const auto file = std::move(SqliteDatabase::open(folder_ + "/glovebox.db")).value();
    ASSERT_TRUE(file->execute("UPDATE large_values SET used = used + 3600000").ok());
  }
  EXPECT_EQ(store->prune(100, 0, 24'000).value().removed, 1u) << "of 96,000 bytes, two have 90,000";
  EXPECT_FALSE(store->find_workflow("w0").value());
  EXPECT_EQ(store->prune(100, 0, 1).value().removed, 1u);
  EXPECT_TRUE(store->find_workflow("w2").value()) << "the newest is kept, however large it is";
  EXPECT_EQ(store->prune(100, 0, 1).value().removed, 0u);
  if (store->is_shared()) return;  // others may still be about to refer to their values
  EXPECT_LT(kept_of(*store, '~'), 1000u);
  EXPECT_GE(kept_of(*store, '#'), 40'000u);
}

// One client's large workflows do not take away what another has yet to read.
TEST_P(WorkflowBoundsTest, TheNewestOfEachClientIsKept) {
  const auto store = open();
  const auto end = [&](const std::string& id, const std::string& client, std::int64_t at, std::size_t bytes) {
    WorkflowStep step;
    step.checkpoint = WorkflowStep::Checkpoint{5, "task", "", std::string(bytes, 'z'), {}};
    step.status = WorkflowStatus::kFinished;
    step.ended = at;
    ASSERT_TRUE(store->save_step(begin(*store, id, client), step).ok());
  };
  end("old", "ann", 100, 10);
  end("new", "ann", 101, 10);
  end("large", "eve", 102, 50'000);
  EXPECT_EQ(store->prune(100, 0, 1).value().removed, 1u);
  EXPECT_FALSE(store->find_workflow("old").value());
  EXPECT_TRUE(store->find_workflow("new").value());
  EXPECT_TRUE(store->find_workflow("large").value());
}

TEST_P(WorkflowBoundsTest, AForkHasWhatItCopies) {
  const auto store = open();
  const auto fence = begin(*store);
  WorkflowStep step;
  TaskRecord task;
  task.id = "a";
  task.status = "completed";
  task.output = std::string(9000, 'x');
  step.tasks.push_back(task);
  ASSERT_TRUE(store->save_step(fence, step).ok());
  WorkflowRecord fork;
  fork.id = "f";
  WorkflowStep first;
  task.output.clear();
  first.tasks.push_back(task);
  first.checkpoint = WorkflowStep::Checkpoint{5, "entry", "", "", "s0"};
  ASSERT_TRUE(store->create_workflow(fork, first, "w").ok());
  EXPECT_GE(store->find_workflow("f").value()->bytes, 9000);
  EXPECT_LT(store->find_workflow("w").value()->bytes, 18'000);
}

}  // namespace
}  // namespace glovebox::store
