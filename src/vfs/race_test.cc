// An attacker swaps folders and links as fast as the kernel allows, while a view works on the same paths. Whichever
// races it wins, nothing outside the grant is read or changed. A million swaps in `make prove`.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "base/proving.h"
#include "vfs/direct_view.h"
#include "vfs/overlay/overlay.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

std::uint64_t swaps_wanted(std::uint64_t usual) {
  return base::is_proving() ? 1'000'000 : usual;
}

void exchange(const std::string& a, const std::string& b) {
  ::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE);
}

class Race : public ::testing::Test {
 protected:
  void SetUp() override {
    put(folder_ / "outside/secret", "canary");
    put(folder_ / "outside/sub/secret", "canary");
    put(folder_ / "w/d/secret", "inside");
    put(folder_ / "w/d/sub/secret", "inside");
    put(folder_ / "w/other/x", "x");
    std::filesystem::create_symlink("../outside", folder_ / "w/out");
    std::filesystem::create_symlink(folder_ / "outside/secret", folder_ / "w/d/file-out");
    std::filesystem::create_symlink("../../outside", folder_ / "w/d/sub-out");
    outside_ = snapshot(folder_ / "outside");
  }
  void TearDown() override { EXPECT_EQ(snapshot(folder_ / "outside"), outside_); }

  // Swaps a folder with a link that leads out, a file with one, and moves a folder out of the grant and back.
  void attack() {
    const std::string w = folder_ / "w";
    for (std::uint64_t i = 0; !stop_; ++i) {
      exchange(w + "/d", w + "/out");
      exchange(w + "/d/secret", w + "/d/file-out");
      exchange(w + "/d/sub", w + "/d/sub-out");
      swaps_ += 3;
      if (i % 8 == 0) {
        ::rename((w + "/other").c_str(), (folder_ / "moved-out").c_str());
        ::rename((folder_ / "moved-out").c_str(), (w + "/other").c_str());
        ++swaps_;
      }
    }
  }
  // Until there were this many swaps, and `done` has counted this much work: on a busy machine either thread may have
  // to wait.
  template <typename Work>
  void race(std::uint64_t swaps, const std::uint64_t& done, std::uint64_t least, Work work) {
    std::thread attacker([this] { attack(); });
    while ((swaps_ < swaps || done <= least) && !HasFatalFailure()) work();
    stop_ = true;
    attacker.join();
    RecordProperty("swaps", std::to_string(swaps_));
  }
  void read(FileView& view, const std::string& path) {
    auto source = view.open_to_read(path);
    if (!source) return;
    std::string buffer(100, '\0');
    auto count = (*source)->read(buffer);
    if (!count) return;
    buffer.resize(*count);
    ASSERT_EQ(buffer.find("canary"), std::string::npos) << path;
    ++reads_;
  }

  const ScratchFolder folder_ = ScratchFolder::in_memory();
  std::map<std::string, std::string> outside_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> swaps_ = 0;
  std::uint64_t reads_ = 0;
};

TEST_F(Race, ReadingSeesNothingOutside) {
  auto view = open_direct_view({{"."}, {}, folder_ / "w"}, {});
  ASSERT_TRUE(view);
  // Some reads succeed despite the race.
  race(swaps_wanted(60'000), reads_, 100, [&] {
    for (const char* path : {"d/secret", "d/sub/secret", "out/secret", "out/sub/secret", "d/sub-out/secret"}) {
      read(**view, path);
    }
    for (const char* folder : {"d", "out", "d/sub", "other"}) {
      auto entries = (*view)->read_directory(folder);
      auto real = (*view)->real_path(folder);
      if (real) {
        ASSERT_EQ(real->find("outside"), std::string::npos);
      }
      static_cast<void>(entries.ok());
    }
    auto info = (*view)->stat("d/secret");
    if (info) {
      ASSERT_EQ(info->size, 6U);
    }
  });
  EXPECT_GT(reads_, 100U);
}

TEST_F(Race, WritingChangesNothingOutside) {
  auto view = open_direct_view({{"."}, {"."}, folder_ / "w"},
                               {.max_write_bytes = std::uint64_t{1} << 40, .max_new_files = 1'000'000'000});
  ASSERT_TRUE(view);
  std::uint64_t written = 0;
  race(swaps_wanted(60'000), written, 100, [&] {
    for (const char* path : {"d/new", "out/new", "d/sub/new", "d/secret"}) {
      if (auto sink = (*view)->open_to_write(path, {.mode = {}})) {
        static_cast<void>((*sink)->write("inside").ok());
        ++written;
      }
    }
    static_cast<void>((*view)->make_directory("d/made/deep", true, {}).ok());
    static_cast<void>((*view)->rename("d/new", "out/renamed").ok());
    static_cast<void>((*view)->copy("other/x", "d/copied").ok());
    for (const char* path : {"d/made", "out/made", "d/renamed", "d/copied", "d/sub/new"}) {
      static_cast<void>((*view)->remove(path, true).ok());
    }
  });
  EXPECT_GT(written, 100U);
}

TEST_F(Race, CommitsChangeNothingOutside) {
  std::uint64_t tried = 0;
  race(swaps_wanted(60'000), tried, 20, [&] {
    auto overlay = open_overlay({{"."}, {"."}, folder_ / "w"}, {}, {.state_folder = folder_ / "state"});
    ASSERT_TRUE(overlay);
    for (const char* path : {"d/new", "d/sub/new", "d/secret", "other/new"}) {
      if (auto sink = (*overlay)->open_to_write(path, {.mode = {}})) static_cast<void>((*sink)->write("inside").ok());
    }
    static_cast<void>((*overlay)->remove("d/sub", true).ok());
    const auto done = (*overlay)->commit();
    ++tried;
    if (!done) {
      ASSERT_NE(done.failure().kind, CommitError::Kind::kUnfinished) << done.failure().message;
    }
    // Restores something to attack.
    std::error_code ignored;
    std::filesystem::create_directory(folder_ / "w/d/sub", ignored);
  });
  EXPECT_GT(tried, 20U);
}

}  // namespace
}  // namespace glovebox::vfs
