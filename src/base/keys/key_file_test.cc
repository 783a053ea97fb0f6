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
  EXPECT_EQ(read_key_file(path, 5).failure().code, ErrorCode::kInvalidArgument);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace glovebox::base
