#include "store/record/pages.h"

#include <gtest/gtest.h>

#include "store/records_fixture.h"

namespace glovebox::store {
namespace {

class PagesTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    store_ = open();
  }
  void add_run(const std::string& id, std::int64_t created, std::size_t context_bytes = 0) {
    RunRecord made = run(id, created);
    made.context.assign(context_bytes, ' ');
    ASSERT_TRUE(store_->add_run(made).ok());
  }
  void add_approval(const std::string& id, std::int64_t created, std::size_t card_bytes = 2) {
    ApprovalRecord asked = approval(id, "a");
    asked.created = created;
    asked.card.assign(card_bytes, ' ');
    ASSERT_TRUE(store_->add_approval(asked).ok());
  }
  // "c b | a": the pages from the first on.
  std::string run_pages(WantedRuns wanted) {
    std::string seen;
    for (;;) {
      const auto page = store_->page_of_runs(wanted).value();
      for (const RunSummary& one : page.runs) seen += one.id + " ";
      if (!page.next) return seen;
      seen += "| ";
      wanted.before = *page.next;
    }
  }
  std::string approval_pages(WantedApprovals wanted) {
    std::string seen;
    for (;;) {
      const auto page = store_->page_of_approvals(wanted).value();
      for (const ApprovalRecord& one : page.approvals) seen += one.id + " ";
      if (page.next.empty()) return seen;
      seen += "| ";
      wanted.after = page.next;
    }
  }

