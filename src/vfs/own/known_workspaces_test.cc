#include "vfs/own/known_workspaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class KnownWorkspacesTest : public ::testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_ / name; }
  // `lines` are JSON as well: R"("skills \"../s\"")".
  void agree_to(const std::string& config, const std::string& lines = "") {
    put(at("state/trust/" + std::to_string(++records_) + ".json"),
        "{\"config\":\"" + at(config) + "\",\"grants\":[" + lines + "]}");
  }
  void keep_state_of(const std::string& folder) {
    put(at("state/workspaces/" + std::to_string(++records_) + "/workspace.json"), "{\"path\":\"" + at(folder) + "\"}");
  }
  bool has(const std::string& path) {
    const auto places = known_.places();
    return std::find(places.begin(), places.end(), at(path)) != places.end();
  }

  ScratchFolder folder_ = ScratchFolder::in_memory();
  KnownWorkspaces known_{{at("state"), at("no state")}};
  int records_ = 0;
};

TEST_F(KnownWorkspacesTest, AreThoseOfRecordsAsTheyAreNow) {
  EXPECT_TRUE(known_.places().empty());
  put(at("conf/my.json"), R"({"skills": "../shared"})");
  agree_to("conf/my.json", R"("skills \"../shared\"")");
  EXPECT_TRUE(has("conf/my.json"));
  EXPECT_TRUE(has("shared"));
  put(at("conf/my.json"), R"({"skills": "inside"})");
  EXPECT_TRUE(has("conf/inside"));
  EXPECT_TRUE(has("shared"));  // as long as the owner's approval stands
  put(at("a b/glovebox.json"), R"({"skills": "s"})");
  put(at("state/workspaces/a-1/workspace.json"), "{\"version\":1,\"path\":\"" + at("a%20b") + "\",\"inode\":1}");
  EXPECT_TRUE(has("a b/glovebox.json"));
  EXPECT_TRUE(has("a b/s"));
  put(at("state/trust/broken.json"), "{");
  put(at("state/workspaces/b-1/other"), "x");
  EXPECT_EQ(known_.places().size(), 5U);
}

TEST_F(KnownWorkspacesTest, WhatNobodyAgreedToSpeaksOfItselfAlone) {
  put(at("evil/glovebox.json"), R"({"skills": "/", "store": {"path": "../data.db"}})");
  put(at("linked/glovebox.json"), R"({"skills": "skills"})");
  std::filesystem::create_symlink("/", at("linked/skills"));
  keep_state_of("evil");
  keep_state_of("linked");
  keep_state_of("led away");
  std::filesystem::create_directory(at("led away"));
  std::filesystem::create_symlink("/", at("led away/glovebox.json"));
  agree_to("evil/glovebox.json", R"("sandbox.allowRead \".\"", "skills \"./lib\"")");
  using Paths = std::vector<std::string>;
  EXPECT_EQ(known_.places(), (Paths{at("evil/glovebox.json"), at("evil/lib"), at("linked/glovebox.json")}));
  EXPECT_FALSE(known_.include_any({at("other/notes")}));
  agree_to("linked/glovebox.json", R"("skills.folder \"../s\"", "store.path \"../data.db\"")");
  EXPECT_TRUE(has("s"));
  EXPECT_TRUE(has("data.db-wal"));
  EXPECT_TRUE(known_.include_any({at("s/a.py")}));
  put(at("vouched/glovebox.json"), R"({"skills": "../t"})");
  keep_state_of("vouched");
  EXPECT_FALSE(has("t"));
  ::setenv("GLOVEBOX_TRUSTED_FOLDERS", ("/nowhere:" + at("vouched")).c_str(), 1);
  EXPECT_TRUE(has("t"));
  ::unsetenv("GLOVEBOX_TRUSTED_FOLDERS");
}

TEST_F(KnownWorkspacesTest, ARecordMayComeLaterThanItsFolder) {
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  put(at("w/glovebox.json"), "{}");
  std::filesystem::create_directories(at("state/workspaces/1"));
  std::filesystem::last_write_time(at("state/workspaces"), long_ago);
  EXPECT_FALSE(has("w/glovebox.json"));
  keep_state_of("w");
  std::filesystem::last_write_time(at("state/workspaces"), long_ago);
  EXPECT_TRUE(has("w/glovebox.json"));
}

TEST_F(KnownWorkspacesTest, ARelativeFolderNeedsOneThatIsThere) {
  const auto before = std::filesystem::current_path();
  std::filesystem::create_directory(at("gone"));
  std::filesystem::current_path(at("gone"));
  std::filesystem::remove(at("gone"));
  EXPECT_TRUE(known_.places_near({"."}).empty());
  std::filesystem::current_path(before);
}

TEST_F(KnownWorkspacesTest, OnlyThoseNearAGrantConcernARun) {
  put(at("a/glovebox.json"), R"({"skills": "s"})");
  put(at("b/glovebox.json"), R"({"skills": "s"})");
  agree_to("a/glovebox.json");
  agree_to("b/glovebox.json");
  EXPECT_EQ(known_.places_near({at("a")}).size(), 2U);
  EXPECT_EQ(known_.places_near({at("a/s/deep")}), std::vector<std::string>{at("a/s")});
  EXPECT_EQ(known_.places_near({at("a/out")}).size(), 0U);
  EXPECT_EQ(known_.places_near({at(".")}).size(), 4U);
}

TEST_F(KnownWorkspacesTest, PathsAreFollowed) {
  put(at("w/glovebox.json"), R"({"skills": "lib/skills"})");
  put(at("w/lib/skills/a.py"), "x");
  std::filesystem::create_symlink("w/lib", at("short"));
  std::filesystem::create_symlink("w/lib/skills/new.py", at("dangling.py"));
  std::filesystem::create_symlink("dangling.py", at("twice.py"));
  std::filesystem::create_symlink("loop", at("loop"));
  for (const char* own : {"w/lib/skills/b.py", "short/skills/b.py", "dangling.py", "twice.py", "x/.glovebox/y"})
    EXPECT_TRUE(known_.include_any({at("fine"), at(own)})) << own;
  EXPECT_FALSE(known_.include_any({at("fine"), at("w/notes"), at("short/notes"), at("loop"), "/", at("none/none")}));
  EXPECT_FALSE(known_.include_any({}));
}

TEST_F(KnownWorkspacesTest, GoingUpBehindALinkIsFromWhereItLed) {
  put(at("w/glovebox.json"), R"({"skills": "skills"})");
  put(at("w/skills/sub/a.py"), "x");
  std::filesystem::create_symlink("skills/sub", at("w/d"));
  std::filesystem::create_symlink("d", at("w/e"));
  for (const char* own : {"w/d/../x.py", "w/./d/../x.py", "w/e/../x.py", "w/n/../e/../x.py", "w/d/n/../../x.py"})
    EXPECT_TRUE(known_.include_any({at(own)})) << own;
  for (const char* fine : {"w/x.py", "w/d/../../x.py", "w/skills/../x.py", "w/a/../x.py", "w/..", "w/a..b"})
    EXPECT_FALSE(known_.include_any({at(fine)})) << fine;
}

TEST_F(KnownWorkspacesTest, TooManyLinksToFollowCountAsOne) {
  std::vector<std::string> paths;
  for (int i = 0; i < 300; ++i) {
    paths.push_back(at("link" + std::to_string(i)));
    std::filesystem::create_symlink("nowhere", paths.back());
  }
  EXPECT_FALSE(known_.include_any({paths.begin(), paths.begin() + 200}));
  EXPECT_TRUE(known_.include_any(paths));
}

}  // namespace
}  // namespace glovebox::vfs
