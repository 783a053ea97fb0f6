#include "catalog/pins/lock_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/whole_file.h"
#include "catalog/pins/definition.h"

namespace glovebox::catalog {
namespace {

namespace fs = std::filesystem;

Tool tool(const std::string& name, const std::string& description) {
  return read_tool("s", R"({"name":")" + name + R"(","description":")" + description + R"(","inputSchema":{}})");
}

class LockFileTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    folder = root + "/.glovebox";
  }
  void TearDown() override { fs::remove_all(root); }
  std::string text() const { return base::read_whole_file(folder + "/mcp.lock", 1 << 20).value(); }
  std::string root = testing::TempDir() + "glovebox_lock_XXXXXX";
  std::string folder;
};

TEST_F(LockFileTest, PinsOnceAndRemembers) {
  const Tool a = tool("a", "one");
  const Tool changed = tool("a", "two");
  LockFile lock(folder);
  ASSERT_TRUE(lock.refresh().ok());
  EXPECT_EQ(lock.find("s", "a"), nullptr);
  ASSERT_TRUE(lock.pin_new({&a}).ok());
  ASSERT_TRUE(lock.pin_new({&changed}).ok());
  LockFile other(folder);
  ASSERT_TRUE(other.refresh().ok());
  ASSERT_NE(other.find("s", "a"), nullptr);
  EXPECT_EQ(other.find("s", "a")->hash, a.hash);
  EXPECT_EQ(other.find("s", "a")->definition, pinned_definition(a));

  // What one approves, the other sees.
  ASSERT_TRUE(other.approve(changed).ok());
  ASSERT_TRUE(lock.refresh().ok());
  EXPECT_EQ(lock.find("s", "a")->hash, changed.hash);
  ASSERT_TRUE(lock.forget_server("s").ok());
  EXPECT_EQ(lock.find("s", "a"), nullptr);
  EXPECT_NE(text().find("\"tools\": {}"), std::string::npos);
}

TEST_F(LockFileTest, KeepsWhatBelongsToOthers) {
  fs::create_directory(folder);
  std::ofstream(folder + "/mcp.lock") << R"({"version":1,"entries":{"x.y":{"integrity":"z"}},"later":[1]})";
  LockFile lock(folder);
  const Tool a = tool("a", "one");
  ASSERT_TRUE(lock.pin_new({&a}).ok());
  EXPECT_NE(text().find("\"integrity\": \"z\""), std::string::npos);
  EXPECT_NE(text().find("\"later\""), std::string::npos);
}

TEST_F(LockFileTest, ThatCannotBeReadIsLeftAlone) {
  fs::create_directory(folder);
  const Tool a = tool("a", "one");
  for (const std::string bad :
       {"{", "[]", R"({"version":2})", R"({"version":1,"tools":[]})", R"({"version":1,"tools":{"s.a":{"hash":1}}})"}) {
    std::ofstream(folder + "/mcp.lock", std::ios::trunc) << bad;
    LockFile lock(folder);
    EXPECT_FALSE(lock.refresh().ok()) << bad;
    EXPECT_FALSE(lock.pin_new({&a}).ok()) << bad;
    EXPECT_FALSE(lock.approve(a).ok()) << bad;
    EXPECT_EQ(text(), bad);
    EXPECT_EQ(lock.find("s", "a"), nullptr);
  }
}

// It may have come with a repository.
TEST_F(LockFileTest, IsRefusedBeyondWhatALockNeeds) {
  fs::create_directory(folder);
  std::string many = R"({"version":1,"tools":{},"later":[0)";
  for (int i = 0; i < 1'000'000; ++i) many += ",0";
  const std::string large = R"({"version":1,"tools":{},"later":")" + std::string(std::size_t{16} << 20, 'x') + "\"}";
  const Tool a = tool("a", "one");
  for (const std::string& bad : {many + "]}", large}) {
    std::ofstream(folder + "/mcp.lock", std::ios::trunc) << bad;
    LockFile lock(folder);
    const auto read = lock.refresh();
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.failure().message.find("16 MB or 1000000 values"), std::string::npos) << read.failure().message;
    EXPECT_FALSE(lock.pin_new({&a}).ok());
    EXPECT_EQ(fs::file_size(folder + "/mcp.lock"), bad.size()) << "it is left alone";
  }
}

// A server that lists much does not make the pins of others unreadable.
TEST_F(LockFileTest, IsNotWrittenBeyondWhatItMayHave) {
  LockFile lock(folder);
  const Tool first = tool("first", "one");
  ASSERT_TRUE(lock.pin_new({&first}).ok());
  std::vector<Tool> tools;
  for (int i = 0; i < 20; ++i) tools.push_back(tool("t" + std::to_string(i), std::string(std::size_t{900} << 10, 'x')));
  std::vector<const Tool*> all;
  for (const Tool& one : tools) all.push_back(&one);
  const auto pinned = lock.pin_new(all);
  ASSERT_FALSE(pinned.ok());
  EXPECT_NE(pinned.failure().message.find("is not written"), std::string::npos) << pinned.failure().message;
  LockFile other(folder);
  ASSERT_TRUE(other.refresh().ok());
  EXPECT_NE(other.find("s", "first"), nullptr);
  EXPECT_EQ(other.find("s", "t0"), nullptr);
}

TEST_F(LockFileTest, WorksInMemory) {
  LockFile lock("");
  const Tool a = tool("a", "one");
  ASSERT_TRUE(lock.pin_new({&a}).ok());
  EXPECT_EQ(lock.find("s", "a")->hash, a.hash);
  ASSERT_TRUE(lock.approve(tool("a", "two")).ok());
  EXPECT_NE(lock.find("s", "a")->hash, a.hash);
}

}  // namespace
}  // namespace glovebox::catalog
