#include "cli/connect/own_command.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace glovebox::cli {
namespace {

namespace fs = std::filesystem;

class OwnCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/own_command.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    top_ = fs::canonical(name).string();
  }
  void TearDown() override { fs::remove_all(top_); }

  std::string program(const std::string& name) const {
    std::string path = top_ + name;
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  // A folder as from the archive, in which bin/glovebox starts the rest.
  std::string installed(const std::string& prefix) const {
    program(prefix + "/bin/glovebox");
    return program(prefix + "/libexec/glovebox/glovebox");
  }
  void link(const std::string& target, const std::string& name) const {
    fs::create_directories(fs::path(top_ + name).parent_path());
    fs::create_symlink(top_ + target, top_ + name);
  }
  std::string folders(const std::vector<std::string>& names) const {
    std::string path = "relative:";
    for (const std::string& name : names) path += ":" + top_ + name;
    return path;
  }

  std::string top_;
};

using Words = std::vector<std::string>;

TEST_F(OwnCommand, IsTheNameWherePathLeadsHere) {
  const std::string here = installed("/opt/box");
  EXPECT_EQ(own_command(here, folders({"/none", "/opt/box/bin"})), Words{"glovebox"});
  link("/opt/box/bin/glovebox", "/usr/local/bin/glovebox");
  EXPECT_EQ(own_command(here, folders({"/usr/local/bin"})), Words{"glovebox"});
  const std::string built = program("/build/bin/glovebox");
  EXPECT_EQ(own_command(built, folders({"/build/bin"})), Words{"glovebox"});
}

TEST_F(OwnCommand, IsThePathOfTheStarterWhereItDoesNot) {
  const std::string here = installed("/opt/box");
  EXPECT_EQ(own_command(here, ""), Words{top_ + "/opt/box/bin/glovebox"});
  // The first one in PATH counts, as it does for a shell.
  program("/usr/bin/glovebox");
  EXPECT_EQ(own_command(here, folders({"/usr/bin", "/opt/box/bin"})), Words{top_ + "/opt/box/bin/glovebox"});
  const std::string built = program("/build/bin/glovebox");
  EXPECT_EQ(own_command(built, ""), Words{built});
}

TEST_F(OwnCommand, IsTheNameOfNpmsLauncher) {
  for (const std::string modules : {"/beside/lib/node_modules", "/within/lib/node_modules"}) {
    program(modules + "/glovebox/bin/glovebox");
    const std::string above = modules.starts_with("/beside") ? modules : modules + "/glovebox/node_modules";
    const std::string here = installed(above + "/@glovebox/linux-x64");
    const std::string bin = modules.substr(0, 7) + "/bin";
    link(modules + "/glovebox/bin/glovebox", bin + "/glovebox");
    EXPECT_EQ(own_command(here, folders({bin})), Words{"glovebox"});
    // Another copy's launcher leads to another copy.
    EXPECT_EQ(own_command(installed("/opt/box"), folders({bin})), Words{top_ + "/opt/box/bin/glovebox"});
  }
}

// A client does not have the PATH that npm gives to what it starts.
TEST_F(OwnCommand, IsNothingThatOnlyNpmFinds) {
  const std::string modules = "/shop/node_modules";
  program(modules + "/glovebox/bin/glovebox");
  const std::string here = installed(modules + "/@glovebox/linux-x64");
  link(modules + "/glovebox/bin/glovebox", modules + "/.bin/glovebox");
  EXPECT_EQ(own_command(here, folders({modules + "/.bin"})),
            Words{top_ + modules + "/@glovebox/linux-x64/bin/glovebox"});
}

// npm may empty that folder at any time.
TEST_F(OwnCommand, IsNpxWhereNpxHasFetchedIt) {
  const std::string modules = "/home/.npm/_npx/0f3a/node_modules";
  program(modules + "/glovebox/bin/glovebox");
  const std::string here = installed(modules + "/@glovebox/linux-x64");
  link(modules + "/glovebox/bin/glovebox", modules + "/.bin/glovebox");
  EXPECT_EQ(own_command(here, folders({modules + "/.bin"})), (Words{"npx", "-y", "glovebox"}));
}

}  // namespace
}  // namespace glovebox::cli
