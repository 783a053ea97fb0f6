#include "store/thread/store_thread.h"

#include <sys/resource.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <future>
#include <optional>
#include <thread>

#include "store/database/patience.h"
#include "store/database/writer_turn.h"
#include "store/store_fixture.h"
#include "store/thread/ask_store.h"

namespace glovebox::store {
namespace {

class PostedWritesTest : public StoreFixture {
 protected:
  static RunRecord run(const std::string& id) {
    RunRecord record;
    record.id = id;
    return record;
  }
  // Waits for the write and returns its result.
  static Result<void> written(Store& store, std::function<Result<void>(Store&)> work) {
    std::promise<Result<void>> done;
    store.post_write(std::move(work), [&](Result<void> result) { done.set_value(std::move(result)); });
    return done.get_future().get();
  }
};

TEST_P(PostedWritesTest, WhoeverReadsSeesWhatWasPostedBefore) {
  const auto store = open();
  for (int i = 0; i < 200; ++i) {
    const std::string id = "r" + std::to_string(i);
    store->post_write([id](Store& posted) { return posted.add_run(run(id)); }, nullptr, false);
    EXPECT_TRUE(store->find_run(id).value());
  }
}

TEST_P(PostedWritesTest, ALoopAsksAndGoesOnMeanwhile) {
  const auto store = open();
  boost::asio::io_context loop;
  const auto more_to_come = boost::asio::make_work_guard(loop);
  std::promise<void> go;
  std::thread::id worked_on;
  std::optional<Result<std::size_t>> counted;
  store->post_write([](Store& posted) { return posted.add_run(run("r")); }, nullptr, false);
  {
    const QueueOnly strict;
    ask_store(
        *store, loop.get_executor(),
        [&](Store& here) {
          go.get_future().wait();
          worked_on = std::this_thread::get_id();
          return here.count_runs(RunStatus::kRunning);
        },
        [&, here = std::this_thread::get_id()](Result<std::size_t> count) {
          EXPECT_EQ(std::this_thread::get_id(), here);
          counted = std::move(count);
        });
    loop.poll();
    EXPECT_FALSE(counted) << "the loop has gone on";
    go.set_value();
    while (!counted) loop.run_one();
  }
  EXPECT_EQ(counted->value(), 1u) << "it has seen what was posted before";
  EXPECT_NE(worked_on, std::this_thread::get_id());
}

TEST_P(PostedWritesTest, ASlowDiskDelaysARequestAndFailsNone) {
  const auto store = open();
  boost::asio::io_context loop;
  const auto more_to_come = boost::asio::make_work_guard(loop);
  std::promise<void> go;
  store->post([&](Store&) { go.get_future().wait(); });
  while (store->is_away_for().count() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::optional<Result<std::size_t>> counted;
  ask_store(
      *store, loop.get_executor(), [](Store& here) { return here.count_runs(RunStatus::kRunning); },
      [&](Result<std::size_t> count) { counted = std::move(count); });
  go.set_value();
  while (!counted) loop.run_one();
  EXPECT_EQ(counted->value(), 0u);
}

TEST_P(PostedWritesTest, WhatAnAskerThatHasGoneHeldEndsOnItsLoop) {
  const auto store = open();
  boost::asio::io_context loop;
  const auto more_to_come = boost::asio::make_work_guard(loop);
  std::promise<void> go;
  store->post([&](Store&) { go.get_future().wait(); });
  std::optional<std::thread::id> ended_on;
  {
    const auto asker = std::make_shared<int>();
    const std::shared_ptr<const void> held(nullptr, [&](const void*) { ended_on = std::this_thread::get_id(); });
    ask_store_until_back(
        *store, loop.get_executor(), asker, [](Store& here) { return here.count_runs(RunStatus::kRunning); },
        [held](const Result<std::size_t>&) { ADD_FAILURE() << "nobody asks any more"; });
  }
  go.set_value();
  ASSERT_TRUE(store->wait_for_posted().ok());
  EXPECT_FALSE(ended_on);
  while (!ended_on) loop.run_one();
  EXPECT_EQ(*ended_on, std::this_thread::get_id());
}

TEST_P(PostedWritesTest, ADirectCallEndsALoopThatMayOnlyAsk) {
  const auto store = open();
  const QueueOnly strict;
  EXPECT_DEATH((void)store->find_run("r").ok(), "broken invariant at .*QueueOnly");
  const DirectCalls direct;
  EXPECT_TRUE(store->find_run("r").ok());
}

// The thread is held up until all are posted, so that they are given out together.
TEST_P(PostedWritesTest, OneThatFailsTakesNoOtherWithIt) {
  const auto store = open();
  std::promise<void> go;
  store->post([&](Store&) { go.get_future().wait(); });
  std::vector<std::string> order;
  const auto post = [&](const std::string& id) {
    store->post_write([id](Store& posted) { return posted.add_run(run(id)); },
                      [&, id](const Result<void>& done) { order.push_back(id + (done ? " done" : " failed")); });
  };
  for (const char* id : {"a", "b", "a", "c"}) post(id);
  go.set_value();
  EXPECT_EQ(store->list_runs(std::nullopt, 10)->size(), 3u);
  EXPECT_EQ(order, (std::vector<std::string>{"a done", "b done", "a failed", "c done"}));
}

// What is refused after a trouble that has passed is not taken for that trouble, and nothing behind it waits.
TEST_P(PostedWritesTest, ARefusalIsAnAnswerWhateverFailedBefore) {
  const auto store = open();
  if (GetParam() == Backend::kSqlite) {
    WriterTurns turns = WriterTurns::open(folder_ + "/glovebox.db-turn").value();
    const auto turn = turns.wait_for_turn();
    const NoPatience hurried;
    ASSERT_FALSE(store->add_run(run("r")).ok());
  }
  const auto refused = written(*store, [](Store& here) -> Result<void> {
    if (!here.find_run("r").value()) return Failure{ErrorCode::kNotFound, "there is no run r"};
    return {};
  });
  EXPECT_EQ(refused.failure().code, ErrorCode::kNotFound);
}

TEST_P(PostedWritesTest, WhatNobodyWaitsForComesFirstAllTheSame) {
  const auto store = open();
  std::vector<std::string> order;
  std::promise<void> last;
  const auto post = [&](const std::string& id, Haste haste, bool is_last) {
    store->post_write([id](Store& posted) { return posted.add_run(run(id)); },
                      [&, id, is_last](const Result<void>& done) {
                        if (done) order.push_back(id);
                        if (is_last) last.set_value();
                      },
                      false, haste);
  };
  post("a", Haste::kWithNext, false);
  post("b", Haste::kNow, false);
  // After a while it is written even if nothing joins it.
  post("c", Haste::kWithNext, true);
  last.get_future().wait();
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c"}));
}

TEST_P(PostedWritesTest, ManyShareACommit) {
  const auto store = open();
  std::promise<void> go;
  store->post([&](Store&) { go.get_future().wait(); });
  static std::atomic<int> commits = 0;
  commits = 0;
  failpoint_hook = [](const char* what, const char* moment) {
    if (std::string_view(what) == "together" && std::string_view(moment) == "committed") ++commits;
  };
  for (int i = 0; i < 50; ++i) {
    store->post_write([i](Store& posted) { return posted.add_run(run("r" + std::to_string(i))); }, nullptr);
  }
  go.set_value();
  EXPECT_EQ(store->list_runs(std::nullopt, 100)->size(), 50u);
  failpoint_hook = nullptr;
  EXPECT_EQ(commits, 1);
}

TEST_P(PostedWritesTest, WhatWasPostedIsWrittenBeforeTheStoreIsClosed) {
  auto store = open();
  for (int i = 0; i < 100; ++i) {
    store->post_write([i](Store& posted) { return posted.add_run(run("r" + std::to_string(i))); }, nullptr);
  }
  store.reset();
  EXPECT_EQ(open()->list_runs(std::nullopt, 1000)->size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(On, PostedWritesTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

class AwayPostgresTest : public PostedWritesTest {};

TEST_P(AwayPostgresTest, WhatIsPostedWaitsAndNobodyElseDoes) {
  const auto store = open();
  ASSERT_TRUE(written(*store, [](Store& posted) { return posted.add_run(run("before")); }).ok());
  PostgresCluster::shared()->crash();
  std::promise<Result<void>> done;
  store->post_write([](Store& posted) { return posted.add_run(run("meanwhile")); },
                    [&](Result<void> result) { done.set_value(std::move(result)); });
  while (store->is_away_for() == std::chrono::steady_clock::duration::zero()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // A thread that serves others fails at once, and does not sleep until the next attempt of the store's thread.
  const auto sleeps = [] {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  };
  const long before = sleeps();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(without_waiting([&] { return store->find_run("before"); }).ok());
  }
  EXPECT_LT(sleeps() - before, 500);
  PostgresCluster::shared()->run();
  EXPECT_TRUE(done.get_future().get().ok());
  EXPECT_TRUE(store->find_run("meanwhile").value());
  EXPECT_EQ(store->is_away_for(), std::chrono::steady_clock::duration::zero());
}

// Nothing is posted: the call that finds the server gone must not be the one that waits for it.
TEST_P(AwayPostgresTest, TheWayBackIsFoundWithoutAnybodyWaiting) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("before")).ok());
  PostgresCluster::shared()->crash();
  EXPECT_FALSE(without_waiting([&] { return store->find_run("before"); }).ok());
  PostgresCluster::shared()->run();
  while (!without_waiting([&] { return store->find_run("before"); }).ok()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// A lease that expired while the database was away proves nothing: no node could renew.
TEST_P(AwayPostgresTest, NobodyIsDeadBecauseTheDatabaseWasAway) {
  const auto one = open();
  const auto two = open();
  constexpr std::chrono::milliseconds kLease(1500);
  NodeRecord node;
  node.lease = kLease;
  node.id = "one";
  ASSERT_TRUE(one->join(node).ok());
  node.id = "two";
  ASSERT_TRUE(two->join(node).ok());
  PostgresCluster::shared()->crash();
  std::this_thread::sleep_for(2 * kLease);
  PostgresCluster::shared()->run();
  EXPECT_TRUE(one->remove_expired_nodes().value().empty());
  // From then on leases expire as usual.
  std::vector<std::string> removed;
  while (removed.empty()) removed = one->remove_expired_nodes().value();
  EXPECT_EQ(removed, std::vector<std::string>{"two"});
}

INSTANTIATE_TEST_SUITE_P(On, AwayPostgresTest, testing::Values(Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
