#include <map>
#include <set>
#include <thread>

#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class WorkflowsTest : public StoreFixture {
 protected:
  static WorkflowRecord workflow(const std::string& id, const std::string& owner = "", std::int64_t created = 1) {
    WorkflowRecord made;
    made.id = id;
    made.created = created;
    made.definition = R"({"tasks":[]})";
    made.input = "{}";
    made.config = R"({"limit":1})";
    made.client = "me";
    made.session = "s";
    made.intent = "why";
    made.owner = owner;
    return made;
  }
  static WorkflowStep entry() {
    WorkflowStep step;
    step.events = {{0, 5, "workflow_start", "{}"}};
    step.checkpoint = WorkflowStep::Checkpoint{5, "entry", "", "", "s0"};
    return step;
  }
  static WorkflowStep task_done(const std::string& id, const std::string& output) {
    WorkflowStep step;
    TaskRecord task;
    task.id = id;
    task.status = "done";
    task.output = output;
    task.idempotency_key = "k";
    task.started = 3;
    step.tasks = {task};
    step.events = {{0, 6, "task_complete", id}, {0, 6, "checkpoint", "{}"}};
    step.checkpoint = WorkflowStep::Checkpoint{6, "task", id, "d" + id, std::nullopt};
    return step;
  }
  static NodeRecord node(const std::string& id, std::chrono::milliseconds lease = std::chrono::milliseconds(0)) {
    NodeRecord made;
    made.id = id;
    made.host = "here";
    made.pid = 7;
    made.version = "1";
    made.lease = lease;
    return made;
  }
};

TEST_P(WorkflowsTest, AStepIsThereAsAWholeAndComesBackAsItWas) {
  {
    const auto store = open();
    ASSERT_TRUE(store->join(node("g1")).ok());
    const auto fence = store->create_workflow(workflow("w", "g1"), entry());
    ASSERT_TRUE(fence.ok());
    EXPECT_EQ(fence->epoch, 1);
    EXPECT_EQ(store->create_workflow(workflow("w"), entry()).failure().code, ErrorCode::kConflict);
    const auto receipt = store->save_step(*fence, task_done("a", "1"));
    ASSERT_TRUE(receipt.ok());
    EXPECT_EQ(receipt->last_event, 3);
    EXPECT_EQ(receipt->last_checkpoint, 2);
  }
  const auto store = open();
  const auto found = store->find_workflow("w").value();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->definition, R"({"tasks":[]})");
  EXPECT_EQ(found->config, R"({"limit":1})");
  EXPECT_EQ(found->owner, "g1");
  EXPECT_EQ(found->last_event, 3);
  EXPECT_FALSE(found->ended);
  const auto tasks = store->workflow_tasks("w").value();
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].output, "1");
  EXPECT_EQ(tasks[0].started, 3);
  EXPECT_FALSE(tasks[0].ended);
  const auto events = store->workflow_events_after("w", 1, 10).value();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].number, 2);
  EXPECT_EQ(events[0].type, "task_complete");
  EXPECT_EQ(store->workflow_events_after("w", 0, 2).value().size(), 2u);
  EXPECT_EQ(store->workflow_checkpoints("w").value()[1].label, "a");
  EXPECT_EQ(store->workflow_checkpoints("w").value()[1].event, 3);
  EXPECT_EQ(store->list_workflows(WorkflowStatus::kRunning, 10).value().size(), 1u);
  EXPECT_TRUE(store->list_workflows(WorkflowStatus::kDead, 10).value().empty());
}

TEST_P(WorkflowsTest, AStepThatCannotBeWrittenLeavesNothing) {
  const auto store = open();
  const auto fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  WorkflowStep first_without_state = entry();
  first_without_state.checkpoint->snapshot.reset();
  EXPECT_FALSE(store->create_workflow(workflow("v"), first_without_state).ok());
  EXPECT_FALSE(store->find_workflow("v").value());
  EXPECT_EQ(store->save_step({"w", "g1", 2}, task_done("a", "1")).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->save_step({"w", "g2", 1}, task_done("a", "1")).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->save_step({"x", "g1", 1}, task_done("a", "1")).failure().code, ErrorCode::kConflict);
  EXPECT_TRUE(store->workflow_tasks("w").value().empty());
  EXPECT_EQ(store->workflow_events_after("w", 0, 10).value().size(), 1u);
  EXPECT_TRUE(store->save_step(fence, task_done("a", "1")).ok());
}

