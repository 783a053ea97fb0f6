#include "store/store.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "store/database/sqlite.h"
#include "store/records_fixture.h"

namespace glovebox::store {
namespace {

TEST_P(StoreFileTest, IsForItsOwnerAlone) {
  ::umask(0);
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  struct stat status {};
  ASSERT_EQ(::stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  for (const char* name : {"/glovebox.db", "/glovebox.db-wal", "/glovebox.db-shm"}) {
    ASSERT_EQ(::stat((folder_ + name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0777, 0600u) << name;
  }
}

TEST_P(StoreTest, KeepsRunsAcrossItsOwnEnd) {
  ASSERT_TRUE(open()->add_run(run("a")).ok());
  const auto store = open();
  const auto found = store->find_run("a");
  ASSERT_TRUE(found.ok() && found.value());
  EXPECT_EQ(found.value()->code, "return 1");
  EXPECT_EQ(found.value()->status, RunStatus::kRunning);
  EXPECT_FALSE(found.value()->ended);
  EXPECT_EQ(found.value()->intent, "why");
  EXPECT_FALSE(store->find_run("b").value());
  ASSERT_TRUE(store->end_run("a", RunStatus::kFinished, R"({"result":1})", 7).ok());
  EXPECT_EQ(store->find_run("a").value()->outcome, R"({"result":1})");
  EXPECT_EQ(store->find_run("a").value()->ended, 7);
  EXPECT_TRUE(store->unended_runs().value().empty());
  EXPECT_EQ(store->list_runs(RunStatus::kFinished, 10).value().size(), 1u);
  EXPECT_TRUE(store->list_runs(RunStatus::kWaiting, 10).value().empty());
  EXPECT_EQ(store->list_runs(std::nullopt, 10, "me").value().size(), 1u);
  EXPECT_TRUE(store->list_runs(std::nullopt, 10, "nobody").value().empty());
}

TEST_P(StoreTest, TextsAreTextsWhateverTheyHold) {
  const auto store = open();
  RunRecord hostile = run("x'); DROP TABLE runs; --");
  hostile.code = std::string("a\0b", 3) + "\xf0\x9f\x98\x80";
  ASSERT_TRUE(store->add_run(hostile).ok());
  EXPECT_EQ(store->find_run(hostile.id).value()->code, hostile.code);
}

TEST_P(StoreTest, JournalsComeBackAsTheyWere) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  using Kind = JournalEntry::Kind;
  const std::string bytes = std::string("\0\x01\xff", 3) + std::string(1 << 20, 'x');
  ASSERT_TRUE(
      store->begin_journal("a", {{Kind::kCall, 1, "tool", "d1", ""}, {Kind::kReply, 1, "", "", bytes}}, {4}).ok());
  ASSERT_TRUE(store->append_journal("a", 2, {Kind::kCall, 2, "fs.read", "d2", ""}).ok());
  EXPECT_FALSE(store->append_journal("a", 2, {Kind::kCall, 3, "fs.read", "d2", ""}).ok());
  ASSERT_TRUE(store->mark_begun("a", 2).ok());
  ASSERT_TRUE(store->mark_begun("a", 2).ok());
  const auto journal = store->journal("a").value();
  ASSERT_EQ(journal.size(), 3u);
  EXPECT_EQ(journal[1].frames, bytes);
  EXPECT_EQ(journal[2].op, "fs.read");
  EXPECT_EQ(journal[2].kind, Kind::kCall);
  EXPECT_EQ(store->calls_begun("a").value(), (std::vector<std::uint64_t>{2, 4}));
  EXPECT_TRUE(store->find_run("a").value()->journaled);
  ASSERT_TRUE(store->end_run("a", RunStatus::kFailed, "{}", 1).ok());
  EXPECT_TRUE(store->journal("a").value().empty());
}

TEST_P(StoreTest, AHoleInAJournalIsDamage) {
  const auto store = open();
  ASSERT_TRUE(store->add_run(run("a")).ok());
  ASSERT_TRUE(store->append_journal("a", 1, {JournalEntry::Kind::kCall, 2, "fs.read", "d2", ""}).ok());
  EXPECT_FALSE(store->journal("a").ok());
}

TEST_P(StoreTest, SaysHowGatewaysStand) {
  const auto store = open();
  for (const char* id : {"g1", "g2"}) {
    NodeRecord node;
    node.id = id;
    ASSERT_TRUE(store->join(node).ok());
  }
  ASSERT_TRUE(store->set_status({"g1", 1, "{}"}).ok());
  ASSERT_TRUE(store->set_status({"g1", 2, R"({"servers":[]})"}).ok());
  ASSERT_TRUE(store->set_status({"g2", 3, "{}"}).ok());
  ASSERT_EQ(store->node_statuses().value().size(), 2u);
  EXPECT_EQ(store->node_statuses().value()[0].status, R"({"servers":[]})");
  for (const int at : {10, 20, 30}) ASSERT_TRUE(store->add_sample({"g1", at, "{}"}, at - 15).ok());
  EXPECT_EQ(store->node_samples(0).value().size(), 2u) << "older ones go";
  EXPECT_EQ(store->node_samples(25).value().size(), 1u);

  ASSERT_TRUE(store->add_node_request({"g1", "retry_server", "files", "ann", 1}).ok());
  EXPECT_TRUE(store->take_node_requests("g2").value().empty());
  ASSERT_EQ(store->take_node_requests("g1").value().size(), 1u);
  EXPECT_TRUE(store->take_node_requests("g1").value().empty()) << "each is given once";
  ASSERT_TRUE(store->leave("g1").ok());
  EXPECT_EQ(store->node_statuses().value().size(), 1u);
}

TEST_P(StoreTest, AHolderHasSoManyRunsThatWait) {
  const auto store = open();
  const auto wait = [&](const std::string& id, const std::string& holder, std::size_t most) {
    RunRecord made = run(id);
    made.client = holder + " " + id;
    made.holder = holder;
    EXPECT_TRUE(store->add_run(made).ok());
    return store->add_approval(approval("p" + id, id), most);
  };
  EXPECT_TRUE(wait("a", "http:ann", 2).ok());
  EXPECT_TRUE(wait("b", "http:ann", 2).ok());
  const auto refused = wait("c", "http:ann", 2);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.failure().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.failure().message.find("limits.waitingRunsPerClient"), std::string::npos);
  EXPECT_EQ(store->find_run("c").value()->status, RunStatus::kRunning);
  EXPECT_EQ(store->pending_approvals().value(), 2);
  EXPECT_TRUE(wait("d", "http:bob", 2).ok());
  EXPECT_TRUE(store->add_approval(approval("again", "a"), 2).ok()) << "it waits already";
  ASSERT_TRUE(store->end_run("b", RunStatus::kCancelled, "{}", 7).ok());
  EXPECT_TRUE(store->add_approval(approval("pc", "c"), 2).ok());
}

TEST_P(StoreTest, ARunHasOneOwner) {
  const auto one = open();
  const auto other = open();
  ASSERT_TRUE(one->add_run(run("a")).ok());
  EXPECT_FALSE(other->take_over("a", "g9", "g2").value());
  EXPECT_TRUE(other->take_over("a", "g1", "g2").value());
  EXPECT_FALSE(one->take_over("a", "g1", "g3").value());
  EXPECT_TRUE(one->ask_to_cancel("a").value());
  EXPECT_TRUE(one->runs_to_cancel("g1").value().empty());
  EXPECT_EQ(other->runs_to_cancel("g2").value(), std::vector<std::string>{"a"});
  ASSERT_TRUE(other->end_run("a", RunStatus::kCancelled, "{}", 3).ok());
  EXPECT_FALSE(one->ask_to_cancel("a").value());
}

TEST_P(StoreTest, ProcessesWriteAtOnce) {
  ASSERT_TRUE(open());
  constexpr int kProcesses = 4;
  constexpr int kRuns = 50;
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    auto store = try_open();
    int failed = store ? 0 : 1;
    for (int i = 0; store && i < kRuns; ++i) {
      const std::string id = std::to_string(process) + "." + std::to_string(i);
      failed += !store.value()->add_run(run(id)).ok() || !store.value()->add_approval(approval("p" + id, id)).ok();
    }
    ::_exit(failed == 0 ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open()->approvals("", true).value().size(), static_cast<std::size_t>(kProcesses * kRuns));
}

TEST_P(StoreTest, ATraceIsKeptAsLongAsItsRun) {
  const auto store = open();
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(store->add_run(run(id)).ok());
  EXPECT_EQ(store->find_trace("a").value(), std::nullopt);
  ASSERT_TRUE(store->save_trace("a", "t1", R"(["half"])").ok());
  ASSERT_TRUE(store->end_run("a", RunStatus::kFinished, "{}", 10, {.trace = {"t1", R"(["whole"])"}}).ok());
  ASSERT_TRUE(store->end_run("b", RunStatus::kFinished, "{}", 20, {.trace = {"t1", R"(["other"])"}}).ok());
  ASSERT_TRUE(store->end_run("c", RunStatus::kFinished, "{}", 30).ok());
  EXPECT_EQ(store->find_trace("a").value(), R"(["whole"])");
  EXPECT_EQ(store->find_trace("c").value(), std::nullopt);
  ASSERT_EQ(store->traces_of("t1", 10).value().size(), 2u);
  EXPECT_EQ(store->traces_of("t1", 1).value().size(), 1u);
  ASSERT_TRUE(store->prune(100, 15).ok());
  EXPECT_EQ(store->find_trace("a").value(), std::nullopt);
  EXPECT_EQ(store->traces_of("t1", 10).value().at(0).spans, R"(["other"])");
}

// More runs than one write removes.
TEST_P(StoreTest, PrunesAsManyAsThereAre) {
  const auto store = open();
  for (int i = 0; i < 507; ++i) {
    const std::string id = "r" + std::to_string(i);
    ASSERT_TRUE(store->add_run(run(id, i)).ok());
    ASSERT_TRUE(store->end_run(id, RunStatus::kFinished, "{}", 100 + i).ok());
  }
  EXPECT_EQ(store->prune(1, 0).value().removed, 506u);
  EXPECT_TRUE(store->find_run("r506").value()) << "the newest stays";
}

TEST_P(StoreTest, PrunesWhatHasEnded) {
  const auto store = open();
  for (int i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    ASSERT_TRUE(store->add_run(run(id, i)).ok());
    ASSERT_TRUE(store->add_approval(approval("p" + id, id)).ok());
    if (i < 8) {
      ASSERT_TRUE(store->end_run(id, RunStatus::kFinished, "{}", 100 + i).ok());
    }
  }
  EXPECT_EQ(store->prune(100, 102).value().removed, 2u);
  EXPECT_EQ(store->prune(3, 0).value().removed, 3u);
  EXPECT_EQ(store->list_runs(std::nullopt, 100).value().size(), 5u);
  EXPECT_EQ(store->approvals("", false).value().size(), 5u);
  EXPECT_EQ(store->unended_runs().value().size(), 2u);
}

TEST_P(StoreTest, OldRunsMakeRoomForLargeOnes) {
  const auto store = open();
  for (int i = 0; i < 4; ++i) {
    RunRecord large = run(std::to_string(i), i);
    large.code = std::string(1000, 'x');
    ASSERT_TRUE(store->add_run(large).ok());
    if (i < 3) {
      ASSERT_TRUE(store->end_run(large.id, RunStatus::kFinished, std::string(1000, 'y'), 100 + i).ok());
    }
  }
  EXPECT_EQ(store->prune(100, 0, 5000).value().removed, 1u);
  EXPECT_FALSE(store->find_run("0").value());
  EXPECT_EQ(store->prune(100, 0, 5000).value().removed, 0u);
}

// A run may have asked people about megabytes.
TEST_P(StoreTest, WhatRunsAskedPeopleCountsAmongWhatIsKeptOfThem) {
  const auto store = open();
  for (const char* id : {"a", "b"}) {
    ASSERT_TRUE(store->add_run(run(id)).ok());
    ApprovalRecord asked = approval(std::string("p") + id, id);
    asked.card = std::string(4000, 'x');
    ASSERT_TRUE(store->add_approval(asked).ok());
    ASSERT_TRUE(store->end_run(id, RunStatus::kCancelled, "{}", id[0]).ok());
  }
  EXPECT_EQ(store->prune(100, 0, 6000).value().removed, 1u);
  EXPECT_TRUE(store->find_run("b").value());
}

TEST_P(StoreTest, KnowsHowFarAnAuditLogHadCome) {
  const auto store = open();
  EXPECT_EQ(store->audit_head("a").value(), "");
  ASSERT_TRUE(store->set_audit_head("a", "five", 5).ok());
  ASSERT_TRUE(store->set_audit_head("a", "four", 4).ok());
  ASSERT_TRUE(store->set_audit_head("b", "one", 1).ok());
  EXPECT_EQ(store->audit_head("a").value(), "five");
  EXPECT_EQ(store->audit_head("b").value(), "one");
  RunRecord began = run("r");
  began.audit_head = "two";
  ASSERT_TRUE(store->add_run(began).ok());
  ASSERT_TRUE(store->add_run(run("without")).ok());
  EXPECT_EQ(store->audit_heads_of_runs().value(), std::vector<std::string>{"two"});
  ASSERT_TRUE(store->end_run("r", RunStatus::kFinished, "{}", 1, {.audit_head = "three"}).ok());
  ASSERT_TRUE(store->end_run("without", RunStatus::kFinished, "{}", 1).ok());
  EXPECT_EQ(store->audit_heads_of_runs().value(), std::vector<std::string>{"three"});
}

TEST_P(StoreFileTest, SaysThatItIsDamaged) {
  { ASSERT_TRUE(open()); }
  std::ofstream(folder_ + "/glovebox.db", std::ios::trunc) << std::string(8192, 'x');
  const auto store = Store::open(folder_, RowKey{});
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.failure().message.find("the store is damaged"), std::string::npos) << store.failure().message;
}

TEST_P(StoreFileTest, IsNotReadByAnOlderProgram) {
  { ASSERT_TRUE(open()); }
  {
    auto database = SqliteDatabase::open(folder_ + "/glovebox.db");
    ASSERT_TRUE(database.value()->execute("INSERT INTO schema_version VALUES (999)").ok());
  }
  const auto store = Store::open(folder_, RowKey{});
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.failure().message.find("newer glovebox"), std::string::npos) << store.failure().message;
}

TEST_P(StoreFileTest, FollowsNoLink) {
  ASSERT_EQ(::mkdir(folder_.c_str(), 0700), 0);
  std::ofstream(root_ + "/elsewhere") << "";
  ASSERT_EQ(::symlink((root_ + "/elsewhere").c_str(), (folder_ + "/glovebox.db").c_str()), 0);
  EXPECT_FALSE(Store::open(folder_, RowKey{}).ok());
}

TEST_P(StoreFileTest, AFullDiskUndoesTheWholeChangeAndSaysSo) {
  const auto database = std::move(SqliteDatabase::open(root_ + "/small.db")).value();
  ASSERT_TRUE(database->execute("CREATE TABLE t (x); PRAGMA max_page_count=4").ok());
  const auto failed = database->write({"test"}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(database->prepare("INSERT INTO t VALUES (?)").value().bind("small").run());
    const std::string large(100'000, 'x');
    return database->prepare("INSERT INTO t VALUES (?)").value().bind(large).run();
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.failure().message.find("the store cannot grow"), std::string::npos) << failed.failure().message;
  auto count = database->prepare("SELECT count(*) FROM t");
  ASSERT_TRUE(count.value().step().value());
  EXPECT_EQ(count.value().number(0), 0);
}

TEST_P(StoreTest, VectorsAreKeptByDefinitionTextAndModel) {
  const std::string bytes("\0\1\xff", 3);
  {
    const auto store = open();
    ASSERT_TRUE(store->keep_vectors("m1", {{"d1", "t1", bytes}, {"d1", "t2", "b"}}, 5).ok());
    ASSERT_TRUE(store->keep_vectors("m2", {{"d1", "t1", "c"}}, 5).ok());
    ASSERT_TRUE(store->keep_vectors("m1", {{"d1", "t2", "again"}}, 6).ok());
  }
  const auto store = open();
  std::vector<VectorRecord> wanted = {{"d1", "t1", ""}, {"d1", "t2", ""}, {"d2", "t1", ""}};
  ASSERT_TRUE(store->find_vectors("m1", wanted, 7).ok());
  EXPECT_EQ(wanted[0].vector, bytes);
  EXPECT_EQ(wanted[1].vector, "again");
  EXPECT_EQ(wanted[2].vector, "");
}

TEST_P(StoreTest, VectorsThatNobodyUsesGo) {
  const auto store = open();
  const auto kept = [&](const std::string& definition, std::int64_t now) {
    std::vector<VectorRecord> wanted = {{definition, "t", ""}};
    EXPECT_TRUE(store->find_vectors("m", wanted, now).ok());
    return !wanted[0].vector.empty();
  };
  constexpr std::int64_t kDay = 24 * 3600 * 1000;
  ASSERT_TRUE(store->keep_vectors("m", {{"old", "t", "v"}, {"used", "t", "v"}}, 0).ok());
  EXPECT_TRUE(kept("used", 90 * kDay));
  ASSERT_TRUE(store->prune_vectors(100, 80 * kDay).ok());
  EXPECT_FALSE(kept("old", 90 * kDay));
  EXPECT_TRUE(kept("used", 90 * kDay));
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(store->keep_vectors("m", {{std::to_string(i), "t", "v"}}, 90 * kDay + i).ok());
  }
  ASSERT_TRUE(store->prune_vectors(3, 0).ok());
  EXPECT_FALSE(kept("used", 91 * kDay));
  EXPECT_FALSE(kept("2", 91 * kDay));
  EXPECT_TRUE(kept("3", 91 * kDay));
  EXPECT_TRUE(kept("5", 91 * kDay));
}

TEST_P(StoreTest, UsesBelongToTheirUser) {
  const auto store = open();
  const auto use = [](const std::string& user, const std::string& intent, const std::string& tool, std::int64_t at) {
    return UseRecord{user, "s", tool, intent, "m", "v" + std::to_string(at), 1, at};
  };
  ASSERT_TRUE(store->add_use(use("ann", "send a letter", "mail", 1), 3).ok());
  ASSERT_TRUE(store->add_use(use("bob", "send a letter", "post", 2), 3).ok());
  ASSERT_TRUE(store->add_use(use("ann", "send a letter", "mail", 3), 3).ok());
  auto uses = store->tool_uses("ann").value();
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].tool, "mail");
  EXPECT_EQ(uses[0].count, 2);
  EXPECT_EQ(uses[0].vector, "v3");
  for (int i = 4; i < 8; ++i) {
    ASSERT_TRUE(store->add_use(use("ann", std::to_string(i), "mail", i), 3).ok());
  }
  uses = store->tool_uses("ann").value();
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_EQ(uses[0].intent, "7");
  EXPECT_EQ(uses[2].intent, "5");
  EXPECT_EQ(store->tool_uses("bob").value().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(On, StoreTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);
INSTANTIATE_TEST_SUITE_P(On, StoreFileTest, testing::Values(Backend::kSqlite), backend_name);

}  // namespace
}  // namespace glovebox::store
