#include "capability/registry/npm_package.h"

#include <filesystem>

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

class NpmPackageTest : public testing::ScratchState {
 protected:
  NpmPackageTest() {
    write("node_modules/@acme/tool/package.json", R"({"name":"@acme/tool","version":"1.2.3"})");
    write("node_modules/@acme/tool/dist/index.js", "serve()");
    write("node_modules/.package-lock.json",
          R"({"packages":{"node_modules/@acme/tool":{"version":"1.2.3","integrity":"sha512-abc="}}})");
    tool.name = "tool";
    tool.command = "node";
    tool.args = {"--no-warnings", root + "/node_modules/@acme/tool/dist/index.js", "stdio"};
  }
  PackageFacts inspect() {
    PackageBudget budget;
    return inspect_package(tool, root, budget);
  }
  Dependency tool;
};

TEST_F(NpmPackageTest, IsFoundByTheFileThatRuns) {
  tool.version = "1.2.3";
  const PackageFacts facts = inspect();
  EXPECT_EQ(facts.problem, "");
  EXPECT_NE(facts.files, "");
  EXPECT_NE(facts.remark.find("1.2.3"), std::string::npos);
  // In whatever way the file is named.
  std::filesystem::create_directory(root + "/node_modules/.bin");
  std::filesystem::create_symlink("../@acme/tool/dist/index.js", root + "/node_modules/.bin/tool");
  tool.command = "node_modules/.bin/tool";
  tool.args = {};
  EXPECT_EQ(inspect().files, facts.files);
  tool.command = "/bin/true";
  EXPECT_EQ(inspect().files, "");
  EXPECT_EQ(inspect().problem, "");
}

TEST_F(NpmPackageTest, ChangesWithEachOfItsFiles) {
  const std::string before = inspect().files;
  EXPECT_EQ(inspect().files, before);
  write("node_modules/@acme/tool/dist/index.js", "serve(); steal()");
  const std::string changed = inspect().files;
  EXPECT_NE(changed, before);
  write("node_modules/@acme/tool/dist/index.js", "serve()");
  EXPECT_EQ(inspect().files, before);
  write("node_modules/@acme/tool/more.js", "");
  EXPECT_NE(inspect().files, before);
  std::filesystem::remove(root + "/node_modules/@acme/tool/more.js");
  // Packages within are not its own.
  write("node_modules/@acme/tool/node_modules/other/index.js", "x");
  EXPECT_EQ(inspect().files, before);
  std::filesystem::create_symlink("/etc/passwd", root + "/node_modules/@acme/tool/link");
  EXPECT_NE(inspect().files, before);
}

TEST_F(NpmPackageTest, MayHoldALinkToItself) {
  const std::string before = inspect().files;
  std::filesystem::create_symlink("round", root + "/node_modules/@acme/tool/round");
  EXPECT_EQ(inspect().problem, "");
  EXPECT_NE(inspect().files, before);
  std::filesystem::create_symlink("node_modules", root + "/node_modules/@acme/tool/node_modules");
  EXPECT_EQ(inspect().problem, "");
}

// A repository may bring packages along, and many dependencies that run them.
TEST_F(NpmPackageTest, IsReadUpToATotal) {
  write("node_modules/@acme/tool/large", std::string(100'000, 'x'));
  PackageBudget budget{.files = 100, .bytes = 150'000};
  EXPECT_EQ(inspect_package(tool, root, budget).problem, "");
  EXPECT_LT(budget.bytes, 50'000u);
  EXPECT_NE(inspect_package(tool, root, budget).problem, "") << "the next one has what is left";
  for (int i = 0; i < 20; ++i)
    std::filesystem::create_directories(root + "/node_modules/@acme/tool/empty/" + std::to_string(i));
  PackageBudget few{.files = 10, .bytes = 150'000};
  EXPECT_NE(inspect_package(tool, root, few).problem, "") << "folders count as well";
}

TEST_F(NpmPackageTest, IsHeldToWhatIsDeclared) {
  tool.version = "1.2.4";
  EXPECT_NE(inspect().problem.find("1.2.4"), std::string::npos);
  tool.version = "";
  tool.package_integrity = "sha512-abc=";
  EXPECT_EQ(inspect().problem, "");
  tool.package_integrity = "sha512-abd=";
  EXPECT_NE(inspect().problem, "");
  write("node_modules/.package-lock.json", "{}");
  tool.package_integrity = "sha512-abc=";
  EXPECT_NE(inspect().problem, "") << "what cannot be verified is refused";
}

TEST_F(NpmPackageTest, OfNpxIsKnownByItsWordsAlone) {
  tool.command = "/usr/bin/npx";
  tool.args = {"-y", "@acme/tool@1.2.3"};
  tool.version = "1.2.3";
  EXPECT_EQ(inspect().problem, "");
  EXPECT_NE(inspect().remark.find("@acme/tool 1.2.3"), std::string::npos);
  tool.version = "1.2.4";
  EXPECT_NE(inspect().problem, "");
  tool.version = "";
  tool.args = {"--package=@acme/tool@^1", "tool"};
  EXPECT_NE(inspect().remark.find("whatever version of @acme/tool"), std::string::npos);
  tool.args = {"-y", "@acme/tool"};
  EXPECT_NE(inspect().remark.find("whatever version of @acme/tool"), std::string::npos);
  tool.package_integrity = "sha512-abc=";
  EXPECT_NE(inspect().problem, "");
}

}  // namespace
}  // namespace glovebox::capability