// A gateway that did not get the reply to a step saves it again.
TEST_P(WorkflowsTest, AStepThatIsSaidTwiceIsSavedOnce) {
  const auto store = open();
  const auto fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  WorkflowStep step = task_done("a", "1");
  step.events.front().number = 2;
  const auto first = store->save_step(fence, step).value();
  const auto again = store->save_step(fence, step).value();
  EXPECT_EQ(again.last_event, first.last_event);
  EXPECT_EQ(again.last_checkpoint, first.last_checkpoint);
  EXPECT_EQ(store->workflow_events_after("w", 0, 10).value().size(), 3u);
  step = task_done("b", "2");
  step.events.front().number = first.last_event + 1;
  EXPECT_EQ(store->save_step(fence, step)->last_event, first.last_event + 2);
}

TEST_P(WorkflowsTest, AnEndedRunMayKeepItsJournalUntilAStepDropsIt) {
  const auto store = open();
  const auto fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  for (const char* id : {"kept", "dropped", "open"}) {
    RunRecord run;
    run.id = id;
    ASSERT_TRUE(store->add_run(run).ok());
    ASSERT_TRUE(store->begin_journal(id, {{JournalEntry::Kind::kCall, 1, "tool", "d", ""}}, {1}).ok());
  }
  ASSERT_TRUE(store->end_run("kept", RunStatus::kFinished, "{}", 1, {.journal = true}).ok());
  ASSERT_TRUE(store->end_run("dropped", RunStatus::kFinished, "{}", 1).ok());
  EXPECT_EQ(store->journal("kept").value().size(), 1u);
  EXPECT_TRUE(store->find_run("kept").value()->journaled);
  EXPECT_TRUE(store->journal("dropped").value().empty());
  WorkflowStep step = task_done("a", "1");
  step.drop_journals = {"kept", "open"};
  ASSERT_TRUE(store->save_step(fence, step).ok());
  EXPECT_TRUE(store->journal("kept").value().empty());
  EXPECT_FALSE(store->find_run("kept").value()->journaled);
  EXPECT_EQ(store->journal("open").value().size(), 1u) << "it has not ended";
}

TEST_P(WorkflowsTest, TheStateIsASnapshotAndWhatFollowedIt) {
  const auto store = open();
  const auto fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  for (const char* id : {"a", "b"}) ASSERT_TRUE(store->save_step(fence, task_done(id, "1")).ok());
  WorkflowStep whole = task_done("c", "1");
  whole.checkpoint->snapshot = "s3";
  ASSERT_TRUE(store->save_step(fence, whole).ok());
  ASSERT_TRUE(store->save_step(fence, task_done("d", "1")).ok());
  EXPECT_EQ(store->state_at("w", 1)->snapshot, "s0");
  EXPECT_TRUE(store->state_at("w", 1)->deltas.empty());
  EXPECT_EQ(store->state_at("w", 3)->snapshot, "s0");
  EXPECT_EQ(store->state_at("w", 3)->deltas, (std::vector<std::string>{"da", "db"}));
  EXPECT_EQ(store->state_at("w", 5)->snapshot, "s3");
  EXPECT_EQ(store->state_at("w", 5)->deltas, (std::vector<std::string>{"dd"}));
  EXPECT_EQ(store->state_at("w", 6).failure().code, ErrorCode::kNotFound);
  EXPECT_EQ(store->state_at("v", 1).failure().code, ErrorCode::kNotFound);
  EXPECT_TRUE(wants_snapshot(0));
  EXPECT_FALSE(wants_snapshot(1));
}

TEST_P(WorkflowsTest, LargeValuesAreKeptOnceAndGoWithTheLastThatRefersToThem) {
  const auto store = open();
  const std::string large(kLargeValue + 1, 'x');
  for (const char* id : {"v", "w"}) {
    const auto fence = store->create_workflow(workflow(id, "g1"), entry()).value();
    WorkflowStep step = task_done("a", large);
    step.events[0].payload = large;
    step.checkpoint->snapshot = large;
    ASSERT_TRUE(store->save_step(fence, step).ok());
    EXPECT_EQ(store->workflow_tasks(id).value()[0].output, large);
    EXPECT_EQ(store->workflow_events_after(id, 1, 1).value()[0].payload, large);
    EXPECT_EQ(store->state_at(id, 2)->snapshot, large);
  }
}

