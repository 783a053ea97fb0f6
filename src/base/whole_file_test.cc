#include "base/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace glovebox::base {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(::mkdtemp(folder.data())); }
  void TearDown() override { fs::remove_all(folder); }
  std::string folder = testing::TempDir() + "glovebox_file_XXXXXX";
};

TEST_F(WholeFile, IsReplacedAndNothingElseIsLeft) {
  const std::string path = folder + "/a";
  ASSERT_TRUE(replace_file(path, "one", 0600).ok());
  ASSERT_TRUE(replace_file(path, "two").ok());
  EXPECT_EQ(read_whole_file(path, 100).value(), "two");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(WholeFile, IsReplacedBehindALink) {
  ASSERT_TRUE(replace_file(folder + "/real", "one").ok());
  fs::create_symlink("real", folder + "/link");
  ASSERT_TRUE(replace_file(folder + "/link", "two").ok());
  EXPECT_TRUE(fs::is_symlink(folder + "/link"));
  EXPECT_EQ(read_whole_file(folder + "/real", 100).value(), "two");
}

TEST_F(WholeFile, IsReplacedInPlaceOfALink) {
  ASSERT_TRUE(replace_file(folder + "/real", "one", 0600).ok());
  fs::create_symlink("real", folder + "/link");
  ASSERT_TRUE(replace_entry(folder + "/link", "two").ok());
  EXPECT_FALSE(fs::is_symlink(folder + "/link"));
  EXPECT_EQ(read_whole_file(folder + "/link", 100).value(), "two");
  EXPECT_EQ(read_whole_file(folder + "/real", 100).value(), "one");
  // A file that is there keeps its mode.
  ASSERT_TRUE(replace_entry(folder + "/real", "three").ok());
  struct stat status {};
  ASSERT_EQ(::stat((folder + "/real").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  fs::create_directory(folder + "/other");
  fs::create_directory_symlink("other", folder + "/elsewhere");
  EXPECT_FALSE(replace_entry(folder + "/elsewhere/a", "four").ok());
  EXPECT_TRUE(fs::is_empty(folder + "/other"));
}

TEST_F(WholeFile, AnOwnFileIsReplacedWhereNoOneElseWrites) {
  const std::string path = folder + "/real";
  EXPECT_FALSE(replace_own_file(path, "none").ok());
  ASSERT_TRUE(replace_file(path, "one", 0640).ok());
  ASSERT_TRUE(replace_own_file(path, "two").ok());
  EXPECT_EQ(read_whole_file(path, 100).value(), "two");
  fs::create_symlink("real", folder + "/link");
  EXPECT_FALSE(replace_own_file(folder + "/link", "three").ok());
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  EXPECT_FALSE(replace_own_file(path, "three").ok());
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0770), 0);
  EXPECT_FALSE(replace_own_file(path, "three").ok());
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
  EXPECT_EQ(read_whole_file(path, 100).value(), "two");
}

TEST_F(WholeFile, SaysWhyNot) {
  EXPECT_EQ(read_whole_file(folder + "/none", 1).failure().code, ErrorCode::kNotFound);
  EXPECT_FALSE(read_whole_file(folder, 1).ok());
  ASSERT_EQ(::mkfifo((folder + "/fifo").c_str(), 0600), 0);
  EXPECT_FALSE(read_whole_file(folder + "/fifo", 1).ok());
  ASSERT_TRUE(replace_file(folder + "/a", "12345").ok());
  EXPECT_TRUE(read_whole_file(folder + "/a", 5).ok());
  EXPECT_FALSE(read_whole_file(folder + "/a", 4).ok());
  EXPECT_FALSE(replace_file(folder + "/missing/a", "x").ok());
}

}  // namespace
}  // namespace glovebox::base
