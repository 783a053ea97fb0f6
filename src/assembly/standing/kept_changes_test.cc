#include "assembly/standing/kept_changes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>

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
  Result<std::string> content_of(const std::string&, std::size_t) override { return content; }
  Result<void> commit(const std::function<bool()>&) override {
    if (conflicts) return Failure{ErrorCode::kConflict, "CONFLICT"};
    committed = true;
    return {};
  }
  void drop() override { dropped = true; }
  std::vector<Change> list;
  std::string content = "new";
  bool committed = false, dropped = false, conflicts = false;
};

class KeptChangesTest : public testing::Test {
 protected:
  KeptChangesTest() {
    char name[] = "/tmp/glovebox-kept-XXXXXX";
    root_ = ::mkdtemp(name);
    std::ofstream(root_ + "/file") << "old";
  }
  ~KeptChangesTest() override { fs::remove_all(root_); }
  std::shared_ptr<OneFile> layer() const { return std::make_shared<OneFile>(root_ + "/file"); }
  std::string described(const std::string& run) const {
    const auto text = base::read_whole_file(root_ + "/live/" + run + ".changes", 1 << 20);
    return text ? text.value() : std::string();
  }
  std::string root_;
};

TEST_F(KeptChangesTest, AreCommittedOrDroppedOnce) {
  KeptChanges kept(root_ + "/live");
  const auto one = layer();
  kept.keep("stdio", "run_1", ChangeSet(one));
  EXPECT_NE(described("run_1").find(R"("before":"old","after":"new")"), std::string::npos) << described("run_1");
  one->conflicts = true;
  EXPECT_EQ(kept.settle("run_1", true).failure().code, ErrorCode::kConflict);
  one->conflicts = false;
  EXPECT_TRUE(kept.settle("run_1", true).ok()) << "it may be tried again";
  EXPECT_TRUE(one->committed);
  EXPECT_EQ(kept.settle("run_1", false).failure().code, ErrorCode::kConflict);
  EXPECT_EQ(kept.settle("run_2", true).failure().code, ErrorCode::kNotFound);
  EXPECT_EQ(mcp::json::serialize(kept.to_json()), R"([{"run":"run_1","state":"committed"}])");
}

TEST_F(KeptChangesTest, TheOldestGoAndWhatIsNoTextIsNotShown) {
  KeptChanges kept(root_ + "/live");
  const auto first = layer();
  first->content = "\xff\xfe";
  kept.keep("stdio", "run_0", ChangeSet(first));
  EXPECT_NE(described("run_0").find(R"("after":null)"), std::string::npos) << described("run_0");
  for (int i = 1; i <= 16; ++i) kept.keep("stdio", "run_" + std::to_string(i), ChangeSet(layer()));
  EXPECT_TRUE(first->dropped);
  EXPECT_EQ(described("run_0"), "");
  EXPECT_EQ(kept.to_json().size(), 16u);
}

// An agent whose code changes files again and again, under whatever names it gives itself.
TEST_F(KeptChangesTest, OneClientPushesOutItsOwn) {
  KeptChanges kept(root_ + "/live");
  const auto anns = layer();
  kept.keep("http:ann", "run_ann", ChangeSet(anns));
  const auto eves = layer();
  kept.keep("http:eve", "run_eve", ChangeSet(eves));
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    kept.keep("http:eve made-up-name-" + number, "run_" + number, ChangeSet(layer()));
  }
  EXPECT_EQ(kept.to_json().size(), 16u);
  EXPECT_TRUE(eves->dropped);
  EXPECT_FALSE(anns->dropped);
  EXPECT_TRUE(kept.settle("run_ann", true).ok());
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