// All outputs of a workflow may be more than fits into memory: a list has none of them, and a fork copies them there.
TEST_P(WorkflowsTest, OutputsAreReadAsTheyAreWanted) {
  const auto store = open();
  const std::string large(kLargeValue + 1, 'x');
  const auto fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  ASSERT_TRUE(store->save_step(fence, task_done("a", large)).ok());
  ASSERT_TRUE(store->save_step(fence, task_done("b", "12")).ok());
  ASSERT_TRUE(store->save_step(fence, task_done("c", "")).ok());
  const auto outputs = [&](Store::Outputs wanted) {
    std::vector<std::string> all;
    const auto tasks = store->workflow_tasks("w", wanted).value();
    for (const TaskRecord& task : tasks) all.push_back(task.output + " " + std::to_string(task.output_bytes));
    return all;
  };
  const std::string size = std::to_string(large.size());
  EXPECT_EQ(outputs(Store::Outputs::kNone), (std::vector<std::string>{" " + size, " 2", " 0"}));
  EXPECT_EQ(outputs(Store::Outputs::kShort), (std::vector<std::string>{" " + size, "12 2", " 0"}));
  EXPECT_EQ(outputs(Store::Outputs::kAll), (std::vector<std::string>{large + " " + size, "12 2", " 0"}));
  EXPECT_EQ(store->task_output("w", "a").value(), large);
  EXPECT_EQ(store->task_output("w", "b").value(), "12");
  EXPECT_EQ(store->task_output("w", "none").value(), "");
  WorkflowStep forked = entry();
  forked.tasks = task_done("a", "").tasks;
  forked.tasks.push_back(task_done("b", "").tasks[0]);
  forked.tasks[1].status = "pending";
  ASSERT_TRUE(store->create_workflow(workflow("f", "g1"), forked, "w").ok());
  EXPECT_EQ(store->task_output("f", "a").value(), large);
  EXPECT_EQ(store->task_output("f", "b").value(), "") << "it has not ended there";
  // What a fork was made of is not there any more: the task has another run.
  forked.tasks[0].run = "run_before";
  EXPECT_EQ(store->create_workflow(workflow("late", "g1"), forked, "w").failure().code, ErrorCode::kConflict);
  EXPECT_FALSE(store->find_workflow("late").value());
  EXPECT_EQ(store->unended_workflows_of("me").value(), 2u);
  WorkflowRecord named = workflow("n", "g1");
  named.client = "me client-1";
  ASSERT_TRUE(store->create_workflow(named, entry()).ok());
  EXPECT_EQ(store->unended_workflows_of("me").value(), 3u);
  EXPECT_EQ(store->unended_workflows_of("m").value(), 0u);
}

TEST_P(WorkflowsTest, ClaimsGoToTheOldestThatNobodyDrives) {
  const auto store = open();
  ASSERT_TRUE(store->join(node("g1")).ok());
  ASSERT_TRUE(store->create_workflow(workflow("new", "", 5), entry()).ok());
  ASSERT_TRUE(store->create_workflow(workflow("old", "", 4), entry()).ok());
  ASSERT_TRUE(store->create_workflow(workflow("mine", "g1", 1), entry()).ok());
  ASSERT_TRUE(store->create_workflow(workflow("orphan", "dead", 2), entry()).ok());
  std::vector<std::string> claimed;
  while (auto one = store->claim_workflow("g1", kMostClaims).value()) {
    EXPECT_EQ(one->owner, "g1");
    EXPECT_EQ(one->epoch, one->id == "orphan" ? 2 : 1);
    EXPECT_EQ(one->definition, R"({"tasks":[]})");
    claimed.push_back(one->id);
  }
  EXPECT_EQ(claimed, (std::vector<std::string>{"orphan", "old", "new"}));
  EXPECT_FALSE(store->claim_workflow_by_id("mine", "g2").value());
}

