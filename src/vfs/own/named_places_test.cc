#include "vfs/own/named_places.h"

#include <gtest/gtest.h>

#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class NamedPlacesTest : public ::testing::Test {
 protected:
  std::vector<std::string> named_by(const std::string& text) {
    put(folder_ / "w/glovebox.json", text);
    return places_.of(folder_ / "w/glovebox.json");
  }
  std::string at(const std::string& name) { return folder_ / name; }

  ScratchFolder folder_ = ScratchFolder::in_memory();
  NamedPlaces places_;
};

TEST_F(NamedPlacesTest, AreSkillsAndTheDatabase) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(named_by(R"({"skills": "./lib"})"), Paths{at("w/lib")});
  EXPECT_EQ(named_by("// theirs\n{\"skills\": {\"folder\": \"../s\",}, /* x */}"), Paths{at("s")});
  EXPECT_EQ(named_by(R"({"sk\u0069lls": "/opt/skills"})"), Paths{"/opt/skills"});
  EXPECT_EQ(named_by(R"({"store": {"path": "all.db"}})").size(), 5U);
  EXPECT_EQ(named_by(R"({"store": {"path": "all.db"}})").front(), at("w/all.db"));
  for (const char* none : {R"({})", R"({"store": "postgresql://h/d"})", R"({"skills": 5})", R"({"skills": {}})"})
    EXPECT_TRUE(named_by(none).empty()) << none;
  for (const char* broken : {"", "{", "[]", "{\"skills\": ./lib}", "\xef\xbb\xbf{"})
    EXPECT_EQ(named_by(broken), Paths{at("w")}) << broken;
  EXPECT_EQ(named_by("\xef\xbb\xbf{\"skills\": \"./lib\"}"), Paths{at("w/lib")});
  EXPECT_TRUE(places_.of(at("none/glovebox.json")).empty());
  EXPECT_TRUE(places_.of(at("w")).empty());
}

TEST_F(NamedPlacesTest, AreSpelledWithVariables) {
  ::setenv("GLOVEBOX_TEST_SKILLS", "/opt/skills", 1);
  ::unsetenv("GLOVEBOX_TEST_NONE");
  const auto named = [this](const std::string& folder) { return named_by("{\"skills\": \"" + folder + "\"}"); };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(named("${workspaceFolder}/lib"), Paths{at("w/lib")});
  EXPECT_EQ(named("${GLOVEBOX_TEST_SKILLS}/a"), Paths{"/opt/skills/a"});
  EXPECT_EQ(named("${env:GLOVEBOX_TEST_SKILLS}"), Paths{"/opt/skills"});
  EXPECT_EQ(named("${GLOVEBOX_TEST_SKILLS:-lib}"), (Paths{"/opt/skills", at("w/lib")}));
  EXPECT_EQ(named("${GLOVEBOX_TEST_NONE:-lib}"), Paths{at("w/lib")});
  for (const char* unknown : {"${GLOVEBOX_TEST_NONE}/lib", "${input:x}", "${a b}", "lib/${HOME", "${}"})
    EXPECT_EQ(named(unknown), Paths{at("w")}) << unknown;
  // An env file may set any variable except the workspace's folder.
  EXPECT_EQ(named_by(R"({"skills": {"folder": "${GLOVEBOX_TEST_SKILLS}", "envFile": ".env"}})"), Paths{at("w")});
  EXPECT_EQ(named_by(R"({"skills": {"folder": "${workspaceFolder}/lib", "envFile": ".env"}})"), Paths{at("w/lib")});
  ::unsetenv("GLOVEBOX_TEST_SKILLS");
}

TEST_F(NamedPlacesTest, FollowTheLinkThatAConfigNames) {
  put(at("w/impl/a.py"), "x");
  std::filesystem::create_symlink("impl", at("w/skills"));
  EXPECT_EQ(named_by(R"({"skills": "skills"})"), (std::vector<std::string>{at("w/skills"), at("w/impl")}));
}

TEST_F(NamedPlacesTest, AreKnownFromBeneathTheConfigAlone) {
  named_by(R"({"skills": "lib/skills"})");
  for (const char* path : {"w/lib/skills", "w/lib/skills/a.py", "w/lib/skills/deep/a.py", "w/LIB/Skills/a.py"})
    EXPECT_TRUE(places_.include(at(path))) << path;
  for (const char* path : {"w", "w/lib", "w/lib/skills2", "w/a.py", "lib/skills"})
    EXPECT_FALSE(places_.include(at(path))) << path;
  EXPECT_TRUE(places_.lie_in(at("w/lib")));
  EXPECT_TRUE(places_.lie_in(at("w/lib/skills")));
  EXPECT_FALSE(places_.lie_in(at("w/lib/skills/deep")));
  EXPECT_FALSE(places_.lie_in(at("w/other")));
  named_by(R"({"skills": "/"})");  // an untrusted config protects nothing outside of its own folder
  EXPECT_TRUE(places_.include(at("w/a.py")));
  EXPECT_FALSE(places_.include(at("a.py")));
}

}  // namespace
}  // namespace glovebox::vfs
