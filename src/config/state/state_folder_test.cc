#include "config/state/state_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace glovebox::config {
namespace {

namespace fs = std::filesystem;

class StateFolders : public testing::Test {
 protected:
  StateFolders() {
    char name[] = "/tmp/glovebox-state-XXXXXX";
    root_ = ::mkdtemp(name);
    workspace_ = root_ + "/my project";
    fs::create_directory(workspace_);
    if (const char* before = ::getenv("XDG_STATE_HOME")) before_ = before;
    ::setenv("XDG_STATE_HOME", (root_ + "/state").c_str(), 1);
  }
  ~StateFolders() override {
    before_.empty() ? ::unsetenv("XDG_STATE_HOME") : ::setenv("XDG_STATE_HOME", before_.c_str(), 1);
    fs::remove_all(root_);
  }

  std::string root_;
  std::string workspace_;
  std::string before_;
};

TEST_F(StateFolders, LookingMakesNothing) {
  const auto found = find_state_folder(workspace_);
  ASSERT_TRUE(found.ok()) << found.failure().message;
  EXPECT_FALSE(found->exists);
  EXPECT_FALSE(fs::exists(root_ + "/state"));
}

TEST_F(StateFolders, OneIsMadeOnceForItsOwnerAlone) {
  const auto made = make_state_folder(workspace_);
  ASSERT_TRUE(made.ok()) << made.failure().message;
  EXPECT_EQ(made->notice, "");
  EXPECT_TRUE(made->path.starts_with(root_ + "/state/glovebox/workspaces/my-project-")) << made->path;
  struct stat status {};
  ASSERT_EQ(::stat(made->path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  const auto again = find_state_folder(workspace_);
  ASSERT_TRUE(again.ok()) << again.failure().message;
  EXPECT_TRUE(again->exists);
  EXPECT_EQ(again->path, made->path);
  EXPECT_EQ(make_state_folder(workspace_)->path, made->path);
}

TEST_F(StateFolders, APathMayBeAnyBytes) {
  const std::string odd = root_ + "/\xff\n\"%";
  fs::create_directory(odd);
  const auto made = make_state_folder(odd);
  ASSERT_TRUE(made.ok()) << made.failure().message;
  EXPECT_EQ(find_state_folder(odd)->path, made->path);
}

TEST_F(StateFolders, AnotherFolderUnderTheSamePathHasAnother) {
  const std::string before = make_state_folder(workspace_)->path;
  fs::rename(workspace_, root_ + "/elsewhere");
  fs::create_directory(workspace_);
  EXPECT_FALSE(find_state_folder(workspace_)->exists);
  const auto made = make_state_folder(workspace_);
  ASSERT_TRUE(made.ok()) << made.failure().message;
  EXPECT_NE(made->path, before);
  EXPECT_NE(made->notice.find(before), std::string::npos) << made->notice;
  EXPECT_EQ(make_state_folder(workspace_)->notice, "");
}

TEST_F(StateFolders, OneThatWasRenamedIsTold) {
  const std::string before = make_state_folder(workspace_)->path;
  fs::rename(workspace_, root_ + "/renamed");
  const auto made = make_state_folder(root_ + "/renamed");
  ASSERT_TRUE(made.ok()) << made.failure().message;
  EXPECT_NE(made->path, before);
  EXPECT_NE(made->notice.find(before), std::string::npos) << made->notice;
}

TEST_F(StateFolders, WhatOthersMayWriteIsRefused) {
  const std::string made = make_state_folder(workspace_)->path;
  for (const std::string& folder : {made, root_ + "/state/glovebox/workspaces", root_ + "/state/glovebox"}) {
    fs::permissions(folder, fs::perms::all);
    EXPECT_FALSE(find_state_folder(workspace_).ok()) << folder;
    EXPECT_FALSE(make_state_folder(workspace_).ok()) << folder;
    fs::permissions(folder, fs::perms::owner_all);
  }
  EXPECT_TRUE(find_state_folder(workspace_).ok());
}

TEST_F(StateFolders, LinksAreRefused) {
  const std::string made = make_state_folder(workspace_)->path;
  for (const std::string& folder : {made, root_ + "/state/glovebox/workspaces", root_ + "/state/glovebox"}) {
    fs::rename(folder, root_ + "/real");
    fs::create_directory_symlink(root_ + "/real", folder);
    EXPECT_FALSE(make_state_folder(workspace_).ok()) << folder;
    fs::remove(folder);
    fs::rename(root_ + "/real", folder);
  }
  fs::create_symlink("/etc/hostname", made + "/state.key");
  EXPECT_FALSE(find_state_folder(workspace_).ok());
}

TEST_F(StateFolders, OneThatDoesNotSayWhoseItIsIsRefused) {
  const std::string made = make_state_folder(workspace_)->path;
  std::ofstream(made + "/workspace.json") << "{}";
  EXPECT_FALSE(make_state_folder(workspace_).ok());
}

}  // namespace
}  // namespace glovebox::config
