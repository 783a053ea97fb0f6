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