  std::unique_ptr<Store> store_;
};
INSTANTIATE_TEST_SUITE_P(On, PagesTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

TEST_P(PagesTest, APageOfRunsEndsWhereAnotherBegins) {
  add_run("a", 1);
  for (const char* id : {"b", "c"}) add_run(id, 2);
  for (const char* id : {"d", "e"}) add_run(id, 3);
  EXPECT_EQ(run_pages({.most = 100}), "d e b c a ");
  EXPECT_EQ(run_pages({.most = 2}), "d e | b c | a ");
  EXPECT_EQ(run_pages({.most = 3}), "d e | b c a ") << "those of one time stay together";
  EXPECT_EQ(run_pages({.most = 1}), "d e | b c | a ");
  EXPECT_EQ(run_pages({.most_bytes = 0}), "d e | b c | a ");
  EXPECT_EQ(run_pages({.most = 5}), "d e b c a ") << "there is no page after the last run";
  EXPECT_EQ(run_pages({.client = "other"}), "");
  EXPECT_EQ(run_pages({.status = RunStatus::kFailed}), "");
  EXPECT_EQ(run_pages({.before = 2}), "a ");
}

// The rows of one client's runs may hold hundreds of megabytes.
TEST_P(PagesTest, APageOfRunsIsBoundedInBytes) {
  for (int i = 1; i <= 5; ++i) add_run(std::to_string(i), i, 1000);
  EXPECT_EQ(run_pages({.most = 100, .most_bytes = 2500}), "5 4 3 | 2 1 ");
  EXPECT_EQ(run_pages({.most = 100, .most_bytes = 0}), "5 | 4 | 3 | 2 | 1 ") << "each page has one at least";
}

TEST_P(PagesTest, WhatARunIsForCountsAmongItsBytes) {
  RunRecord long_intent = run("a", 2);
  long_intent.intent.assign(5000, 'x');
  RunRecord long_config = run("b", 1);
  long_config.config.assign(5000, ' ');
  for (const RunRecord& one : {long_intent, long_config, run("c", 0)}) ASSERT_TRUE(store_->add_run(one).ok());
  EXPECT_EQ(run_pages({.most_bytes = 4000}), "a | b | c ");
}

TEST_P(PagesTest, ASummaryHasTheBeginningsOfTexts) {
  RunRecord made = run("a");
  made.code = "return '";
  while (made.code.size() < 5000) made.code += "\u00e9";
  made.intent = std::string(599, 'x') + "\u20ac and more";
  ASSERT_TRUE(store_->add_run(made).ok());
  ASSERT_TRUE(store_->end_run("a", RunStatus::kFailed, R"({"error":{}})", 7).ok());
  const RunSummary seen = store_->page_of_runs({}).value().runs.at(0);
  EXPECT_TRUE(made.code.starts_with(seen.code));
  EXPECT_EQ(seen.code.size(), 600u);
  EXPECT_EQ(seen.intent, std::string(599, 'x')) << "no half of a character";
  EXPECT_EQ(seen.ended, 7);
  EXPECT_EQ(seen.status, RunStatus::kFailed);
  EXPECT_EQ(seen.client, "me");
  EXPECT_EQ(store_->outcome_of("a").value(), R"({"error":{}})");
  EXPECT_EQ(store_->outcome_of("b").value(), "");
  const RunRecord listed = store_->list_runs(std::nullopt, 10).value().at(0);
  EXPECT_EQ(listed.intent, std::string(599, 'x'));
  EXPECT_EQ(listed.config, "");
  const auto in_short = store_->find_run_in_short("a").value();
  ASSERT_TRUE(in_short);
  EXPECT_EQ(in_short->owner, "g1");
  EXPECT_EQ(in_short->code, "");
  EXPECT_FALSE(store_->find_run_in_short("b").value());
}

TEST_P(PagesTest, PendingApprovalsAreOldestFirstAndAllNewestFirst) {
  add_run("a", 1);
  for (int i = 1; i <= 5; ++i) add_approval("p" + std::to_string(i), i < 4 ? i : 4);  // the last two at once
  ASSERT_TRUE(store_->withdraw_call("p1", 1).ok());
  ASSERT_TRUE(store_->withdraw_call("p1", 2).ok());
  EXPECT_EQ(approval_pages({.most = 100}), "p2 p3 p4 p5 ");
  EXPECT_EQ(approval_pages({.most = 2}), "p2 p3 | p4 p5 ");
  EXPECT_EQ(approval_pages({.most = 3}), "p2 p3 p4 | p5 ");
  EXPECT_EQ(approval_pages({.pending_only = false, .most = 100}), "p5 p4 p3 p2 p1 ");
  EXPECT_EQ(approval_pages({.pending_only = false, .most = 1}), "p5 | p4 | p3 | p2 | p1 ");
  EXPECT_EQ(approval_pages({.run = "a", .most = 3}), "p2 p3 p4 | p5 ");
  EXPECT_EQ(approval_pages({.run = "b"}), "");
  EXPECT_EQ(store_->page_of_approvals({.most = 1})->approvals.front().calls.size(), 2u);
  for (const char* wrong : {"x", "1", ":p1", "1p1"})
    EXPECT_EQ(store_->page_of_approvals({.after = wrong}).failure().code, ErrorCode::kInvalidArgument) << wrong;
  EXPECT_EQ(store_->approval_ids("", false)->size(), 5u);
  EXPECT_EQ(store_->approval_ids("a", true)->size(), 4u);
  EXPECT_TRUE(store_->approval_ids("b", false)->empty());
}

TEST_P(PagesTest, RunsAreCountedAndTimedWithoutBeingRead) {
  for (int i = 1; i <= 4; ++i) add_run(std::to_string(i), i);
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(store_->end_run(std::to_string(i), RunStatus::kFinished, "{}", 10 * i).ok());
  EXPECT_EQ(store_->count_runs(RunStatus::kRunning).value(), 1u);
  EXPECT_EQ(store_->count_runs(RunStatus::kFinished).value(), 3u);
  const auto times = store_->times_of_runs(20, 10).value();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].created, 3);
  EXPECT_EQ(times[0].ended, 30);
  EXPECT_EQ(store_->times_of_runs(0, 1)->size(), 1u);
}

// Many large requests of one client hide no request of another: each page has one at least, and the last one ends.
TEST_P(PagesTest, APageOfApprovalsIsBoundedInBytes) {
  add_run("a", 1);
  for (int i = 1; i <= 4; ++i) add_approval("p" + std::to_string(i), i, 1000);
  add_approval("small", 9);
  EXPECT_EQ(approval_pages({.most = 100, .most_bytes = 1500}), "p1 p2 | p3 p4 | small ");
  EXPECT_EQ(approval_pages({.most = 100, .most_bytes = 0}), "p1 | p2 | p3 | p4 | small ");
}

}  // namespace
}  // namespace glovebox::store
