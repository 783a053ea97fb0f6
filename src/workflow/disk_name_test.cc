#include "workflow/disk_name.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace glovebox::workflow {
namespace {

struct DiskFolder {
  DiskFolder() {
    char name[] = "/tmp/glovebox-disk-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~DiskFolder() { std::filesystem::remove_all(path); }
  std::string path;
};

TEST(DiskName, IsTheSameForOneFolderAndAnotherForAnother) {
  const DiskFolder one, two;
  const auto name = disk_name(one.path);
  ASSERT_TRUE(name.ok());
  EXPECT_GT(name->size(), 20u);
  EXPECT_EQ(disk_name(one.path).value(), name.value());
  EXPECT_NE(disk_name(two.path).value(), name.value());
  // Nothing else is left there.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(one.path), {}), 1);
}

TEST(DiskName, ThereIsNoneWhereItCannotBeKept) {
  const DiskFolder folder;
  EXPECT_FALSE(disk_name(folder.path + "/not/there").ok());
  std::ofstream(folder.path + "/disk-id") << "";
  EXPECT_FALSE(disk_name(folder.path).ok());
}

}  // namespace
}  // namespace glovebox::workflow
