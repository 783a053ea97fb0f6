#include "store/database/postgres.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "base/try.h"
#include "store/database/failpoint.h"
#include "store/database/patience.h"
#include "store/database/postgres_cluster.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

PostgresDatabase* cut_at_commit = nullptr;

class PostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
    address_ = PostgresCluster::shared()->make_database();
  }
  void TearDown() override { failpoint_hook = nullptr; }

  std::unique_ptr<PostgresDatabase> open() const {
    auto database = PostgresDatabase::open(address_);
    EXPECT_TRUE(database.ok()) << (database ? "" : database.failure().message);
    return std::move(database).value();
  }
  static Result<void> add(PostgresDatabase& database) {
    return database.write({"add"}, [&] { return database.prepare("INSERT INTO t VALUES (?)").value().bind(7).run(); });
  }
  static std::int64_t count(PostgresDatabase& database) {
    std::int64_t rows = 0;
    const auto read = database.read([&]() -> Result<void> {
      auto row = GLOVEBOX_TRY(database.prepare("SELECT count(*) FROM t"));
      if (GLOVEBOX_TRY(row.step())) rows = row.number(0);
      return {};
    });
    EXPECT_TRUE(read.ok()) << (read ? "" : read.failure().message);
    return rows;
  }

  std::string address_;
};

TEST_F(PostgresTest, AWriteWhoseConnectionIsLostIsDoneOnce) {
  const auto database = open();
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  cut_at_commit = database.get();
  // Killed before the commit: it is retried. After: it is not, and the caller gets success.
  int expected = 0;
  for (const FailpointHook hook : {+[](const char*, const char* moment) {
                                     if (std::string_view(moment) != "written") return;
                                     failpoint_hook = nullptr;
                                     cut_at_commit->cut_connection();
                                   },
                                   +[](const char*, const char* moment) {
                                     if (std::string_view(moment) != "begun") return;
                                     failpoint_hook = nullptr;
                                     cut_at_commit->cut_connection();
                                   }}) {
    failpoint_hook = hook;
    const auto added = add(*database);
    ASSERT_TRUE(added.ok()) << added.failure().message;
    EXPECT_EQ(count(*database), ++expected);
  }
}

TEST_F(PostgresTest, ACommitThatNobodyHeardOfIsNotMadeAgain) {
  const auto database = open();
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  int calls = 0;
  // The work commits by itself, and the connection is lost before the reply arrives.
  const auto done = database->write({"add"}, [&]() -> Result<void> {
    ++calls;
    GLOVEBOX_TRY_VOID(database->prepare("INSERT INTO t VALUES (?)").value().bind(1).run());
    GLOVEBOX_TRY_VOID(database->execute("COMMIT"));
    database->cut_connection();
    return {};
  });
  ASSERT_TRUE(done.ok()) << done.failure().message;
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(count(*database), 1);
}

TEST_F(PostgresTest, ARestartOfTheServerIsWaitedOut) {
  const auto database = open();
  database->set_patience(std::chrono::minutes(10));
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  ASSERT_TRUE(add(*database).ok());
  PostgresCluster::shared()->crash();
  std::optional<Result<void>> added;
  std::thread writer([&] { added = add(*database); });
  PostgresCluster::shared()->run();
  writer.join();
  ASSERT_TRUE(added->ok()) << added->failure().message;
  EXPECT_EQ(count(*database), 2);
}

// A caller that does not wait gets a failure while the server is away, without using up the patience of those that do.
TEST_F(PostgresTest, WhoeverLooksAgainAnywayDoesNotWait) {
  const auto database = open();
  database->set_patience(std::chrono::minutes(10));
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  PostgresCluster::shared()->crash();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(without_waiting([&] { return add(*database); }).ok());
  std::optional<Result<void>> added;
  std::thread writer([&] { added = add(*database); });
  PostgresCluster::shared()->run();
  writer.join();
  ASSERT_TRUE(added->ok()) << added->failure().message;
  EXPECT_TRUE(without_waiting([&] { return add(*database); }).ok());
  EXPECT_EQ(count(*database), 2);
}

TEST_F(PostgresTest, AnErrorOfTheWorkUndoesItAndLeavesTheConnection) {
  const auto database = open();
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  const auto failed = database->write({"add"}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(database->prepare("INSERT INTO t VALUES (?)").value().bind(1).run());
    return database->prepare("SELECT nonsense").value().run();
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.failure().message.find("nonsense"), std::string::npos) << failed.failure().message;
  EXPECT_EQ(count(*database), 0);
  EXPECT_TRUE(add(*database).ok());
}

// Whether the write is sent as a whole, or something is read in the middle of it.
TEST_F(PostgresTest, WhatIsRequiredStopsTheWholeWrite) {
  const auto database = open();
  ASSERT_TRUE(database->execute("CREATE TABLE t (x BIGINT)").ok());
  const auto require = [&](std::int64_t x, const char* otherwise) {
    auto row = database->prepare("SELECT 1 FROM t WHERE x = ?").value();
    return row.bind(x).require({ErrorCode::kConflict, otherwise});
  };
  for (const bool reads : {false, true}) {
    const auto write = [&](std::int64_t second) {
      return database->write({"add"}, [&]() -> Result<void> {
        GLOVEBOX_TRY_VOID(database->prepare("INSERT INTO t VALUES (?)").value().bind(1).run());
        GLOVEBOX_TRY_VOID(require(1, "there is no one"));
        if (reads) GLOVEBOX_TRY(database->prepare("SELECT 1").value().step());
        GLOVEBOX_TRY_VOID(require(second, "there is no two"));
        return database->prepare("INSERT INTO t VALUES (?)").value().bind(3).run();
      });
    };
    const std::int64_t before = count(*database);
    const auto failed = write(2);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.failure().code, ErrorCode::kConflict);
    EXPECT_EQ(failed.failure().message, "there is no two");
    EXPECT_EQ(count(*database), before);
    ASSERT_TRUE(write(1).ok());
    EXPECT_EQ(count(*database), before + 2);
  }
}

