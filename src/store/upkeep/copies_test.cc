// Copies between stores of both kinds, and the space that a store gives back.
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "store/database/sqlite.h"
#include "store/store_fixture.h"
#include "store/upkeep/copy_rows.h"
#include "store/workflows/workflow_driver.h"

namespace glovebox::store {
namespace {

TEST(StoredTables, AreAllTablesOfTheSchema) {
  auto columns = stored_columns();
  ASSERT_TRUE(columns.ok()) << columns.failure().message;
  for (const StoredTable& table : kStoredTables) EXPECT_EQ(columns->erase(table.name), 1u) << table.name;
  for (const std::string_view name : kTablesOfNow) columns->erase(std::string(name));
  EXPECT_TRUE(columns->empty()) << "is " << columns->begin()->first << " copied with a store, or of now?";
}

class CopiesTest : public StoreFixture {
 protected:
  // Rows with every kind of column value: null, numbers, texts that PostgreSQL's text type could not hold, bytes.
  static void fill(Store& store) {
    for (int i = 0; i < 200; ++i) {
      RunRecord run;
      run.id = "run_" + std::to_string(1000 + i);
      run.created = i;
      run.code = std::string("a\0b\xff", 4) + std::to_string(i);
      run.context = run.config = "{}";
      ASSERT_TRUE(store.add_run(run).ok());
      if (i > 0) ASSERT_TRUE(store.end_run(run.id, RunStatus::kFinished, R"({"result":1})", i).ok());
    }
    ASSERT_TRUE(store.begin_journal("run_1000", {{JournalEntry::Kind::kCall, 1, "tool", "d", ""}}, {1}).ok());
    ApprovalRecord approval;
    approval.id = "ap_1";
    approval.run = "run_1000";
    approval.card = "{}";
    approval.calls = {{.call = 1, .server = "s", .tool = "t", .arguments = "{}"}};
    ASSERT_TRUE(store.add_approval(approval).ok());
    ASSERT_TRUE(
        store.answer({0, "ap_1", "run_1000", {1}, "ann", "cli", Scope::kSession, true, "", {"s:t"}, 7}, "s").ok());
    ASSERT_TRUE(store.create_workflow(driven_workflow("w"), driven_entry()).ok());
    ASSERT_TRUE(drive(store, *store.claim_workflow("x").value(), 9).ok());
  }

