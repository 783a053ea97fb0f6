// Stores of former versions are opened by this one. Their tables are written out here exactly as those versions made
// them, not taken from today's list of steps: a step that was changed after its release would show.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "store/database/sqlite.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

constexpr const char* kVersion1 = R"(
CREATE TABLE runs (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, ended INTEGER, status TEXT NOT NULL,
  code TEXT NOT NULL, language TEXT NOT NULL, name TEXT NOT NULL, context TEXT NOT NULL, config TEXT NOT NULL,
  seed TEXT NOT NULL, now INTEGER NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, owner TEXT NOT NULL,
  intent TEXT NOT NULL, outcome TEXT, journaled INTEGER NOT NULL DEFAULT 0, cancel_asked INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX runs_by_creation ON runs (created);
CREATE INDEX runs_unended ON runs (owner) WHERE ended IS NULL;
CREATE TABLE journal (
  run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  kind INTEGER NOT NULL, call INTEGER NOT NULL, op TEXT NOT NULL, digest TEXT NOT NULL, frames BLOB NOT NULL,
  UNIQUE (run, seq)
);
CREATE TABLE calls_begun (
  run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, call INTEGER NOT NULL, PRIMARY KEY (run, call)
) WITHOUT ROWID;
CREATE TABLE approvals (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, created INTEGER NOT NULL,
  kind TEXT NOT NULL, card TEXT NOT NULL, state TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX approvals_by_run ON approvals (run);
CREATE INDEX approvals_pending ON approvals (created) WHERE state = 'pending';
CREATE TABLE approval_calls (
  approval TEXT NOT NULL REFERENCES approvals ON DELETE CASCADE, call INTEGER NOT NULL, server TEXT NOT NULL,
  tool TEXT NOT NULL, arguments TEXT NOT NULL, tool_hash TEXT NOT NULL, approved INTEGER,
  reason TEXT NOT NULL DEFAULT '',
  withdrawn INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (approval, call)
) WITHOUT ROWID;
CREATE TABLE approval_answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, approval TEXT NOT NULL REFERENCES approvals ON DELETE CASCADE,
  run TEXT NOT NULL, calls TEXT NOT NULL, who TEXT NOT NULL, channel TEXT NOT NULL, scope TEXT NOT NULL,
  approved INTEGER NOT NULL, reason TEXT NOT NULL, rules TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX answers_by_approval ON approval_answers (approval);
CREATE TABLE rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, key TEXT NOT NULL, pattern TEXT NOT NULL,
  to_config INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL
);
CREATE INDEX rules_by_key ON rules (scope, key);
)";

constexpr const char* kVersion2 = R"(
CREATE TABLE tool_vectors (
  model TEXT NOT NULL, definition TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, used INTEGER NOT NULL,
  UNIQUE (model, definition, text)
);
CREATE INDEX tool_vectors_by_use ON tool_vectors (used);
CREATE TABLE tool_uses (
  id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL,
  intent TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, count INTEGER NOT NULL, at INTEGER NOT NULL,
  UNIQUE (user, intent, server, tool)
);
CREATE INDEX tool_uses_by_time ON tool_uses (user, at);
)";

// A run that waits for a person, as a gateway of that version left it; `config` is what it wrote then.
constexpr const char* kRows = R"sql(
INSERT INTO runs (id, created, status, code, language, name, context, config, seed, now, client, session, owner, intent,
  journaled) VALUES ('run_1', 1700000000000, 'waiting', 'return await mcp.fs.write({})', 'ts', 'agent.ts', '{}', '{}',
  'seed', 1700000000000, 'ann', 's', 'gw_old', 'to write', 1);
INSERT INTO runs (id, created, ended, status, code, language, name, context, config, seed, now, client, session, owner,
  intent, outcome) VALUES ('run_0', 1, 2, 'finished', 'return 1', 'js', 'a.js', '{}', '{}', 'seed', 1, 'ann', 's',
  'gw_old', '', '{"result":1}');
