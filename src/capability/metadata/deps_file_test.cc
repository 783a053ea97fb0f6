#include "capability/metadata/deps_file.h"

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

using DepsState = DepsFile::State;
class DepsFileTest : public testing::ScratchState {};

TEST_F(DepsFileTest, KnowsTheVeryCommand) {
  Dependency files;
  files.name = "files";
  files.command = "npx";
  files.args = {"-y", "files@1"};
  files.version = "1";
  DepsFile deps(state);
  EXPECT_EQ(deps.state_of(files, "").value(), DepsState::kMissing);
  ASSERT_TRUE(deps.install(files, "").ok());
  EXPECT_EQ(DepsFile(state).state_of(files, "").value(), DepsState::kInstalled);
  EXPECT_NE(read(".glovebox/deps.json").find(R"("installCommand": "npx -y files@1")"), std::string::npos);
  Dependency changed = files;
  changed.args = {"-y", "files@2"};
  EXPECT_EQ(deps.state_of(changed, "").value(), DepsState::kChanged);
  changed = files;
  changed.env_required = {"AWS_SECRET_ACCESS_KEY"};
  EXPECT_EQ(deps.state_of(changed, "").value(), DepsState::kChanged);
}

TEST_F(DepsFileTest, KnowsTheVeryFiles) {
  Dependency files;
  files.name = "files";
  files.command = "node";
  DepsFile deps(state);
  ASSERT_TRUE(deps.install(files, "sha256-a").ok());
  EXPECT_EQ(deps.state_of(files, "sha256-a").value(), DepsState::kInstalled);
  EXPECT_EQ(deps.state_of(files, "sha256-b").value(), DepsState::kChanged);
  EXPECT_EQ(deps.state_of(files, "").value(), DepsState::kChanged);
  EXPECT_TRUE(deps.has_command(files).value());
  files.args = {"other.js"};
  EXPECT_FALSE(deps.has_command(files).value());
  files.name = "others";
  EXPECT_FALSE(deps.has_command(files).value());
}

TEST_F(DepsFileTest, KnowsWhichCapabilityGetsVariables) {
  const Metadata metadata = testing::metadata_of(testing::kName, testing::kCode, R"(,"env":["A_KEY"])");
  DepsFile deps(state);
  EXPECT_FALSE(deps.may_have_variables(metadata).value());
  ASSERT_TRUE(deps.let_have_variables(metadata).ok());
  Dependency files;
  files.name = "files";
  files.command = "npx";
  ASSERT_TRUE(deps.install(files, "").ok());
  EXPECT_TRUE(DepsFile(state).may_have_variables(metadata).value());
  EXPECT_EQ(deps.state_of(files, "").value(), DepsState::kInstalled);
  for (const std::string other : {R"(,"env":["A_KEY","B_KEY"])", R"(,"env":["A_KEY"],"tools_used":["web:send"])"})
    EXPECT_FALSE(deps.may_have_variables(testing::metadata_of(testing::kName, testing::kCode, other)).value()) << other;
  EXPECT_FALSE(
      deps.may_have_variables(testing::metadata_of(testing::kName, "return 2", R"(,"env":["A_KEY"])")).value());
}

TEST_F(DepsFileTest, ThatCannotBeReadInstallsNothing) {
  Dependency files;
  files.name = "files";
  files.command = "npx";
  for (const std::string bad : {"{", R"({"version":2,"installed":{}})", R"({"version":1})"}) {
    write(".glovebox/deps.json", bad);
    EXPECT_FALSE(DepsFile(state).state_of(files, "").ok()) << bad;
    EXPECT_FALSE(DepsFile(state).install(files, "").ok()) << bad;
    EXPECT_FALSE(DepsFile(state).may_have_variables(testing::metadata_of(testing::kName, testing::kCode)).ok()) << bad;
    EXPECT_EQ(read(".glovebox/deps.json"), bad);
  }
}

}  // namespace
}  // namespace glovebox::capability
