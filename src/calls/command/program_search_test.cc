#include "calls/command/program_search.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace glovebox::calls {
namespace {

namespace fs = std::filesystem;

class ProgramSearch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "glovebox_search_XXXXXX";
    ASSERT_TRUE(::mkdtemp(name.data()));
    folder_ = fs::canonical(name);
    for (const char* part : {"first", "second", "second/tool_folder"}) fs::create_directories(folder_ / part);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string make(const std::string& name, mode_t mode = 0755) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << "#!/bin/sh\n";
    ::chmod(path.c_str(), mode);
    return path.string();
  }
  std::string search_path() const { return (folder_ / "first").string() + ":" + (folder_ / "second").string(); }

  fs::path folder_;
};

TEST_F(ProgramSearch, TakesTheFirstFolderThatHasIt) {
  const std::string second = make("second/tool");
  EXPECT_EQ(find_program("tool", search_path())->path, second);
  const std::string first = make("first/tool");
  EXPECT_EQ(find_program("tool", search_path())->path, first);
  EXPECT_FALSE(find_program("other", search_path()));
  EXPECT_FALSE(find_program("tool", ""));
}

TEST_F(ProgramSearch, KnowsItsFolderByEverySpelling) {
  const std::string first = make("first/tool");
  fs::create_directory_symlink(folder_ / "first", folder_ / "link");
  fs::create_symlink(first, folder_ / "second" / "tool");
  const auto found = find_program("tool", search_path() + ":" + (folder_ / "link").string());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->also, std::vector<std::string>{(folder_ / "link" / "tool").string()});
}

TEST_F(ProgramSearch, SkipsWhatCannotBeExecuted) {
  make("first/tool", 0644);
  fs::create_directory(folder_ / "first" / "tool_folder");
  const std::string second = make("second/tool");
  EXPECT_EQ(find_program("tool", search_path())->path, second);
  EXPECT_FALSE(find_program("tool_folder", search_path()));
  EXPECT_FALSE(find_program(make("data", 0644), ""));
  EXPECT_FALSE(find_program(folder_.string(), ""));
}

TEST_F(ProgramSearch, FollowsLinksOnceAndRemembersTheName) {
  const std::string target = make("second/busybox");
  fs::create_symlink(target, folder_ / "first" / "ls");
  const auto found = find_program("ls", search_path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, (folder_ / "first" / "ls").string());
  EXPECT_EQ(found->file, target);
  fs::create_symlink(folder_ / "nowhere", folder_ / "first" / "broken");
  EXPECT_FALSE(find_program("broken", search_path()));
}

TEST_F(ProgramSearch, NeverLooksInTheCurrentFolder) {
  make("first/tool");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "first");
  for (const char* path : {".", "", ":", "..:.", "./", "../first"}) EXPECT_FALSE(find_program("tool", path)) << path;
  EXPECT_EQ(find_program("./tool", "")->path, (folder_ / "first" / "tool").string()) << "but a path is a path";
  EXPECT_EQ(find_program("../first/./tool", "")->file, (folder_ / "first" / "tool").string());
  fs::current_path(before);
}

}  // namespace
}  // namespace glovebox::calls