INSERT INTO journal VALUES ('run_1', 0, 0, 1, 'tool', 'd1', x'');
INSERT INTO journal VALUES ('run_1', 1, 1, 1, '', '', x'00ff00');
INSERT INTO journal VALUES ('run_1', 2, 0, 2, 'tool', 'd2', x'');
INSERT INTO calls_begun VALUES ('run_1', 1);
INSERT INTO approvals VALUES ('ap_1', 'run_1', 1700000000001, 'tool_calls', '{"title":"write"}', 'pending');
INSERT INTO approval_calls (approval, call, server, tool, arguments, tool_hash)
  VALUES ('ap_1', 2, 'fs', 'write', '{}', 'h');
INSERT INTO rules (scope, key, pattern, at) VALUES ('session', 's', 'fs:read', 1700000000000);
)sql";
constexpr const char* kRowsOfVersion2 = R"sql(
INSERT INTO tool_vectors VALUES ('m', 'def', 'text', x'0001ff', 5);
INSERT INTO tool_uses (user, server, tool, intent, model, vector, count, at)
  VALUES ('ann', 'fs', 'write', 'to write', 'm',
  x'01', 3, 5);
)sql";

class Migration : public testing::TestWithParam<int> {
 protected:
  Migration() {
    char name[] = "/tmp/glovebox-migration-XXXXXX";
    root_ = ::mkdtemp(name);
    folder_ = root_ + "/.glovebox";
    ::mkdir(folder_.c_str(), 0700);
    path_ = folder_ + "/glovebox.db";
    backup_ = path_ + ".v" + std::to_string(GetParam()) + ".bak";
    auto old = std::move(SqliteDatabase::open(path_)).value();
    run(*old, "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    run(*old, kVersion1);
    run(*old, "INSERT INTO schema_version VALUES (1)");
    run(*old, kRows);
    if (GetParam() < 2) return;
    run(*old, kVersion2);
    run(*old, "INSERT INTO schema_version VALUES (2)");
    run(*old, kRowsOfVersion2);
  }
  ~Migration() override { std::filesystem::remove_all(root_); }

  static void run(SqliteDatabase& database, const std::string& sql) {
    const auto done = database.execute(sql);
    ASSERT_TRUE(done.ok()) << done.failure().message;
  }
  static std::int64_t number(SqliteDatabase& database, const char* sql) {
    auto row = database.prepare(sql);
    EXPECT_TRUE(row.ok()) << (row ? "" : row.failure().message);
    return row && row->step().value() ? row->number(0) : -1;
  }
  void expect_all_there(Store& store) const {
    // Rows that grant something have no digest yet, and count only once their owner has approved them.
    EXPECT_FALSE(store.find_run("run_1").value()->is_ours);
    EXPECT_TRUE(store.approvals("", true).value().empty());
    ASSERT_TRUE(store.seal_all().ok());
    const auto waiting = *store.find_run("run_1").value();
    EXPECT_EQ(waiting.status, RunStatus::kWaiting);
    EXPECT_EQ(waiting.code, "return await mcp.fs.write({})");
    EXPECT_TRUE(waiting.journaled);
    EXPECT_EQ(store.find_run("run_0").value()->outcome, R"({"result":1})");
    const auto journal = store.journal("run_1").value();
    ASSERT_EQ(journal.size(), 3u);
    EXPECT_EQ(journal[1].frames, std::string("\0\xff\0", 3));
    EXPECT_EQ(store.calls_begun("run_1").value(), std::vector<std::uint64_t>{1});
    const auto pending = store.approvals("", true).value();
    ASSERT_EQ(pending.size(), 1u);
    EXPECT_EQ(pending[0].calls.at(0).tool, "write");
    EXPECT_EQ(store.rules_for("run_1", "s").value().size(), 1u);
    std::vector<VectorRecord> wanted = {{"def", "text", ""}};
    ASSERT_TRUE(store.find_vectors("m", wanted, 6).ok());
    EXPECT_EQ(wanted[0].vector, GetParam() < 2 ? "" : std::string("\0\1\xff", 3));
    EXPECT_EQ(store.tool_uses("ann").value().size(), GetParam() < 2 ? 0u : 1u);
  }

  std::string root_;
  std::string folder_;
  std::string path_;
  std::string backup_;
};

TEST_P(Migration, AnOlderFileIsCopiedThenChangedAndAllOfItIsRead) {
  {
    const auto store = Store::open(folder_, RowKey{});
    ASSERT_TRUE(store.ok()) << store.failure().message;
    expect_all_there(*store.value());
    EXPECT_EQ(store.value()->check().value(), std::vector<std::string>());
    // New features work with old rows: the run is taken over, answered and ended, and workflows can be created.
    NodeRecord node;
    node.id = "gw_new";
    ASSERT_TRUE(store.value()->join(node).ok());
    EXPECT_TRUE(store.value()->take_over("run_1", "gw_old", "gw_new").value());
    ASSERT_TRUE(
        store.value()->answer({0, "ap_1", "run_1", {2}, "ann", "cli", Scope::kOnce, true, "", {}, 7}, "s").ok());
    ASSERT_TRUE(store.value()->end_run("run_1", RunStatus::kFinished, "{}", 9).ok());
    WorkflowRecord workflow;
    workflow.id = "wf_1";
    WorkflowStep first;
    first.checkpoint = WorkflowStep::Checkpoint{};
    first.checkpoint->snapshot = "{}";
    EXPECT_TRUE(store.value()->create_workflow(workflow, first).ok());
  }
  struct stat status {};
  ASSERT_EQ(::stat(backup_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  {
    const auto before = std::move(SqliteDatabase::open(backup_)).value();
    EXPECT_EQ(number(*before, "SELECT max(version) FROM schema_version"), GetParam());
    EXPECT_EQ(number(*before, "SELECT count(*) FROM runs WHERE ended IS NULL"), 1);
    EXPECT_EQ(number(*before, "SELECT count(*) FROM sqlite_schema WHERE name = 'workflows'"), 0);
  }
  // The migration is done only once.
  std::filesystem::remove(backup_);
  ASSERT_TRUE(Store::open(folder_, RowKey{}).ok());
  EXPECT_FALSE(std::filesystem::exists(backup_));
}

TEST_P(Migration, ThatWasInterruptedGoesOnWhereItWas) {
  {
    // A table of that name makes the third step fail.
    auto old = std::move(SqliteDatabase::open(path_)).value();
    run(*old, "CREATE TABLE workflow_commands (x)");
  }
  std::vector<std::string> reported;
  const auto tell = [&](const std::string& line) { reported.push_back(line); };
  EXPECT_FALSE(Store::open(folder_, RowKey{}, "glovebox.db", tell).ok());
  EXPECT_GE(reported.size(), 2u);
  ASSERT_TRUE(std::filesystem::exists(backup_));
  {
    auto old = std::move(SqliteDatabase::open(path_)).value();
    EXPECT_EQ(number(*old, "SELECT max(version) FROM schema_version"), 2);
    EXPECT_EQ(number(*old, "SELECT count(*) FROM sqlite_schema WHERE name = 'nodes'"), 0);
    run(*old, "DROP TABLE workflow_commands");
  }
  // The copy from before the first step stays as it is.
  const auto copied = std::filesystem::last_write_time(backup_);
  const auto store = Store::open(folder_, RowKey{});
  ASSERT_TRUE(store.ok()) << store.failure().message;
  expect_all_there(*store.value());
  EXPECT_EQ(std::filesystem::last_write_time(backup_), copied);
  EXPECT_FALSE(std::filesystem::exists(path_ + ".v2.bak") && GetParam() == 1);
  auto now = std::move(SqliteDatabase::open(path_)).value();
  EXPECT_EQ(number(*now, "SELECT count(*) FROM schema_version WHERE version < 0"), 0);
}

TEST_P(Migration, ACopyCanBePutBack) {
  ASSERT_TRUE(Store::open(folder_, RowKey{}).ok());
  const std::string other = root_ + "/other";
  ::mkdir(other.c_str(), 0700);
  std::filesystem::copy_file(backup_, other + "/glovebox.db");
  const auto store = Store::open(other, RowKey{});
  ASSERT_TRUE(store.ok()) << store.failure().message;
  expect_all_there(*store.value());
}

INSTANTIATE_TEST_SUITE_P(Of, Migration, testing::Values(1, 2));

}  // namespace
}  // namespace glovebox::store
