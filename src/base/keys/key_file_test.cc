#include "base/keys/key_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/whole_file.h"

namespace glovebox::base {
namespace {

TEST(KeyFile, TheFirstOneStaysAndIsItsUsersAlone) {
  char name[] = "/tmp/glovebox-key-XXXXXX";
  const std::string root = ::mkdtemp(name);
  const std::string path = root + "/a.key";
  EXPECT_TRUE(make_key_file(path, "first").ok());
  EXPECT_TRUE(make_key_file(path, "second").ok());
  EXPECT_EQ(read_whole_file(path, 100).value(), "first");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  // Nothing is left beside it.
  const std::filesystem::directory_iterator all(root);
  EXPECT_EQ(std::distance(begin(all), end(all)), 1);
  EXPECT_FALSE(make_key_file(root + "/none/a.key", "x").ok());
  EXPECT_EQ(read_key_file(path, 5).value(), "first");
  EXPECT_EQ(read_key_file(path, 4).failure().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(read_key_file(root + "/b.key", 4).failure().code, ErrorCode::kNotFound);
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_NE(read_key_file(path, 5).failure().message.find("chmod go-rwx '" + path + "'"), std::string::npos);
  std::filesystem::remove_all(root);
}

// What was checked is what is written to: neither a link nor a folder of others gets a key.
TEST(KeyFile, IsMadeInItsUsersFolderOnly) {
  char name[] = "/tmp/glovebox-key-XXXXXX";
  const std::string root = ::mkdtemp(name);
  std::filesystem::create_directory(root + "/real");
  std::filesystem::create_directory_symlink("real", root + "/link");
  EXPECT_FALSE(make_key_file(root + "/link/a.key", "secret").ok());
  ASSERT_EQ(::chmod((root + "/real").c_str(), 0777), 0);
  EXPECT_FALSE(make_key_file(root + "/real/a.key", "secret").ok());
  EXPECT_TRUE(std::filesystem::is_empty(root + "/real"));
  ASSERT_EQ(::chmod((root + "/real").c_str(), 0700), 0);
  std::filesystem::create_symlink("/dev/null", root + "/real/b.key");
  EXPECT_TRUE(make_key_file(root + "/real/b.key", "secret").ok()) << "what is there stays";
  EXPECT_FALSE(read_key_file(root + "/real/b.key", 6).ok()) << "but is not read through a link";
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace glovebox::base
