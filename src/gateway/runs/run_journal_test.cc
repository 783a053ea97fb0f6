#include "gateway/runs/run_journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "store/database/sqlite.h"

namespace glovebox::gateway {
namespace {

using EntryKind = JournalEntry::Kind;

class RunJournalTest : public testing::Test {
 protected:
  RunJournalTest() {
    char name[] = "/tmp/glovebox-journal-XXXXXX";
    root_ = ::mkdtemp(name);
    store_ = std::move(store::Store::open(root_ + "/.glovebox", store::RowKey{})).value();
    store::RunRecord run;
    run.id = "r";
    EXPECT_TRUE(store_->add_run(run).ok());
  }
  ~RunJournalTest() override { std::filesystem::remove_all(root_); }
  std::shared_ptr<RunJournal> journal() {
    return std::make_shared<RunJournal>(*store_, "r",
                                        [this](const Failure& failure) { failures_.push_back(failure.message); });
  }
  // The store's thread does nothing until the returned function is called.
  std::function<void()> hold_store() {
    const auto released = std::make_shared<std::promise<void>>();
    store_->post([released](store::Store&) { released->get_future().wait(); });
    return [released] { released->set_value(); };
  }

  std::string root_;
  std::unique_ptr<store::Store> store_;
  std::vector<std::string> failures_;
};

TEST_F(RunJournalTest, IsInMemoryUntilItIsKeptAndThenInTheStore) {
  const auto journal = this->journal();
  journal->add({EntryKind::kCall, 1, "tool", "d", ""});
  EXPECT_FALSE(journal->begin_call(1, true, false));
  EXPECT_TRUE(store_->journal("r").value().empty());
  EXPECT_FALSE(journal->is_kept());
  journal->keep();
  journal->keep();
  EXPECT_EQ(store_->journal("r").value().size(), 1u);
  EXPECT_EQ(store_->calls_begun("r").value().size(), 1u);
  journal->add({EntryKind::kReply, 1, "", "", "x"});
  journal->begin_call(2, true, false);
  EXPECT_EQ(store_->journal("r").value().size(), 2u);
  EXPECT_EQ(store_->calls_begun("r").value().size(), 2u);
  EXPECT_EQ(journal->whole()->size(), 2u);

  const auto later = this->journal();
  EXPECT_FALSE(later->has_begun());
  EXPECT_EQ(later->load(RunJournal::read(*store_, "r").value()).size(), 2u);
  EXPECT_TRUE(later->has_begun());
  EXPECT_TRUE(later->was_begun(2));
  EXPECT_FALSE(later->was_begun(3));
  EXPECT_TRUE(later->open_calls().empty());
  later->add({EntryKind::kCall, 3, "tool", "d", ""});
  EXPECT_EQ(store_->journal("r").value().size(), 3u);
  using Open = std::map<std::uint64_t, std::string>;
  EXPECT_EQ(later->open_calls(), (Open{{3, "tool"}}));
  later->load(RunJournal::read(*store_, "r").value());
  EXPECT_EQ(later->open_calls(), (Open{{3, "tool"}}));
}

TEST_F(RunJournalTest, ACallAndTheJournalThatItNeedsAreOneWrite) {
  const auto journal = this->journal();
  journal->add({EntryKind::kCall, 1, "tool", "d", ""});
  const auto go = hold_store();
  EXPECT_TRUE(journal->begin_call(1, true, true));
  std::promise<void> written;
  journal->when_written([&] { written.set_value(); });
  EXPECT_TRUE(journal->waits_since());
  go();
  written.get_future().wait();
  EXPECT_FALSE(journal->waits_since());
  EXPECT_EQ(store_->calls_begun("r").value().size(), 1u);
}

TEST_F(RunJournalTest, WhatActsWaitsForTheStoreAndTheRestDoesNot) {
  const auto journal = this->journal();
  journal->keep();
  const auto go = hold_store();
  journal->add({EntryKind::kCall, 1, "sleep", "d", ""});
  bool slept = false;
  journal->before_call(false, [&] { slept = true; });
  EXPECT_TRUE(slept);
  std::promise<void> acted;
  std::atomic<bool> has_acted = false;
  journal->before_call(true, [&] {
    has_acted = true;
    acted.set_value();
  });
  EXPECT_FALSE(has_acted);
  go();
  acted.get_future().wait();
  EXPECT_EQ(store_->journal("r").value().size(), 1u);
}

TEST_F(RunJournalTest, ARunThatIsFarAheadOfItsJournalWaitsWhateverItDoes) {
  const auto journal = this->journal();
  journal->keep();
  const auto go = hold_store();
  std::promise<void> gone;
  for (std::uint64_t call = 1; call < 300; ++call) journal->add({EntryKind::kCall, call, "sleep", "d", ""});
  std::atomic<bool> went = false;
  journal->before_call(false, [&] {
    went = true;
    gone.set_value();
  });
  EXPECT_FALSE(went);
  go();
  gone.get_future().wait();
}

TEST_F(RunJournalTest, OneThatIsTooLargeIsGivenUp) {
  const auto journal = this->journal();
  journal->keep();
  EXPECT_TRUE(store_->find_run("r").value()->journaled);
  for (int i = 0; i < 5; ++i) journal->add({EntryKind::kReply, 1, "", "", std::string(15 << 20, 'x')});
  EXPECT_FALSE(journal->is_kept());
  EXPECT_FALSE(store_->find_run("r").value()->journaled);
  EXPECT_TRUE(store_->journal("r").value().empty());
  EXPECT_TRUE(failures_.empty());
}

TEST_F(RunJournalTest, AFailureIsToldOnce) {
  const auto journal = this->journal();
  journal->keep();
  ASSERT_TRUE(store_->wait_for_posted().ok());
  {
    auto other = store::SqliteDatabase::open(root_ + "/.glovebox/glovebox.db");
    ASSERT_TRUE(other.value()->execute("DROP TABLE journal").ok());
  }
  journal->add({EntryKind::kCall, 1, "tool", "d", ""});
  journal->add({EntryKind::kCall, 2, "tool", "d", ""});
  ASSERT_TRUE(store_->wait_for_posted().ok());
  EXPECT_EQ(failures_.size(), 1u);
}

}  // namespace
}  // namespace glovebox::gateway