TEST_P(WorkflowsTest, WhoeverLostAWorkflowWritesNothingMore) {
  const auto one = open();
  const auto other = open();
  ASSERT_TRUE(one->join(node("g1")).ok());
  ASSERT_TRUE(other->join(node("g2")).ok());
  const Fence before = one->create_workflow(workflow("w", "g1"), entry()).value();
  EXPECT_FALSE(other->claim_workflow("g2", kMostClaims).value());
  ASSERT_TRUE(other->remove_node("g1").ok());
  const auto taken = other->claim_workflow("g2", kMostClaims).value();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->epoch, 2);
  EXPECT_EQ(one->save_step(before, task_done("a", "late")).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(one->release_workflow(before).failure().code, ErrorCode::kConflict);
  // Whatever it writes fails: its node is gone.
  EXPECT_EQ(one->create_workflow(workflow("v", "g1"), entry()).failure().code, ErrorCode::kConflict);
  EXPECT_FALSE(one->renew_lease().value());
  EXPECT_TRUE(other->renew_lease().value());
  const Fence after{"w", "g2", 2};
  ASSERT_TRUE(other->save_step(after, task_done("a", "1")).ok());
  EXPECT_EQ(other->workflow_tasks("w").value()[0].output, "1");
  // It rejoins under another name, still without the workflow; when it claims it again, the former fence stays lost.
  ASSERT_TRUE(one->join(node("g3")).ok());
  EXPECT_FALSE(one->claim_workflow("g3", kMostClaims).value());
  ASSERT_TRUE(other->release_workflow(after).ok());
  EXPECT_EQ(other->save_step(after, task_done("a", "2")).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(one->claim_workflow("g3", kMostClaims).value()->epoch, 3);
  EXPECT_EQ(one->save_step({"w", "g3", 2}, task_done("a", "2")).failure().code, ErrorCode::kConflict);
}

// It has not been claimed yet, so it still bears its driver's former name.
TEST_P(WorkflowsTest, WhoeverComesBackUnderAnotherNameHasLostIt) {
  const auto store = open();
  ASSERT_TRUE(store->join(node("g1")).ok());
  const Fence before = store->create_workflow(workflow("w", "g1"), entry()).value();
  ASSERT_TRUE(open()->remove_node("g1").ok());
  ASSERT_TRUE(store->join(node("g2")).ok());
  EXPECT_EQ(store->save_step(before, task_done("a", "late")).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->release_workflow(before).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->claim_workflow("g2", kMostClaims).value()->epoch, 2);
  EXPECT_TRUE(store->save_step({"w", "g2", 2}, task_done("a", "1")).ok());
}

TEST_P(WorkflowsTest, OneThatOnlyWaitsForAPersonDoesNotDieOfItsGateways) {
  const auto store = open();
  const auto fence = store->create_workflow(workflow("w", "g"), entry());
  WorkflowStep step;
  TaskRecord task;
  task.id = "asks";
  task.status = "running";
  task.run = "run_asks";
  step.tasks = {task};
  step.status = WorkflowStatus::kWaiting;
  ASSERT_TRUE(store->save_step(*fence, step).ok());
  RunRecord asks;
  asks.id = "run_asks";
  asks.status = RunStatus::kWaiting;
  asks.owner = "g";
  ASSERT_TRUE(store->add_run(asks).ok());
  ASSERT_TRUE(store->set_status("run_asks", RunStatus::kWaiting).ok());
  const auto claims = [&](int count) {
    for (int claim = 0; claim < count; ++claim) {
      const std::string name = "gone" + std::to_string(claim);
      if (!store->claim_workflow(name, 5).value()) return false;
    }
    return true;
  };
  EXPECT_TRUE(claims(12));
  // The run continues: from now on, claims count.
  ASSERT_TRUE(store->set_status("run_asks", RunStatus::kRunning).ok());
  EXPECT_FALSE(claims(12));
  EXPECT_EQ(store->find_workflow("w").value()->status, WorkflowStatus::kDead);
}

TEST_P(WorkflowsTest, OneThatTakesItsGatewaysWithItIsDeadInTheEnd) {
  const auto store = open();
  ASSERT_TRUE(store->create_workflow(workflow("w", "g0"), entry()).ok());
  std::int64_t epoch = 0;
  for (int i = 0; i < 3; ++i) epoch = store->claim_workflow("g" + std::to_string(i), 3).value()->epoch;
  // A saved step resets the count, and a release takes back only its own attempt.
  ASSERT_TRUE(store->save_step({"w", "g2", epoch}, task_done("a", "1")).ok());
  ASSERT_TRUE(store->release_workflow({"w", "g2", epoch}).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store->claim_workflow("h" + std::to_string(i), 3).value());
  EXPECT_FALSE(store->claim_workflow("h3", 3).value());
  const auto dead = store->find_workflow("w").value();
  EXPECT_EQ(dead->status, WorkflowStatus::kDead);
  EXPECT_TRUE(dead->ended);
  EXPECT_NE(dead->outcome.find("ATTEMPTS_EXHAUSTED"), std::string::npos);
  EXPECT_EQ(store->workflow_events_after("w", dead->last_event - 1, 10).value()[0].type, "workflow_abort");
  EXPECT_FALSE(store->claim_workflow("h4", 3).value());
  EXPECT_TRUE(store->reopen_workflow("w").value());
  EXPECT_FALSE(store->reopen_workflow("w").value());
  EXPECT_TRUE(store->claim_workflow("h5", 3).value());
}

TEST_P(WorkflowsTest, AnEndIsTheEnd) {
  const auto store = open();
  const Fence fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  WorkflowStep end;
  end.status = WorkflowStatus::kFinished;
  end.ended = 77;
  end.outcome = R"({"ok":true})";
  end.events = {{0, 77, "workflow_complete", "{}"}};
  ASSERT_TRUE(store->save_step(fence, end).ok());
  const auto ended = store->find_workflow("w").value();
  EXPECT_EQ(ended->status, WorkflowStatus::kFinished);
  EXPECT_EQ(ended->ended, 77);
  EXPECT_EQ(ended->outcome, R"({"ok":true})");
  EXPECT_EQ(store->save_step(fence, end).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(store->add_command({0, "w", "abort", "{}", "me", "cli", 1}).failure().code, ErrorCode::kConflict);
  EXPECT_FALSE(store->claim_workflow("g2", kMostClaims).value());
}

TEST_P(WorkflowsTest, APlanMayChangeOnTheWay) {
  const auto store = open();
  const Fence fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  ASSERT_TRUE(store->save_step(fence, task_done("a", "1")).ok());
  WorkflowStep replan;
  replan.definition = R"({"tasks":["b"]})";
  replan.drop_tasks = {"a"};
  replan.status = WorkflowStatus::kPaused;
  ASSERT_TRUE(store->save_step(fence, replan).ok());
  EXPECT_TRUE(store->workflow_tasks("w").value().empty());
  EXPECT_EQ(store->find_workflow("w").value()->definition, R"({"tasks":["b"]})");
  EXPECT_EQ(store->find_workflow("w").value()->status, WorkflowStatus::kPaused);
}

TEST_P(WorkflowsTest, CommandsAreConsumedByAStep) {
  const auto store = open();
  const Fence fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  ASSERT_TRUE(store->create_workflow(workflow("v", "g1"), entry()).ok());
  EXPECT_EQ(store->add_command({0, "x", "abort", "{}", "me", "cli", 1}).failure().code, ErrorCode::kNotFound);
  const std::int64_t first = store->add_command({0, "w", "pause", "{}", "me", "cli", 1}).value();
  const std::int64_t second = store->add_command({0, "w", "abort", R"({"why":1})", "ann", "http", 2}).value();
  EXPECT_LT(first, second);
  ASSERT_EQ(store->open_commands("w").value().size(), 2u);
  EXPECT_EQ(store->open_commands("w").value()[1].payload, R"({"why":1})");
  EXPECT_EQ(store->open_commands("w").value()[1].who, "ann");
  EXPECT_EQ(store->workflows_with_commands("g1").value(), std::vector<std::string>{"w"});
  EXPECT_TRUE(store->workflows_with_commands("g2").value().empty());
  WorkflowStep step;
  step.commands_done = first;
  ASSERT_TRUE(store->save_step(fence, step).ok());
  ASSERT_EQ(store->open_commands("w").value().size(), 1u);
  EXPECT_EQ(store->open_commands("w").value()[0].id, second);
  step.commands_done = second;
  EXPECT_FALSE(store->save_step({"w", "g1", 9}, step).ok());
  EXPECT_EQ(store->open_commands("w").value().size(), 1u);
}

TEST_P(WorkflowsTest, NoTwoClaimTheSame) {
  constexpr int kWorkflows = 40;
  {
    const auto store = open();
    for (int i = 0; i < kWorkflows; ++i) {
      ASSERT_TRUE(store->create_workflow(workflow(std::to_string(i), "", i), entry()).ok());
    }
  }
  std::vector<std::vector<std::string>> claimed(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto store = open();
      const std::string me = "g" + std::to_string(i);
      ASSERT_TRUE(store->join(node(me)).ok());
      while (const auto one = store->claim_workflow(me, kMostClaims).value()) claimed[i].push_back(one->id);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  std::size_t count = 0;
  for (const auto& some : claimed) {
    count += some.size();
    all.insert(some.begin(), some.end());
  }
  EXPECT_EQ(count, all.size());
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kWorkflows));
}

TEST_P(WorkflowsTest, NodesAreDeadWhenTheirLeaseHasRunOut) {
  const auto store = open();
  const auto other = open();
  ASSERT_TRUE(store->join(node("short", std::chrono::milliseconds(1))).ok());
  ASSERT_TRUE(other->join(node("long", std::chrono::hours(1))).ok());
  // Two that joined within a millisecond are in the order of their names.
  std::vector<NodeRecord> nodes = other->nodes().value();
  ASSERT_EQ(nodes.size(), 2u);
  if (nodes[0].id != "long") std::swap(nodes[0], nodes[1]);
  EXPECT_EQ(nodes[0].id, "long");
  EXPECT_EQ(nodes[0].host, "here");
  EXPECT_FALSE(nodes[0].expired);
  std::vector<std::string> removed;
  while (removed.empty()) removed = other->remove_expired_nodes().value();
  EXPECT_EQ(removed, std::vector<std::string>{"short"});
  EXPECT_FALSE(store->renew_lease().value());
  const Lease lease = other->hold_lease().value();
  EXPECT_TRUE(lease.holds());
  EXPECT_EQ(lease.holds(Lease::now() + std::chrono::hours(1)), !other->is_shared());
  if (store->is_shared()) {
    EXPECT_EQ(store->hold_lease().failure().code, ErrorCode::kConflict);
  }
  ASSERT_TRUE(other->leave("long").ok());
  EXPECT_TRUE(other->nodes().value().empty());
  // A Store that writes as no node is not hindered: a person at a terminal.
  EXPECT_TRUE(other->create_workflow(workflow("w"), entry()).ok());
}

TEST_P(WorkflowsTest, PrunesWhatHasEnded) {
  const auto store = open();
  for (int i = 0; i < 4; ++i) {
    const std::string id = std::to_string(i);
    const Fence fence = store->create_workflow(workflow(id, "g1"), entry()).value();
    if (i == 3) break;
    WorkflowStep end;
    end.status = WorkflowStatus::kFinished;
    end.ended = 100 + i;
    ASSERT_TRUE(store->save_step(fence, end).ok());
  }
  EXPECT_EQ(store->prune(100, 101).value().removed, 1u);
  EXPECT_EQ(store->prune(1, 0).value().removed, 1u);
  EXPECT_EQ(store->list_workflows(std::nullopt, 10).value().size(), 2u);
  EXPECT_TRUE(store->workflow_events_after("0", 0, 10).value().empty());
}

TEST_P(WorkflowsTest, KeepsRunsThatATaskHasYetToLookAt) {
  const auto store = open();
  const Fence fence = store->create_workflow(workflow("w", "g1"), entry()).value();
  for (const char* id : {"taken", "awaited"}) {
    RunRecord run;
    run.id = id;
    ASSERT_TRUE(store->add_run(run).ok());
    ASSERT_TRUE(store->end_run(id, RunStatus::kFinished, "{}", 1).ok());
    WorkflowStep step;
    TaskRecord task;
    task.id = id;
    task.run = id;
    task.status = std::string(id) == "taken" ? "completed" : "running";
    step.tasks.push_back(task);
    ASSERT_TRUE(store->save_step(fence, step).ok());
  }
  EXPECT_EQ(store->prune(0, 100).value().removed, 1u);
  EXPECT_TRUE(store->find_run("awaited").value().has_value());
}

INSTANTIATE_TEST_SUITE_P(On, WorkflowsTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
