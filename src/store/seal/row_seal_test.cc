// Rows written into the database by a process that lacks the key.
#include "store/seal/row_seal.h"

#include "store/database/sqlite.h"
#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class SealedRows : public StoreFixture {
 protected:
  static RunRecord run(const std::string& id) {
    RunRecord made;
    made.id = id;
    made.code = "return 1";
    made.language = "ts";
    made.context = made.config = "{}";
    made.owner = "gw_old";
    return made;
  }
  static ApprovalRecord approval() {
    ApprovalRecord made{"p", "a", 1, "tool_calls", "{}", {}, {}};
    made.calls = {{1, "fs", "read", "{}", "h", std::nullopt, ""}, {2, "fs", "write", "{}", "h", std::nullopt, ""}};
    return made;
  }
  static AnswerRecord yes(Scope scope) { return {0, "p", "a", {1}, "ann", "cli", scope, true, "", {"fs:read"}, 7}; }
  // A store with a run that asks about two calls; it records reports of wrong rows.
  std::unique_ptr<Store> asking() {
    auto store = open();
    store->tell_wrong_rows([this](const std::string& text) { reported_.push_back(text); });
    EXPECT_TRUE(store->add_run(run("a")).ok());
    EXPECT_TRUE(store->add_approval(approval()).ok());
    return store;
  }
  // As another program with write access would.
  void forge(const char* sql) {
    std::unique_ptr<Database> database;
    if (GetParam() == Backend::kSqlite) {
      database = std::move(SqliteDatabase::open(folder_ + "/glovebox.db")).value();
    } else {
      database = std::move(PostgresDatabase::open(address_)).value();
    }
    const auto done = database->write({"forge"}, [&]() -> Result<void> {
      auto statement = GLOVEBOX_TRY(database->prepare(sql));
      return statement.run();
    });
    ASSERT_TRUE(done.ok()) << done.failure().message;
  }
  std::unique_ptr<Store> open_with(std::uint8_t byte) {
    RowKey key{};
    key[0] = byte;
    return std::move(address_.empty() ? Store::open(folder_, key) : Store::connect(address_, key)).value();
  }

  std::vector<std::string> reported_;
};

TEST_P(SealedRows, ARunThatWasChangedIsNotTakenOver) {
  const auto store = asking();
  EXPECT_TRUE(store->find_run("a").value()->is_ours);
  forge("UPDATE runs SET config = 'x'");
  EXPECT_FALSE(store->find_run("a").value()->is_ours);
  EXPECT_FALSE(store->take_over("a", "gw_old", "gw_new").value());
  EXPECT_EQ(store->find_run("a").value()->owner, "gw_old");
  EXPECT_FALSE(store->take_over("a", "gw_old", "gw_new").value());
  ASSERT_EQ(reported_.size(), 1u);
  EXPECT_NE(reported_[0].find("run a"), std::string::npos);
}

TEST_P(SealedRows, WhatChangesInTheLifeOfARunIsNotPartOfIt) {
  const auto store = asking();
  EXPECT_TRUE(store->take_over("a", "gw_old", "gw_new").value());
  ASSERT_TRUE(store->set_status("a", RunStatus::kRunning).ok());
  EXPECT_TRUE(store->find_run("a").value()->is_ours);
}

TEST_P(SealedRows, AnAnswerThatNobodyGaveDoesNotCount) {
  const auto store = asking();
  forge("UPDATE approval_calls SET approved = 1 WHERE call = 2");
  const auto read = store->find_approval("p").value();
  ASSERT_EQ(read->calls.size(), 1u);
  EXPECT_EQ(read->calls[0].call, 1u);
  EXPECT_EQ(reported_.size(), 1u);
}

TEST_P(SealedRows, AnAnswerCountsAsItWasGiven) {
  const auto store = asking();
  ASSERT_TRUE(store->answer(yes(Scope::kOnce), "s").ok());
  EXPECT_EQ(store->find_approval("p").value()->calls[0].approved, true);
  EXPECT_EQ(store->answers_to("p").value().size(), 1u);
  forge("UPDATE approval_answers SET at = 8");
  EXPECT_TRUE(store->answers_to("p").value().empty());
  EXPECT_TRUE(store->answers_after(0).value().empty());
}

TEST_P(SealedRows, ARequestThatWasChangedIsNotShown) {
  const auto store = asking();
  forge("UPDATE approvals SET card = kind");
  EXPECT_FALSE(store->find_approval("p").value());
  EXPECT_TRUE(store->approvals("a", true).value().empty());
}

TEST_P(SealedRows, AnAnswerIsForTheRunThatAsked) {
  const auto store = asking();
  ASSERT_TRUE(store->add_run(run("b")).ok());
  forge("UPDATE approvals SET run = 'b'");
  EXPECT_EQ(store->answer(yes(Scope::kRun), "s").failure().code, ErrorCode::kNotFound);
  EXPECT_TRUE(store->rules_for("b", "s").value().empty());
  EXPECT_TRUE(store->answers_to("p").value().empty());
}

TEST_P(SealedRows, ARuleIsForWhatItWasGivenFor) {
  const auto store = asking();
  ASSERT_TRUE(store->answer(yes(Scope::kSession), "s").ok());
  EXPECT_EQ(store->rules_for("a", "s").value().size(), 1u);
  forge("UPDATE rules SET to_config = 1");
  EXPECT_TRUE(store->rules_to_write().value().empty());
  EXPECT_TRUE(store->rules_for("a", "s").value().empty());
}

TEST_P(SealedRows, ARuleForTheConfigStaysOursWhenItIsWritten) {
  const auto store = asking();
  ASSERT_TRUE(store->answer(yes(Scope::kAlways), "s").ok());
  const auto rules = store->rules_to_write().value();
  ASSERT_EQ(rules.size(), 1u);
  ASSERT_TRUE(store->set_written(rules[0].id).ok());
  EXPECT_TRUE(store->rules_to_write().value().empty());
  EXPECT_EQ(store->rules_for("a", "s").value().size(), 1u);
}

TEST_P(SealedRows, WithAnotherKeyNothingIsOursUntilItIsSealed) {
  ASSERT_TRUE(asking()->answer(yes(Scope::kSession), "s").ok());
  const auto other = open_with(1);
  EXPECT_FALSE(other->find_run("a").value()->is_ours);
  EXPECT_TRUE(other->approvals("", false).value().empty());
  EXPECT_TRUE(other->rules_for("a", "s").value().empty());
  ASSERT_TRUE(other->seal_all().ok());
  EXPECT_TRUE(other->find_run("a").value()->is_ours);
  ASSERT_EQ(other->approvals("", false).value().size(), 1u);
  EXPECT_EQ(other->approvals("", false).value()[0].calls.size(), 2u);
  EXPECT_EQ(other->answers_after(0).value().size(), 1u);
  EXPECT_EQ(other->rules_for("a", "s").value().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(On, SealedRows, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
