#include "gateway/run_journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "store/sqlite.h"

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
  RunJournal journal() {
    return RunJournal(*store_, "r", [this](const Failure& failure) { failures_.push_back(failure.message); });
  }

  std::string root_;
  std::unique_ptr<store::Store> store_;
  std::vector<std::string> failures_;
};

TEST_F(RunJournalTest, IsInMemoryUntilItIsKeptAndThenInTheStore) {
  RunJournal journal = this->journal();
  journal.add({EntryKind::kCall, 1, "tool", "d", ""});
  ASSERT_TRUE(journal.begin_call(1).ok());
  EXPECT_TRUE(store_->journal("r").value().empty());
  EXPECT_FALSE(journal.is_kept());
  ASSERT_TRUE(journal.keep().ok());
  ASSERT_TRUE(journal.keep().ok());
  EXPECT_EQ(store_->journal("r").value().size(), 1u);
  EXPECT_EQ(store_->calls_begun("r").value().size(), 1u);
  journal.add({EntryKind::kReply, 1, "", "", "x"});
  ASSERT_TRUE(journal.begin_call(2).ok());
  EXPECT_EQ(store_->journal("r").value().size(), 2u);
  EXPECT_EQ(store_->calls_begun("r").value().size(), 2u);

  RunJournal later = this->journal();
  EXPECT_EQ(later.load().value().size(), 2u);
  EXPECT_TRUE(later.was_begun(2));
  EXPECT_FALSE(later.was_begun(3));
  EXPECT_TRUE(later.open_calls().empty());
  later.add({EntryKind::kCall, 3, "tool", "d", ""});
  EXPECT_EQ(store_->journal("r").value().size(), 3u);
  using Open = std::map<std::uint64_t, std::string>;
  EXPECT_EQ(later.open_calls(), (Open{{3, "tool"}}));
  EXPECT_TRUE(later.load().ok());
  EXPECT_EQ(later.open_calls(), (Open{{3, "tool"}}));
}

TEST_F(RunJournalTest, OneThatIsTooLargeIsGivenUp) {
  RunJournal journal = this->journal();
  ASSERT_TRUE(journal.keep().ok());
  EXPECT_TRUE(store_->find_run("r").value()->journaled);
  for (int i = 0; i < 5; ++i) journal.add({EntryKind::kReply, 1, "", "", std::string(15 << 20, 'x')});
  EXPECT_FALSE(journal.is_kept());
  EXPECT_FALSE(store_->find_run("r").value()->journaled);
  EXPECT_TRUE(store_->journal("r").value().empty());
  EXPECT_TRUE(failures_.empty());
}

TEST_F(RunJournalTest, AFailureIsToldOnce) {
  RunJournal journal = this->journal();
  ASSERT_TRUE(journal.keep().ok());
  {
    auto other = store::SqliteDatabase::open(root_ + "/.glovebox/glovebox.db");
    ASSERT_TRUE(other.value()->execute("DROP TABLE journal").ok());
  }
  journal.add({EntryKind::kCall, 1, "tool", "d", ""});
  journal.add({EntryKind::kCall, 2, "tool", "d", ""});
  EXPECT_EQ(failures_.size(), 1u);
}

}  // namespace
}  // namespace glovebox::gateway
