#include "vfs/own/known_workspaces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class KnownWorkspacesTest : public ::testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_ / name; }
  void agree_to(const std::string& config) {
    put(at("state/trust/" + std::to_string(++records_) + ".json"), "{\"config\":\"" + at(config) + "\"}");
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
  agree_to("conf/my.json");
  EXPECT_TRUE(has("conf/my.json"));
  EXPECT_TRUE(has("shared"));
  put(at("conf/my.json"), R"({"skills": "../elsewhere"})");
  EXPECT_TRUE(has("elsewhere"));
  EXPECT_FALSE(has("shared"));
  put(at("a b/glovebox.json"), R"({"skills": "s"})");
  put(at("state/workspaces/a-1/workspace.json"), "{\"version\":1,\"path\":\"" + at("a%20b") + "\",\"inode\":1}");
  EXPECT_TRUE(has("a b/glovebox.json"));
  EXPECT_TRUE(has("a b/s"));
  put(at("state/trust/broken.json"), "{");
  put(at("state/workspaces/b-1/other"), "x");
  EXPECT_EQ(known_.places().size(), 4U);
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

}  // namespace
}  // namespace glovebox::vfs
