#include "workflow/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "workflow/definition/graph.h"

namespace glovebox::workflow {
namespace {

using End = Scheduler::End;

ScheduledTask task(std::vector<std::size_t> dependencies, std::size_t layer, Decision decision = Decision::kNone) {
  ScheduledTask made;
  made.dependencies = std::move(dependencies);
  made.layer = layer;
  made.decision = decision;
  return made;
}

std::string actions_text(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) {
    if (!text.empty()) text += ' ';
    std::visit(
        [&](const auto& what) {
          using What = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<What, StartLayer>) text += "layer" + std::to_string(what.layer);
          if constexpr (std::is_same_v<What, StartTask>) text += "start" + std::to_string(what.task);
          if constexpr (std::is_same_v<What, BlockTask>) text += "block" + std::to_string(what.task);
          if constexpr (std::is_same_v<What, RetryLater>) text += "retry" + std::to_string(what.task);
          if constexpr (std::is_same_v<What, CancelTask>) text += "cancel" + std::to_string(what.task);
          if constexpr (std::is_same_v<What, EndLayer>) text += "layer" + std::to_string(what.layer) + "done";
          if constexpr (std::is_same_v<What, AskDecision>) text += "ask" + std::string(name_of(what.by));
          if constexpr (std::is_same_v<What, EndWorkflow>) text += "end" + std::to_string(static_cast<int>(what.how));
        },
        action);
  }
  return text;
}

