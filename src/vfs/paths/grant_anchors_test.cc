#include "vfs/paths/grant_anchors.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "vfs/paths/open_beneath.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

using policy::Access;

class GrantAnchorsTest : public ::testing::Test {
 protected:
  GrantAnchors open(std::vector<std::string> read, std::vector<std::string> write = {}) {
    auto opened = GrantAnchors::open({std::move(read), std::move(write), folder_.path()});
    EXPECT_TRUE(opened) << opened.failure().message;
    return std::move(opened).value();
  }
  ScratchFolder folder_ = ScratchFolder::in_memory();
};

TEST_F(GrantAnchorsTest, AFolderIsItsOwnAnchorAndAFileIsReachedFromItsFolder) {
  put(folder_ / "d/file", "x");
  const GrantAnchors anchors = open({"d", "d/file", "d/missing/deep"});
  EXPECT_EQ(anchors.anchor(0).path, folder_ / "d");
  EXPECT_TRUE(anchors.anchor(0).parent.valid());
  EXPECT_EQ(anchors.anchor(1).path, folder_ / "d");
  EXPECT_FALSE(anchors.anchor(1).parent.valid());
  EXPECT_EQ(anchors.anchor(2).path, folder_ / "d");
  EXPECT_EQ(anchors.grants().all()[2].path, folder_ / "d/missing/deep");
}

TEST_F(GrantAnchorsTest, NothingIsReachedWithoutAGrant) {
  put(folder_ / "d/file", "x");
  const GrantAnchors anchors = open({"d"});
  EXPECT_TRUE(anchors.open(folder_ / "d/file", Access::kRead, O_RDONLY));
  EXPECT_EQ(anchors.open(folder_ / "d/file", Access::kWrite, O_RDONLY).failure().number, EACCES);
  EXPECT_EQ(anchors.open(folder_.path(), Access::kRead, O_PATH).failure().number, EACCES);
  EXPECT_EQ(anchors.entry(folder_ / "d/file").failure().number, EACCES);
}

TEST_F(GrantAnchorsTest, AnAnchorStaysTheFolderThatItWas) {
  put(folder_ / "d/file", "x");
  const GrantAnchors anchors = open({"d"});
  std::filesystem::rename(folder_ / "d", folder_ / "moved");
  put(folder_ / "elsewhere/file", "canary");
  std::filesystem::create_symlink("elsewhere", folder_ / "d");
  auto fd = anchors.open(folder_ / "d/file", Access::kRead, O_RDONLY);
  ASSERT_TRUE(fd);
  EXPECT_EQ(info_of(fd->get()).value().size, 1U);
}

TEST_F(GrantAnchorsTest, TheRootOfTheFileSystemHasNoEntry) {
  const GrantAnchors anchors = open({}, {"/"});
  EXPECT_EQ(anchors.entry("/").failure().number, EBUSY);
}

TEST_F(GrantAnchorsTest, AForgottenFolderIsLookedForByName) {
  put(folder_ / "d/inner/file", "old");
  GrantAnchors anchors = open({"d/inner"}, {"d/inner"});
  {
    auto entry = anchors.entry(folder_ / "d/inner");
    ASSERT_TRUE(entry);
    std::filesystem::rename(folder_ / "d/inner", folder_ / "away");
    anchors.forget(folder_ / "d/inner", entry->folder);
  }
  EXPECT_EQ(anchors.open(folder_ / "d/inner/file", Access::kRead, O_RDONLY).failure().number, ENOENT);
  put(folder_ / "d/inner/file", "newer");
  EXPECT_TRUE(anchors.open(folder_ / "d/inner/file", Access::kRead, O_RDONLY));
}

TEST_F(GrantAnchorsTest, WhatIsNoPathIsNoGrant) {
  EXPECT_FALSE(GrantAnchors::open({{""}, {}, "/"}));
  EXPECT_FALSE(GrantAnchors::open({{}, {std::string("a\0b", 3)}, "/"}));
  EXPECT_FALSE(GrantAnchors::open({{std::string(5000, 'a')}, {}, "/"}));
}

}  // namespace
}  // namespace glovebox::vfs