TEST_F(PostgresTest, TwoThatWaitForEachOtherBothComeThrough) {
  const auto one = open();
  ASSERT_TRUE(
      one->execute("CREATE TABLE t (x BIGINT PRIMARY KEY, y BIGINT); INSERT INTO t VALUES (1, 0), (2, 0)").ok());
  const auto other = open();
  std::mutex mutex;
  std::condition_variable changed;
  int ready = 0;
  const auto both = [&](PostgresDatabase& database, std::int64_t first, std::int64_t second) {
    bool waited = false;
    return database.write({"both"}, [&]() -> Result<void> {
      const char* sql = "UPDATE t SET y = y + 1 WHERE x = ?";
      GLOVEBOX_TRY_VOID(database.prepare(sql).value().bind(first).run());
      if (!std::exchange(waited, true)) {
        std::unique_lock lock(mutex);
        ++ready;
        changed.notify_all();
        changed.wait(lock, [&] { return ready == 2; });
      }
      return database.prepare(sql).value().bind(second).run();
    });
  };
  std::optional<Result<void>> second;
  std::thread thread([&] { second = both(*other, 2, 1); });
  const auto first = both(*one, 1, 2);
  thread.join();
  EXPECT_TRUE(first.ok()) << first.failure().message;
  EXPECT_TRUE(second->ok());
  std::int64_t sum = 0;
  ASSERT_TRUE(one->read([&]() -> Result<void> {
                   auto row = GLOVEBOX_TRY(one->prepare("SELECT sum(y)::bigint FROM t"));
                   if (GLOVEBOX_TRY(row.step())) sum = row.number(0);
                   return {};
                 })
                  .ok());
  EXPECT_EQ(sum, 4);
}

TEST_F(PostgresTest, WhoeverListensIsWoken) {
  const auto database = open();
  std::mutex mutex;
  std::condition_variable changed;
  int woken = 0;
  const auto until = [&](int times) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return woken >= times; });
    return woken;
  };
  PostgresListener listener(address_, [&] {
    const std::lock_guard lock(mutex);
    ++woken;
    changed.notify_all();
  });
  const int before = until(1);  // it listens
  ASSERT_TRUE(database->write({"wake"}, [&] { return database->wake_others(); }).ok());
  const int after = until(before + 1);
  // It reconnects by itself, and reports a wake-up.
  PostgresCluster::shared()->restart();
  until(after + 1);
}

TEST_F(PostgresTest, AnOlderSchemaIsCopiedBeforeItIsChanged) {
  { ASSERT_TRUE(Store::connect(address_, RowKey{}).ok()); }
  const auto database = open();
  for (int again = 0; again < 2; ++again)
    ASSERT_TRUE(database->write({"back_up"}, [&] { return database->back_up(1, {}); }).ok());
  auto row = database->prepare("SELECT count(*) FROM glovebox_backup_v1.schema_version");
  ASSERT_TRUE(row.value().step().value());
  EXPECT_GT(row.value().number(0), 0);
}

TEST_F(PostgresTest, ANewerSchemaIsRefused) {
  { ASSERT_TRUE(Store::connect(address_, RowKey{}).ok()); }
  ASSERT_TRUE(open()->execute("INSERT INTO schema_version VALUES (999)").ok());
  const auto store = Store::connect(address_, RowKey{});
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.failure().message.find("newer glovebox"), std::string::npos) << store.failure().message;
}

TEST(PostgresAddress, IsNeverShownWithItsPassword) {
  EXPECT_TRUE(is_postgres_address("postgres://a"));
  EXPECT_TRUE(is_postgres_address("postgresql://a"));
  EXPECT_FALSE(is_postgres_address("glovebox.db"));
  EXPECT_EQ(shown_address("postgres://ann:s3cret@db.example:5433/app?sslmode=require"),
            "postgres://ann@db.example:5433/app");
  EXPECT_EQ(shown_address("postgres://ann:s3cret@[broken/app").find("s3cret"), std::string::npos);
  for (const char* address : {"postgres://ann:s3cret@127.0.0.1:1/app", "postgres://ann:s3cret@127.0.0.1:x/app",
                              "postgres://ann:s3cret@[broken/app", "postgres://h/app?password=s3cret&nonsense=1"}) {
    const auto store = Store::connect(address, RowKey{});
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.failure().message.find("s3cret"), std::string::npos) << store.failure().message;
  }
}

// Failures are shown to agents, too.
TEST(PostgresConnection, FailuresNameNoAddress) {
  const auto opened = PostgresConnection::open("postgresql://ann@127.0.0.1:1/db?connect_timeout=2");
  ASSERT_FALSE(opened.ok());
  EXPECT_TRUE(opened.failure().message.starts_with("the store cannot be reached: ")) << opened.failure().message;
  EXPECT_EQ(opened.failure().message.find("127.0.0.1"), std::string::npos) << opened.failure().message;
}

}  // namespace
}  // namespace glovebox::store
