#include "vfs/own/own_places.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include "vfs/paths/open_beneath.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class OwnPlacesTest : public ::testing::Test {
 protected:
  OwnPlaces find(const std::vector<std::string>& paths) { return OwnPlaces::find(paths, folder_.path()); }
  bool include(const OwnPlaces& own, const std::string& folder, const std::string& name) {
    const base::UniqueFd fd(::open((folder_ / folder).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    return own.include(fd.get(), name);
  }
  bool lies_in(const OwnPlaces& own, const std::string& path) { return own.lie_in(info(path), folder_ / path); }
  FileInfo info(const std::string& path) { return info_of(AT_FDCWD, folder_ / path).value(); }
  ScratchFolder folder_ = ScratchFolder::in_memory();
};

TEST_F(OwnPlacesTest, AreKnownByPathAndByWhatIsOnTheDisk) {
  put(folder_ / "conf/my.json", "x");
  put(folder_ / "conf/other.json", "x");
  put(folder_ / "state/deep/key", "x");
  const OwnPlaces own = find({"conf/my.json", folder_ / "state", "missing/file"});
  for (const char* path : {"conf/my.json", "state", "state/deep", "state/new", "missing/file", "missing/file/x"})
    EXPECT_TRUE(own.include(folder_ / path)) << path;
  for (const char* path : {"conf", "conf/other.json", "conf/my.jsonx", "state2", "missing"})
    EXPECT_FALSE(own.include(folder_ / path)) << path;
  EXPECT_TRUE(include(own, "conf", "my.json"));
  EXPECT_TRUE(include(own, ".", "state"));
  EXPECT_TRUE(include(own, "state", "new"));
  EXPECT_TRUE(include(own, "state/deep", "key"));
  EXPECT_FALSE(include(own, "conf", "other.json"));
  EXPECT_FALSE(include(own, ".", "conf"));
  EXPECT_TRUE(lies_in(own, "conf"));
  EXPECT_TRUE(lies_in(own, "."));
  EXPECT_FALSE(lies_in(own, "state/deep"));
  EXPECT_FALSE(include(OwnPlaces(), "state", "new"));
}

TEST_F(OwnPlacesTest, MovingAFolderAboveMakesNoOtherPlaceOfThem) {
  put(folder_ / "a/state/key", "x");
  const OwnPlaces own = find({"a/state"});
  std::filesystem::rename(folder_ / "a", folder_ / "b");
  EXPECT_TRUE(include(own, "b/state", "key"));
  EXPECT_TRUE(include(own, "b", "state"));
}

TEST_F(OwnPlacesTest, ALinkIsOneAndSoIsWhatItLeadsTo) {
  put(folder_ / "real/my.json", "x");
  std::filesystem::create_symlink("real/my.json", folder_ / "link.json");
  const OwnPlaces own = find({"link.json"});
  EXPECT_TRUE(own.include(folder_ / "link.json"));
  EXPECT_TRUE(own.include(folder_ / "real/my.json"));
  EXPECT_TRUE(include(own, ".", "link.json"));
  EXPECT_TRUE(include(own, "real", "my.json"));
}

TEST_F(OwnPlacesTest, AMountThatShowsThemElsewhereIsNoWay) {
  put(folder_ / "home/state/key", "x");
  std::filesystem::create_directory(folder_ / "seen");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ::_exit(77);
    if (::mount((folder_ / "home").c_str(), (folder_ / "seen").c_str(), nullptr, MS_BIND, nullptr) != 0) ::_exit(77);
    const OwnPlaces own = find({"home/state"});
    const bool known = include(own, "seen/state", "key") && include(own, "seen", "state") && lies_in(own, "seen");
    ::_exit(known ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "mounts cannot be made here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace glovebox::vfs
