#include "vfs/fingerprint.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "vfs/paths/open_beneath.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class Fingerprint : public ::testing::Test {
 protected:
  FileInfo file_info(const std::string& name) { return info_of(fd_.get(), name).value(); }
  std::uint64_t print(const std::string& skipped = {}) {
    return contents_print(fd_.get(), [&](const std::string& path) { return path == skipped; }).value();
  }

  ScratchFolder folder_ = ScratchFolder::in_memory();
  base::UniqueFd fd_{::open(folder_.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(Fingerprint, OfAFileChangesWithItsBytesModeAndIdentity) {
  put(folder_ / "a", "one");
  const FileInfo before = file_info("a");
  EXPECT_TRUE(is_unchanged(before, file_info("a")));
  put(folder_ / "a", "two");
  EXPECT_FALSE(is_unchanged(before, file_info("a"))) << "same length, another time";
  const FileInfo again = file_info("a");
  ::chmod((folder_ / "a").c_str(), 0700);
  EXPECT_FALSE(is_unchanged(again, file_info("a")));
  put(folder_ / "b", "two");
  EXPECT_FALSE(is_unchanged(file_info("a"), file_info("b")));
}

TEST_F(Fingerprint, OfAFolderIsWhichItIs) {
  put(folder_ / "d/a", "x");
  const FileInfo before = file_info("d");
  put(folder_ / "d/b", "x");
  EXPECT_TRUE(is_unchanged(before, file_info("d")));
  std::filesystem::rename(folder_ / "d", folder_ / "e");
  std::filesystem::create_directory(folder_ / "d");
  EXPECT_FALSE(is_unchanged(before, file_info("d")));
  EXPECT_TRUE(is_unchanged(before, file_info("e")));
}

TEST_F(Fingerprint, OfContentsChangesWithAnythingInThem) {
  put(folder_ / "d/deep/a", "x");
  put(folder_ / "d/b", "x");
  std::uint64_t before = print();
  EXPECT_EQ(print(), before);
  const auto changed = [&] {
    const std::uint64_t now = print();
    const bool different = now != before;
    before = now;
    return different;
  };
  put(folder_ / "d/deep/a", "y");
  EXPECT_TRUE(changed());
  put(folder_ / "d/deep/new", "");
  EXPECT_TRUE(changed());
  std::filesystem::rename(folder_ / "d/b", folder_ / "d/c");
  EXPECT_TRUE(changed());
  std::filesystem::create_symlink("x", folder_ / "link");
  EXPECT_TRUE(changed());
  std::filesystem::remove(folder_ / "d/deep/new");
  EXPECT_TRUE(changed());
  EXPECT_FALSE(changed());
}

TEST_F(Fingerprint, LeavesOutWhatItIsToldTo) {
  put(folder_ / "d/a", "x");
  const std::uint64_t without = print("d/b");
  put(folder_ / "d/b", "x");
  EXPECT_EQ(print("d/b"), without);
  EXPECT_NE(print(), without);
}

}  // namespace
}  // namespace glovebox::vfs
