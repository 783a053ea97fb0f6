#include "vfs/file_mode.h"

#include <gtest/gtest.h>

namespace glovebox::vfs {
namespace {

TEST(FileMode, OfSomethingNew) {
  EXPECT_EQ(mode_of_new(std::nullopt, kFileMode, 022), 0644U);
  EXPECT_EQ(mode_of_new(std::nullopt, kFileMode, 077), 0600U);
  EXPECT_EQ(mode_of_new(std::nullopt, kFolderMode, 027), 0750U);
  EXPECT_EQ(mode_of_new(0600, kFileMode, 0), 0600U);
  EXPECT_EQ(mode_of_new(0644, kFileMode, 022), 0644U);
  EXPECT_EQ(mode_of_new(07777, kFileMode, 0), 0777U);
  EXPECT_EQ(mode_of_new(0777, kFolderMode, 077), 0700U);
  EXPECT_EQ(mode_of_new(0xFFFFFFFF, kFileMode, 022), 0755U);
}

TEST(FileMode, OfSomethingThatExists) {
  EXPECT_EQ(mode_of_changed(0644, 0644, 022), 0644U);
  EXPECT_EQ(mode_of_changed(0666, 0640, 022), 0640U);
  EXPECT_EQ(mode_of_changed(04755, 0600, 022), 0750U);
}

}  // namespace
}  // namespace glovebox::vfs