  static void expect_the_same(Store& store) {
    EXPECT_EQ(store.check().value(), std::vector<std::string>());
    const auto run = store.find_run("run_1042").value();
    ASSERT_TRUE(run);
    EXPECT_EQ(run->code, std::string("a\0b\xff", 4) + "42");
    EXPECT_EQ(run->ended, 42);
    EXPECT_TRUE(run->is_ours);
    EXPECT_FALSE(store.find_run("run_1000").value()->ended);
    EXPECT_EQ(store.list_runs(std::nullopt, 1000).value().size(), 200u);
    EXPECT_EQ(store.journal("run_1000").value().size(), 1u);
    const auto answers = store.answers_to("ap_1").value();
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_EQ(answers[0].who, "ann");
    EXPECT_EQ(store.rules_for("run_1000", "s").value().size(), 1u);
    EXPECT_EQ(store.workflow_tasks("w").value().size(), 9u);
    EXPECT_EQ(store.workflow_tasks("w").value()[2].output, driven_output(2));
  }
};

// An empty file that another user has put there beforehand would give them the copy.
TEST_P(CopiesTest, DoNotGoToAFileOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "the kernel refuses it to others than root";
  const auto store = open();
  const std::string planted = root_ + "/planted.db";
  std::ofstream(planted).close();
  std::filesystem::permissions(planted, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_EQ(::chown(planted.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(store->back_up_to(planted).ok());
  EXPECT_EQ(std::filesystem::file_size(planted), 0u);
}

TEST_P(CopiesTest, GoToAFileAndFromThereIntoAnEmptyStore) {
  const auto store = open();
  fill(*store);
  std::size_t done = 0, of = 0;
  const auto progress = [&](std::size_t so_far, std::size_t all) { done = so_far, of = all; };
  const std::string file = root_ + "/copy.db";
  ASSERT_TRUE(store->back_up_to(file, progress).ok());
  EXPECT_EQ(store->back_up_to(file).failure().code, ErrorCode::kConflict);
  EXPECT_FALSE(std::filesystem::exists(file + "-turn"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto copy = std::move(Store::open(root_, RowKey{}, "copy.db")).value();
  expect_the_same(*copy);
  // The other way, into a store of the same kind as the first.
  folder_ = root_ + "/other";
  if (GetParam() == Backend::kPostgres) address_ = PostgresCluster::shared()->make_database();
  const auto other = open();
  const auto filled = other->fill_from(*copy, progress);
  ASSERT_TRUE(filled.ok()) << filled.failure().message;
  EXPECT_GT(done, 200u);
  EXPECT_EQ(done, of);
  expect_the_same(*other);
  // Ids that the database assigns continue after the copied ones.
  const std::int64_t last = other->last_answer().value();
  ApprovalRecord approval;
  approval.id = "ap_2";
  approval.run = "run_1000";
  approval.card = "{}";
  approval.calls = {{.call = 2, .server = "s", .tool = "t", .arguments = "{}"}};
  ASSERT_TRUE(other->add_approval(approval).ok());
  const auto next = other->answer({0, "ap_2", "run_1000", {2}, "bob", "cli", Scope::kOnce, true, "", {}, 8}, "s");
  ASSERT_TRUE(next.ok()) << next.failure().message;
  EXPECT_GT(next.value(), last);
  EXPECT_EQ(other->fill_from(*copy).failure().code, ErrorCode::kConflict);
}

TEST_P(CopiesTest, AStoreOfANewerProgramIsNoticed) {
  const auto store = open();
  EXPECT_TRUE(store->check_version().ok());
  {
    // As a newer program leaves it.
    auto other =
        address_.empty()
            ? Result<std::unique_ptr<Database>>(std::move(SqliteDatabase::open(folder_ + "/glovebox.db")).value())
            : Result<std::unique_ptr<Database>>(std::move(PostgresDatabase::open(address_)).value());
    ASSERT_TRUE(other.value()->execute("INSERT INTO schema_version VALUES (999)").ok());
  }
  EXPECT_EQ(store->check_version().failure().code, ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(On, CopiesTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

class SpaceTest : public StoreFixture {};

TEST_P(SpaceTest, IsGivenBackWithWhatIsRemoved) {
  const auto store = open();
  for (int i = 0; i < 700; ++i) {
    RunRecord run;
    run.id = std::to_string(i);
    run.code = std::string(40'000, 'x');
    run.context = run.config = "{}";
    ASSERT_TRUE(store->add_run(run).ok());
    ASSERT_TRUE(store->end_run(run.id, RunStatus::kFinished, "{}", i).ok());
  }
  const std::int64_t full = store->bytes().value();
  // PostgreSQL would compress such texts.
  if (GetParam() == Backend::kSqlite) EXPECT_GT(full, 25 << 20);
  std::vector<std::size_t> so_far;
  EXPECT_EQ(store->prune(0, 0, kMostKeptBytes, [&](std::size_t removed) { so_far.push_back(removed); }).value().removed,
            700u);
  EXPECT_GE(so_far.size(), 2u) << "in parts, which are reported";
  EXPECT_TRUE(std::is_sorted(so_far.begin(), so_far.end()));
  EXPECT_EQ(store->prune(0, 0).value().removed, 0u);
  EXPECT_FALSE(store->prune(0, 0).value().more);
  // Free pages that are kept, and SQLite's log, still count.
  if (GetParam() == Backend::kSqlite) EXPECT_LT(store->bytes().value(), full);
  const auto vacuumed = store->vacuum();
  ASSERT_TRUE(vacuumed.ok()) << vacuumed.failure().message;
  EXPECT_LT(store->bytes().value(), 4 << 20);
  EXPECT_EQ(store->check().value(), std::vector<std::string>());
}

// A store of the version before this one, with runs of 10 KB that cannot be compressed: a few of them, or for `make
// prove` 8 GB, so that a copy takes longer than any other statement may.
TEST_P(SpaceTest, ALargeStoreOfAnOlderVersionIsMigrated) {
  const int runs = ::getenv("GLOVEBOX_PROVE") ? 800'000 : 300;
  { ASSERT_TRUE(open()); }
  {
    std::unique_ptr<Database> older;
    if (address_.empty()) {
      older = std::move(SqliteDatabase::open(folder_ + "/glovebox.db")).value();
    } else {
      older = std::move(PostgresDatabase::open(address_)).value();
    }
    const std::string row = "n, 0, 1, 'finished', 'c', 'ts', 'a', '{}', '{}', 's', 0, 'c', 's', 'o', 'i', ";
    const std::string columns =
        "INSERT INTO runs (id, created, ended, status, code, language, name, context, config, seed, now, client, "
        "session, "
        "owner, intent, outcome) SELECT ";
    const std::string fill =
        address_.empty()
            ? "WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < " + std::to_string(runs) +
                  ") " + columns + row + "randomblob(10000) FROM some"
            : columns + "n::text::bytea" + row.substr(1) +
                  "(SELECT string_agg(sha512((n * 1000 + i)::text::bytea), '') FROM generate_series(1, 156) i) "
                  "FROM generate_series(1, " +
                  std::to_string(runs) + ") n";
    const auto filled = older->write({"fill", false, {}, true}, [&]() -> Result<void> {
      GLOVEBOX_TRY_VOID(older->execute(fill));
      GLOVEBOX_TRY_VOID(
          older->execute("DROP INDEX workflows_by_end; ALTER TABLE workflows DROP COLUMN bytes; DELETE FROM "
                         "schema_version WHERE version = (SELECT max(version) FROM schema_version)"));
      return {};
    });
    ASSERT_TRUE(filled.ok()) << filled.failure().message;
  }
  std::vector<std::string> reported;
  const auto tell = [&](const std::string& line) { reported.push_back(line); };
  const auto began = std::chrono::steady_clock::now();
  const auto store =
      address_.empty() ? Store::open(folder_, RowKey{}, "glovebox.db", tell) : Store::connect(address_, RowKey{}, tell);
  ASSERT_TRUE(store.ok()) << store.failure().message;
  EXPECT_GE(reported.size(), 2u);
  std::printf("%lld MB in %.1f s\n", static_cast<long long>(store.value()->bytes().value() >> 20),
              std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  EXPECT_EQ(store.value()->list_runs(std::nullopt, 1'000'000).value().size(), static_cast<std::size_t>(runs));
  EXPECT_EQ(store.value()->check().value(), std::vector<std::string>());
  EXPECT_EQ(store.value()->prune(10, 0).value().removed, static_cast<std::size_t>(runs - 10));
}

INSTANTIATE_TEST_SUITE_P(On, SpaceTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
