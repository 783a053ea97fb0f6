#include "vfs/cached_read.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "base/unique_fd.h"

namespace glovebox::vfs {
namespace {

class CachedRead : public testing::Test {
 protected:
  CachedRead() {
    std::string name = testing::TempDir() + "cached_read_XXXXXX";
    EXPECT_TRUE(::mkdtemp(name.data()));
    path = name;
    folder = base::UniqueFd(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  ~CachedRead() override { std::filesystem::remove_all(path); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path + "/" + name) << text; }

  // Retried: any mount on the machine makes the kernel ask for another lookup, and memory may be short for a moment.
  std::optional<std::string> read(const char* name) const {
    std::optional<std::string> text;
    for (int i = 0; i < 60'000 && !(text = read_if_cached(folder.get(), name, 100)); ++i) ::usleep(1'000);
    return text;
  }

  std::string path;
  base::UniqueFd folder;
};

TEST_F(CachedRead, ReadsWhatWasJustWritten) {
  if (!is_local(folder.get())) GTEST_SKIP() << "the temporary folder is on another kind of file system";
  write("a", "hello");
  write("empty", "");
  write("exact", std::string(100, 'x'));
  EXPECT_EQ(read("a"), "hello");
  EXPECT_EQ(read("empty"), "");
  EXPECT_EQ(read("exact"), std::string(100, 'x'));
}

TEST_F(CachedRead, LeavesEverythingElseToOthers) {
  write("large", std::string(101, 'x'));
  write("a", "hello");
  std::filesystem::create_symlink("a", path + "/link");
  std::filesystem::create_directory(path + "/folder");
  ::mkfifo((path + "/fifo").c_str(), 0600);
  for (const char* name :
       {"large", "missing", "link", "folder", "fifo", "../etc/passwd", "/etc/passwd", "folder/../a/../.."}) {
    EXPECT_FALSE(read_if_cached(folder.get(), name, 100)) << name;
  }
}

TEST(IsLocal, KnowsTheKernelsOwnFromPrograms) {
  const base::UniqueFd proc(::open("/proc", O_PATH | O_CLOEXEC));
  EXPECT_FALSE(is_local(proc.get()));
  EXPECT_FALSE(is_local(-1));
}

}  // namespace
}  // namespace glovebox::vfs
