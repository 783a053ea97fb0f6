#include "base/private_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace glovebox::base {
namespace {

class PrivateFolder : public testing::Test {
 protected:
  PrivateFolder() {
    char name[] = "/tmp/glovebox-private-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  ~PrivateFolder() override { std::filesystem::remove_all(root_); }

  Result<UniqueFd> inner(const std::string& name) {
    const UniqueFd parent(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return open_private_folder(parent.get(), name, root_ + "/" + name);
  }

  std::string root_;
};

TEST_F(PrivateFolder, IsMadeWithWhatIsAboveIt) {
  ASSERT_TRUE(make_private_folders(root_ + "/a/b/c").ok());
  EXPECT_TRUE(open_private_folder(root_ + "/a/b/c").ok());
  struct stat status {};
  ASSERT_EQ(::stat((root_ + "/a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(PrivateFolder, WhatCannotBeMadeIsNamedWithItsReason) {
  ASSERT_EQ(::symlink("/dev/null", (root_ + "/file").c_str()), 0);
  const auto made = make_private_folders(root_ + "/file/a/b");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.failure().message, "cannot create " + root_ + "/file/a: Not a directory");
}

TEST_F(PrivateFolder, OneThatIsMissingIsToldApart) {
  EXPECT_EQ(open_private_folder(root_ + "/none").failure().code, ErrorCode::kNotFound);
}

TEST_F(PrivateFolder, ALinkIsRefused) {
  ::mkdir((root_ + "/real").c_str(), 0700);
  ASSERT_EQ(::symlink("real", (root_ + "/link").c_str()), 0);
  EXPECT_NE(open_private_folder(root_ + "/link").failure().message.find("link"), std::string::npos);
  EXPECT_FALSE(inner("link").ok());
  EXPECT_TRUE(inner("real").ok());
}

TEST_F(PrivateFolder, OneThatOthersMayWriteIsRefused) {
  ::mkdir((root_ + "/open").c_str(), 0700);
  ::chmod((root_ + "/open").c_str(), 0777);
  EXPECT_NE(open_private_folder(root_ + "/open").failure().message.find("chmod"), std::string::npos);
  ::chmod((root_ + "/open").c_str(), 0755);
  EXPECT_TRUE(open_private_folder(root_ + "/open").ok());
  EXPECT_FALSE(inner("open").ok());
}

TEST_F(PrivateFolder, OneOfSomebodyElseIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ::mkdir((root_ + "/theirs").c_str(), 0700);
  ASSERT_EQ(::chown((root_ + "/theirs").c_str(), 65534, 65534), 0);
  EXPECT_NE(inner("theirs").failure().message.find("belongs to user 65534"), std::string::npos);
}

TEST_F(PrivateFolder, WhatLiesInItIsLookedAt) {
  ::mkdir((root_ + "/state").c_str(), 0700);
  const auto folder = open_private_folder(root_ + "/state");
  ASSERT_TRUE(folder.ok());
  const auto check = [&] { return check_private_entries(folder->get(), root_ + "/state"); };
  { std::ofstream(root_ + "/state/key") << "k"; }
  EXPECT_TRUE(check().ok());
  ::chmod((root_ + "/state/key").c_str(), 0666);
  EXPECT_FALSE(check().ok());
  ::unlink((root_ + "/state/key").c_str());
  ASSERT_EQ(::symlink("/etc/hostname", (root_ + "/state/key").c_str()), 0);
  EXPECT_FALSE(check().ok());
}

}  // namespace
}  // namespace glovebox::base
