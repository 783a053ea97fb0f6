#include "assembly/standing/kept_changes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

#include "assembly/standing/live_logs.h"
#include "base/whole_file.h"
#include "calls/files/change_layer.h"

namespace glovebox::assembly {
namespace {

namespace fs = std::filesystem;

struct OneFile : ChangeSet::Layer {
  explicit OneFile(const std::string& path) : list{{path, Change::Kind::kModified, 3, 3}} {}
  const std::vector<Change>& changes() const override { return list; }
  bool is_committed() const override { return committed; }
  Result<std::string> content_of(const std::string&, std::size_t) override {
    touched_on.insert(std::this_thread::get_id());
    return content;
  }
  Result<void> commit(const std::function<bool()>&) override {
    touched_on.insert(std::this_thread::get_id());
    if (conflicts) return Failure{ErrorCode::kConflict, "CONFLICT"};
    committed = true;
    return {};
  }
  void drop() override {
    touched_on.insert(std::this_thread::get_id());
    dropped = true;
  }
  std::vector<Change> list;
  std::string content = "new";
  std::atomic<bool> committed = false, dropped = false, conflicts = false;
  std::set<std::thread::id> touched_on;
};

class KeptChangesTest : public testing::Test {
 protected:
  KeptChangesTest() {
    char name[] = "/tmp/glovebox-kept-XXXXXX";
    root_ = ::mkdtemp(name);
    std::ofstream(root_ + "/file") << "old";
    kept_ = std::make_unique<KeptChanges>(loop_.get_executor(), root_ + "/live", [this] { ++described_; });
  }
  ~KeptChangesTest() override {
    kept_.reset();
    fs::remove_all(root_);
  }
  std::shared_ptr<OneFile> layer() const { return std::make_shared<OneFile>(root_ + "/file"); }
  template <typename Until>
  void run_until(Until until) {
    while (!until()) loop_.run_one();
  }
  // Until it can be shown.
  void keep(const std::string& client, const std::string& run, const std::shared_ptr<OneFile>& changes) {
    const std::size_t before = described_;
    kept_->keep(client, run, ChangeSet(changes));
    run_until([&] { return described_ > before; });
  }
  Result<void> settle(const std::string& run, bool commits) {
    std::optional<Result<void>> settled;
    kept_->settle(run, commits, [&](const Result<void>& done) { settled = done; });
    run_until([&] { return settled.has_value(); });
    return *settled;
  }
  std::string described(const std::string& run) const {
    const auto text = base::read_whole_file(root_ + "/live/" + run + ".changes", 1 << 20);
    return text ? text.value() : std::string();
  }

  std::string root_;
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.get_executor()};
  std::size_t described_ = 0;
  std::unique_ptr<KeptChanges> kept_;
};

TEST_F(KeptChangesTest, AreCommittedOrDroppedOnce) {
  const auto one = layer();
  keep("stdio", "run_1", one);
  EXPECT_NE(described("run_1").find(R"("before":"old","after":"new")"), std::string::npos) << described("run_1");
  one->conflicts = true;
  EXPECT_EQ(settle("run_1", true).failure().code, ErrorCode::kConflict);
  one->conflicts = false;
  EXPECT_TRUE(settle("run_1", true).ok()) << "it may be tried again";
  EXPECT_TRUE(one->committed);
  EXPECT_EQ(settle("run_1", false).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(settle("run_2", true).failure().code, ErrorCode::kNotFound);
  EXPECT_EQ(mcp::json::serialize(kept_->to_json()), R"([{"run":"run_1","state":"committed"}])");
}

// A disk may take seconds, and the loop serves others meanwhile.
TEST_F(KeptChangesTest, NothingOfTheDiskHappensOnTheLoop) {
  const auto one = layer();
  const auto other = layer();
  keep("stdio", "run_1", one);
  keep("stdio", "run_2", other);
  std::vector<Result<void>> settled;
  const auto note = [&](const Result<void>& done) { settled.push_back(done); };
  kept_->settle("run_1", true, note);
  EXPECT_TRUE(settled.empty()) << "the person is answered once it is done";
  kept_->settle("run_1", false, note);
  ASSERT_EQ(settled.size(), 1u) << "one decision counts";
  EXPECT_EQ(settled[0].failure().code, ErrorCode::kConflict);
  run_until([&] { return settled.size() == 2; });
  EXPECT_TRUE(settled[1].ok());
  kept_.reset();
  EXPECT_TRUE(other->dropped);
  EXPECT_EQ(described("run_2"), "");
  for (const auto& layer : {one, other}) EXPECT_FALSE(layer->touched_on.contains(std::this_thread::get_id()));
}

// A yes that is on record is carried out, also by a gateway that ends.
TEST_F(KeptChangesTest, WhatAPersonAskedForIsDoneBeforeTheEnd) {
  const auto one = layer();
  keep("stdio", "run_1", one);
  kept_->settle("run_1", true, [](const Result<void>&) { ADD_FAILURE() << "there is no one left to tell"; });
  kept_.reset();
  EXPECT_TRUE(one->committed);
  loop_.poll();
}

TEST_F(KeptChangesTest, TheOldestGoAndWhatIsNoTextIsNotShown) {
  const auto first = layer();
  first->content = "\xff\xfe";
  keep("stdio", "run_0", first);
  EXPECT_NE(described("run_0").find(R"("after":null)"), std::string::npos) << described("run_0");
  for (int i = 1; i <= 16; ++i) keep("stdio", "run_" + std::to_string(i), layer());
  EXPECT_TRUE(first->dropped);
  EXPECT_EQ(described("run_0"), "");
  EXPECT_EQ(kept_->to_json().size(), 16u);
}

// An agent whose code changes files again and again, under whatever names it gives itself.
TEST_F(KeptChangesTest, OneClientPushesOutItsOwn) {
  const auto anns = layer();
  keep("http:ann", "run_ann", anns);
  const auto eves = layer();
  keep("http:eve", "run_eve", eves);
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    keep("http:eve made-up-name-" + number, "run_" + number, layer());
  }
  EXPECT_EQ(kept_->to_json().size(), 16u);
  EXPECT_TRUE(eves->dropped);
  EXPECT_FALSE(anns->dropped);
  EXPECT_TRUE(settle("run_ann", true).ok());
  EXPECT_NE(described("run_ann"), "");
  EXPECT_NE(described("run_39"), "") << "and the newest is there";
}

TEST_F(KeptChangesTest, LogsOfARunUnderWayAreInAFileUntilItEnds) {
  boost::asio::io_context loop;
  const std::string file = root_ + "/live/run_1.log";
  LiveLogs logs(loop.get_executor(), root_ + "/live");
  logs.add("run_0", {LogLevel::kLog, "over soon"});
  logs.ended("run_0");
  logs.add("run_1", {LogLevel::kLog, "one"});
  loop.run();
  loop.restart();
  logs.add("run_1", {LogLevel::kLog, "two"});
  loop.run();
  EXPECT_FALSE(fs::exists(root_ + "/live/run_0.log"));
  EXPECT_EQ(base::read_whole_file(file, 100).value(), "one\ntwo\n");
  logs.ended("run_1");
  EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace glovebox::assembly
