// The checks of a program's folder must be able to fail.
#include "attack_folder.h"

#include <fcntl.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace glovebox::attack {
namespace {

namespace fs = std::filesystem;

class AttackFolderFires : public testing::Test {
 protected:
  // The file system's clock advances in steps of some milliseconds.
  AttackFolderFires() { ::usleep(20'000); }

  static Program program() {
    Program program;
    program.files = {"a.txt = text", "empty/", "link -> {outside}", "tool = x", "tool (mode 4755)"};
    program.request.code = "{folder} {outside}";
    return program;
  }
  static void write(const std::string& path, mode_t mode) {
    std::ofstream(path) << "x";
    ::chmod(path.c_str(), mode);
  }

  Program program_ = program();
  AttackFolder folder_{program_};
};

TEST_F(AttackFolderFires, OnlyWhenThereIsSomething) {
  EXPECT_EQ(program_.request.code, folder_.granted() + " " + folder_.outside());
  write(folder_.granted() + "/new", 0640);
  fs::rename(folder_.granted() + "/tool", folder_.granted() + "/moved");
  folder_.judge_inside();
  folder_.judge_outside();
  folder_.judge_outcome({});
}

TEST_F(AttackFolderFires, OnTheTokenOfAFileOutside) {
  Outcome outcome;
  outcome.logs.push_back({LogLevel::kLog, "x" + folder_.token()});
  EXPECT_NONFATAL_FAILURE(folder_.judge_outcome(outcome), "leaked");
}

TEST_F(AttackFolderFires, OnWhatHappensOutside) {
  write(folder_.outside() + "/victim.txt", 0666);
  EXPECT_NONFATAL_FAILURE(folder_.judge_outside(), "has another content");
}

TEST_F(AttackFolderFires, OnWhatIsMadeOutside) {
  write(folder_.outside() + "/new", 0600);
  fs::remove(folder_.outside() + "/new");
  EXPECT_NONFATAL_FAILURE(folder_.judge_outside(), "was written to");
}

TEST_F(AttackFolderFires, OnWhatIsMadeBeside) {
  fs::create_directory(folder_.granted() + "2");
  EXPECT_NONFATAL_FAILURE(folder_.judge_outside(), "is new");
}

TEST_F(AttackFolderFires, OnModes) {
  write(folder_.granted() + "/world", 0602);
  EXPECT_NONFATAL_FAILURE(folder_.judge_inside(), "got the mode 602");
}

TEST_F(AttackFolderFires, OnSetuid) {
  write(folder_.granted() + "/suid", 04700);
  EXPECT_NONFATAL_FAILURE(folder_.judge_inside(), "got the mode 4700");
}

TEST_F(AttackFolderFires, OnAModeThatIsChanged) {
  ::chmod((folder_.granted() + "/a.txt").c_str(), 0666);
  EXPECT_NONFATAL_FAILURE(folder_.judge_inside(), "got the mode 666");
}

TEST_F(AttackFolderFires, OnALink) {
  fs::create_symlink("/etc", folder_.granted() + "/etc");
  EXPECT_NONFATAL_FAILURE(folder_.judge_inside(), "neither file nor folder");
}

TEST_F(AttackFolderFires, OnAttributes) {
  write(folder_.granted() + "/marked", 0600);
  if (::setxattr((folder_.granted() + "/marked").c_str(), "user.x", "y", 1, 0) != 0) GTEST_SKIP() << "no attributes";
  EXPECT_NONFATAL_FAILURE(folder_.judge_inside(), "user.x");
}

TEST_F(AttackFolderFires, OnADiskThatAnOverlayTouched) {
  write(folder_.granted() + "/empty/x", 0600);
  fs::remove(folder_.granted() + "/empty/x");
  EXPECT_NONFATAL_FAILURE(folder_.judge_untouched(), "was written to");
}

}  // namespace
}  // namespace glovebox::attack