TEST(Scheduler, RunsLayersOneAfterTheOtherWithinTheLimit) {
  Scheduler scheduler({task({}, 0), task({}, 0), task({}, 0), task({0, 1}, 1)}, 2);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0 start0 start1");
  scheduler.ended(1, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "start2");
  scheduler.ended(0, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "");
  scheduler.ended(2, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done layer1 start3");
  scheduler.ended(3, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1done end0");
  EXPECT_EQ(actions_text(scheduler.advance()), "");
}

TEST(Scheduler, AFailureFailsDependentsAndNobodyElse) {
  Scheduler scheduler({task({}, 0), task({}, 0), task({0}, 1), task({1}, 1), task({2}, 2)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kFailed);
  scheduler.ended(1, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done layer1 block2 start3");
  scheduler.ended(3, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1done layer2 block4 layer2done end1");
}

TEST(Scheduler, AFailureWithoutEffectLetsDependentsRun) {
  Scheduler scheduler({task({}, 0), task({0}, 1)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kFailedSafe);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done layer1 start1");
  scheduler.ended(1, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1done end3");
}

TEST(Scheduler, TriesAgainAsOftenAsItMay) {
  std::vector<ScheduledTask> tasks{task({}, 0)};
  tasks[0].attempts = 2;
  Scheduler scheduler(tasks, 8);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0 start0");
  scheduler.ended(0, End::kFailed);
  EXPECT_EQ(actions_text(scheduler.advance()), "retry0");
  EXPECT_EQ(actions_text(scheduler.advance()), "");
  scheduler.retry_due(0);
  EXPECT_EQ(actions_text(scheduler.advance()), "start0");
  scheduler.ended(0, End::kFailed);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done end1");
}

TEST(Scheduler, AsksAfterALayerAndTheStrictestCounts) {
  Scheduler scheduler({task({}, 0, Decision::kAgent), task({}, 0, Decision::kHuman), task({0}, 1, Decision::kAgent)},
                      8);
  scheduler.advance();
  scheduler.ended(0, End::kCompleted);
  scheduler.ended(1, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done askhuman");
  EXPECT_TRUE(scheduler.asks());
  EXPECT_EQ(actions_text(scheduler.advance()), "");
  EXPECT_TRUE(scheduler.go_on());
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1 start2");
  scheduler.ended(2, End::kCompleted);
  // There is nothing left to decide about.
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1done end0");
  EXPECT_FALSE(scheduler.go_on());
}

TEST(Scheduler, APauseLetsWhatRunsEndAndStartsNothing) {
  Scheduler scheduler({task({}, 0), task({}, 0), task({}, 1)}, 1);
  scheduler.advance();
  scheduler.pause();
  scheduler.ended(0, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "");
  EXPECT_TRUE(scheduler.go_on());
  EXPECT_EQ(actions_text(scheduler.advance()), "start1");
}

TEST(Scheduler, AnAbortWaitsForWhatRuns) {
  Scheduler scheduler({task({}, 0), task({}, 0), task({0}, 1)}, 8);
  scheduler.advance();
  scheduler.ended(1, End::kCompleted);
  scheduler.abort();
  EXPECT_EQ(actions_text(scheduler.advance()), "cancel0");
  scheduler.ended(0, End::kFailedFinal);
  EXPECT_EQ(actions_text(scheduler.advance()), "end2");
  EXPECT_EQ(scheduler.tasks()[0].status, TaskStatus::kAborted);
  EXPECT_EQ(scheduler.tasks()[1].status, TaskStatus::kCompleted);
  EXPECT_EQ(scheduler.tasks()[2].status, TaskStatus::kAborted);
}

TEST(Scheduler, SkippedLayersLetDependentsRun) {
  Scheduler scheduler({task({}, 0, Decision::kAgent), task({0}, 1), task({1}, 2)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kCompleted);
  scheduler.advance();
  EXPECT_EQ(scheduler.skip_layer(), 1u);
  scheduler.go_on();
  EXPECT_EQ(actions_text(scheduler.advance()), "layer2 start2");
}

TEST(Scheduler, AnUnknownOutcomeWaitsForSomebody) {
  Scheduler scheduler({task({}, 0), task({0}, 1)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kUnknown);
  EXPECT_EQ(actions_text(scheduler.advance()), "");
  EXPECT_EQ(scheduler.unknown(), 1u);
  EXPECT_TRUE(scheduler.settle(0, Scheduler::Verdict::kRetry));
  EXPECT_FALSE(scheduler.settle(0, Scheduler::Verdict::kRetry));
  EXPECT_EQ(actions_text(scheduler.advance()), "start0");
  scheduler.ended(0, End::kUnknown);
  EXPECT_TRUE(scheduler.settle(0, Scheduler::Verdict::kSkip));
  EXPECT_EQ(actions_text(scheduler.advance()), "layer0done layer1 start1");
}

TEST(Scheduler, TasksThatJoinStandBehindWhatWasStarted) {
  Scheduler scheduler({task({}, 0, Decision::kAgent), task({0}, 1)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kCompleted);
  scheduler.advance();
  EXPECT_EQ(scheduler.add({task({3}, 0), task({}, 0)}), 2u);
  EXPECT_EQ(scheduler.tasks()[3].layer, 1u);
  EXPECT_EQ(scheduler.tasks()[2].layer, 2u);
  scheduler.go_on();
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1 start1 start3");
}

TEST(Scheduler, AnotherPlanTakesThePlaceOfWhatIsPending) {
  Scheduler scheduler({task({}, 0, Decision::kAgent), task({0}, 1), task({1}, 2)}, 8);
  scheduler.advance();
  scheduler.ended(0, End::kCompleted);
  scheduler.advance();
  EXPECT_EQ(scheduler.drop_pending(), (std::vector<std::size_t>{1, 2}));
  scheduler.add({task({0}, 0)});
  scheduler.go_on();
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1 start3");
  scheduler.ended(3, End::kCompleted);
  EXPECT_EQ(actions_text(scheduler.advance()), "layer1done end0");
}

// An agent may list the tasks of a new plan in any order: here each depends on the next.
TEST(Scheduler, AddsALongChainInAnyOrder) {
  Scheduler scheduler({task({}, 0)}, 1);
  constexpr std::size_t kMany = 20'000;
  std::vector<ScheduledTask> chain;
  for (std::size_t place = 1; place < kMany; ++place) chain.push_back(task({place + 1}, 0));
  chain.push_back(task({0}, 0));
  EXPECT_EQ(scheduler.add(std::move(chain)), 1u);
  for (std::size_t place = 1; place <= kMany; ++place)
    ASSERT_EQ(scheduler.tasks()[place].layer, kMany - place + 1) << place;
  EXPECT_EQ(scheduler.drop_pending().size(), kMany + 1);
  EXPECT_EQ(scheduler.next_layer(), std::nullopt);
}

// --- random graphs against a model

struct Plan {
  std::vector<ScheduledTask> tasks;
  std::vector<std::vector<End>> ends;  // of each attempt
  std::size_t concurrency = 1;
};

Plan random_plan(std::mt19937& random) {
  const auto below = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most - 1)(random); };
  Plan plan;
  const std::size_t count = 1 + below(24);
  Dependencies dependencies(count);
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t k = below(4); k > 0; --k) {
      const std::size_t on = below(i);
      auto& list = dependencies[i];
      if (std::find(list.begin(), list.end(), on) == list.end()) list.push_back(on);
    }
  }
  const auto layers = layers_of(dependencies);
  for (std::size_t i = 0; i < count; ++i) {
    ScheduledTask made = task(dependencies[i], layers[i]);
    made.attempts = 1 + static_cast<int>(below(3));
    if (below(10) == 0) made.decision = Decision::kAgent;
    std::vector<End> ends;
    for (int attempt = 0; attempt < made.attempts; ++attempt) {
      constexpr End kEnds[] = {End::kCompleted, End::kCompleted,  End::kCompleted,
                               End::kFailed,    End::kFailedSafe, End::kFailedFinal};
      ends.push_back(kEnds[below(std::size(kEnds))]);
    }
    plan.tasks.push_back(made);
    plan.ends.push_back(ends);
  }
  plan.concurrency = 1 + below(5);
  return plan;
}

// The expected end of each task, from the definition alone.
std::vector<TaskStatus> model(const Plan& plan) {
  std::vector<std::optional<TaskStatus>> known(plan.tasks.size());
  const std::function<TaskStatus(std::size_t)> status = [&](std::size_t place) {
    if (known[place]) return *known[place];
    for (const std::size_t on : plan.tasks[place].dependencies) {
      if (!lets_pass(status(on))) return *(known[place] = TaskStatus::kFailed);
    }
    TaskStatus last = TaskStatus::kFailed;
    for (const End end : plan.ends[place]) {
      last = end == End::kCompleted    ? TaskStatus::kCompleted
             : end == End::kFailedSafe ? TaskStatus::kFailedSafe
                                       : TaskStatus::kFailed;
      if (end == End::kCompleted || end == End::kFailedFinal) break;
    }
    return *(known[place] = last);
  };
  std::vector<TaskStatus> all;
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) all.push_back(status(i));
  return all;
}

// Runs the plan in a random order. With `deaths`, the scheduler is now and then rebuilt from what would be in the
// store.
void run_and_compare(const Plan& plan, std::mt19937& random, bool deaths) {
  const auto below = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most - 1)(random); };
  auto scheduler = std::make_unique<Scheduler>(plan.tasks, plan.concurrency);
  std::set<std::size_t> running;
  std::vector<std::size_t> retrying;
  std::set<std::size_t> layers_started, layers_ended, asked;
  std::vector<int> starts(plan.tasks.size());
  bool over = false;
  while (!over) {
    for (const Action& action : scheduler->advance()) {
      if (const auto* start = std::get_if<StartTask>(&action)) {
        ASSERT_TRUE(running.insert(start->task).second);
        ASSERT_LE(running.size(), plan.concurrency);
        ASSERT_LE(++starts[start->task], plan.tasks[start->task].attempts);
        for (const std::size_t on : plan.tasks[start->task].dependencies) {
          ASSERT_TRUE(lets_pass(scheduler->tasks()[on].status));
        }
      } else if (const auto* later = std::get_if<RetryLater>(&action)) {
        retrying.push_back(later->task);
      } else if (const auto* layer = std::get_if<StartLayer>(&action)) {
        ASSERT_TRUE(layers_started.insert(layer->layer).second);
      } else if (const auto* done = std::get_if<EndLayer>(&action)) {
        ASSERT_TRUE(layers_ended.insert(done->layer).second);
      } else if (const auto* ask = std::get_if<AskDecision>(&action)) {
        ASSERT_TRUE(asked.insert(ask->layer).second);
      } else if (std::holds_alternative<EndWorkflow>(action)) {
        over = true;
      }
    }
    if (deaths && below(3) == 0) {
      const auto tasks = scheduler->tasks();
      const auto position = scheduler->position();
      scheduler = std::make_unique<Scheduler>(tasks, plan.concurrency, position);
      retrying.clear();  // the new scheduler reports again what waits
      continue;
    }
    if (over) break;
    if (!running.empty() && (retrying.empty() || below(2))) {
      const std::size_t place = *std::next(running.begin(), static_cast<long>(below(running.size())));
      running.erase(place);
      scheduler->ended(place, plan.ends[place][static_cast<std::size_t>(scheduler->tasks()[place].attempt - 1)]);
    } else if (!retrying.empty()) {
      scheduler->retry_due(retrying.back());
      retrying.pop_back();
    } else {
      ASSERT_TRUE(scheduler->go_on()) << "nothing runs, and no one is asked";
    }
  }
  EXPECT_EQ(layers_started, layers_ended);
  const auto expected = model(plan);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(name_of(scheduler->tasks()[i].status), name_of(expected[i])) << "task " << i;
  }
}

TEST(Scheduler, RandomGraphsEndAsTheModelSays) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const Plan plan = random_plan(random);
    run_and_compare(plan, random, false);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(Scheduler, DeathsChangeNothing) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const Plan plan = random_plan(random);
    run_and_compare(plan, random, true);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace glovebox::workflow
