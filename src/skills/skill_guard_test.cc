#include "skills/skill_guard.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace glovebox::skills {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class SkillGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    fs::create_directories(root + "/skills/data");
    fs::create_directory(root + "/out");
    fs::create_directory_symlink(root + "/skills", root + "/link");
    fs::create_directory_symlink(root, root + "/out/up");
  }
  void TearDown() override { fs::remove_all(root); }

  bool stays(const std::string& grant, const std::string& folder) const {
    Paths grants = {grant};
    return take_out_grants(grants, {folder}).empty();
  }

  std::string root = testing::TempDir() + "glovebox_guard_XXXXXX";
};

TEST_F(SkillGuardTest, WhatMeetsTheFolderDoesNotCount) {
  for (const char* grant : {"", "/", "/skills", "/skills/", "/skills/data", "/skills/new.py", "/./skills/../skills",
                            "/link", "/link/x", "/out/up", "/out/up/skills", "/out/../"})
    EXPECT_FALSE(stays(root + grant, root + "/skills")) << grant;
  for (const char* grant : {"/out", "/out/x", "/skills2", "/skill", "/new/skills"})
    EXPECT_TRUE(stays(root + grant, root + "/skills")) << grant;
  EXPECT_FALSE(stays("/", root + "/skills"));
  EXPECT_FALSE(stays(root + "/skills", root + "/link"));
  // A folder that is not there yet may be made.
  EXPECT_FALSE(stays(root, root + "/later/skills"));
  EXPECT_FALSE(stays(root + "/later/skills/x", root + "/later/skills"));
}

TEST_F(SkillGuardTest, OthersStay) {
  Paths grants = {root + "/out", root + "/skills", root};
  EXPECT_EQ(take_out_grants(grants, {root + "/skills"}), (Paths{root + "/skills", root}));
  EXPECT_EQ(grants, Paths{root + "/out"});
  EXPECT_TRUE(take_out_grants(grants, {}).empty());
  EXPECT_EQ(grants, Paths{root + "/out"});
}

}  // namespace
}  // namespace glovebox::skills
