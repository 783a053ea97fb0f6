#include "vfs/overlay/overlay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/xattr.h>

#include <map>

#include "vfs/commit/recovery.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

class OverlayTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_ / "w"); }

  std::unique_ptr<Overlay> open(std::vector<std::string> grants = {"."}, const FileLimits& limits = {}) {
    auto opened = open_overlay({grants, grants, folder_ / "w"}, limits, {.state_folder = folder_ / "state"});
    EXPECT_TRUE(opened) << opened.failure().message;
    return std::move(opened).value();
  }
  static void write(FileView& view, const std::string& path, const std::string& bytes, bool append = false) {
    auto sink = view.open_to_write(path, {.append = append, .mode = {}});
    ASSERT_TRUE(sink) << sink.failure().message;
    ASSERT_TRUE((*sink)->write(bytes));
  }
  std::string at(const std::string& name) const { return folder_ / "w" + ('/' + name); }
  // One line for each change: "created /a 0>5".
  std::string changes(const Overlay& overlay) const {
    const std::map<OverlayChange::Kind, std::string> names = {{OverlayChange::Kind::kCreated, "created"},
                                                              {OverlayChange::Kind::kModified, "modified"},
                                                              {OverlayChange::Kind::kDeleted, "deleted"}};
    std::string all;
    for (const OverlayChange& change : overlay.changes()) {
      all += names.at(change.kind) + ' ' + change.path.substr((folder_ / "w").size() + 1);
      if (change.folder) all += '/';
      if (change.bytes_before) all += ' ' + std::to_string(*change.bytes_before) + '>';
      if (change.bytes_after) all += (change.bytes_before ? "" : " >") + std::to_string(*change.bytes_after);
      all += '\n';
    }
    return all;
  }
  void expect_conflict(Overlay& overlay, const std::string& path) {
    const auto before = snapshot(folder_ / "w");
    const auto committed = overlay.commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.failure().kind, CommitError::Kind::kConflict);
    EXPECT_EQ(committed.failure().path, at(path));
    EXPECT_EQ(snapshot(folder_ / "w"), before) << "nothing written";
  }

  ScratchFolder folder_;
};

TEST_F(OverlayTest, TellsWhatItWouldChange) {
  put(at("modified"), "12345");
  put(at("deleted"), "123");
  put(at("moved"), "1234");
  put(at("folder/a"), "x");
  put(at("gone/a"), "x");
  const auto overlay = open();
  EXPECT_EQ(changes(*overlay), "");
  write(*overlay, "modified", "1234567");
  write(*overlay, "created", "12");
  ASSERT_TRUE(overlay->remove("deleted", false));
  ASSERT_TRUE(overlay->rename("moved", "here"));
  ASSERT_TRUE(overlay->rename("folder", "there"));
  ASSERT_TRUE(overlay->remove("gone", true));
  ASSERT_TRUE(overlay->make_directory("new", false, {}));
  EXPECT_EQ(changes(*overlay),
            "created created >2\ndeleted deleted 3>\ndeleted folder/\ndeleted gone/\ncreated here >4\n"
            "modified modified 5>7\ndeleted moved 4>\ncreated new/\ncreated there/\n");
}

TEST_F(OverlayTest, WhatIsUndoneIsNoChange) {
  put(at("a/x"), "1");
  const auto overlay = open();
  ASSERT_TRUE(overlay->rename("a", "b"));
  ASSERT_TRUE(overlay->rename("b/x", "b/y"));
  ASSERT_TRUE(overlay->rename("b/y", "b/x"));
  ASSERT_TRUE(overlay->rename("b", "a"));
  write(*overlay, "new", "1");
  ASSERT_TRUE(overlay->remove("new", false));
  EXPECT_EQ(changes(*overlay), "");
  EXPECT_TRUE(overlay->commit());
}

TEST_F(OverlayTest, AFileThatChangedUnderneathIsAConflict) {
  put(at("a"), "old");
  put(at("b"), "old");
  const auto overlay = open();
  write(*overlay, "a", "new");
  write(*overlay, "c", "new");
  put(at("a"), "theirs");
  expect_conflict(*overlay, "a");
  EXPECT_FALSE(std::filesystem::exists(at("c")));
}

TEST_F(OverlayTest, ConflictsOfEveryKind) {
  const auto with = [this](const std::string& path, const std::function<void(Overlay&)>& run,
                           const std::function<void()>& others) {
    SCOPED_TRACE(path);
    std::filesystem::remove_all(folder_ / "w");
    put(at("file"), "x");
    put(at("folder/inner/deep"), "x");
    put(at("folder/other"), "x");
    const auto overlay = open();
    run(*overlay);
    others();
    expect_conflict(*overlay, path);
  };
  const auto remove_file = [](Overlay& o) { ASSERT_TRUE(o.remove("file", false)); };
  const auto rename_file = [](Overlay& o) { ASSERT_TRUE(o.rename("file", "moved")); };
  const auto remove_folder = [](Overlay& o) { ASSERT_TRUE(o.remove("folder", true)); };
  const auto rename_folder = [](Overlay& o) { ASSERT_TRUE(o.rename("folder", "moved")); };
  const auto create = [](Overlay& o) { write(o, "folder/new", "x"); };
  with("file", remove_file, [&] { put(at("file"), "longer"); });
  with("file", remove_file, [&] { std::filesystem::remove(at("file")); });
  with("file", rename_file, [&] { put(at("file"), "y"); });
  with("file", rename_file, [&] { std::filesystem::permissions(at("file"), std::filesystem::perms::owner_exec); });
  with("folder", remove_folder, [&] { put(at("folder/inner/added"), "theirs"); });
  with("folder", remove_folder, [&] { put(at("folder/inner/deep"), "y"); });
  with("folder", rename_folder, [&] {
    std::filesystem::rename(at("folder"), folder_ / "away");
    std::filesystem::create_directory(at("folder"));
  });
  with("moved", rename_file, [&] { put(at("moved"), "theirs"); });
  with("folder/new", create, [&] { put(at("folder/new"), "theirs"); });
  with("folder", create, [&] {
    std::filesystem::rename(at("folder"), folder_ / "away2");
    std::filesystem::create_directory(at("folder"));
  });
  with("folder/new", create, [&] { std::filesystem::create_symlink("/etc/passwd", at("folder/new")); });
  with("folder", create, [&] {
    std::filesystem::rename(at("folder"), folder_ / "away3");
    std::filesystem::create_symlink(folder_ / "away3", at("folder"));
  });
}

TEST_F(OverlayTest, AFolderThatWasOnlyLookedIntoIsNoConflict) {
  put(at("folder/a"), "x");
  const auto overlay = open();
  EXPECT_FALSE(overlay->make_directory("folder/a", false, {}));
  write(*overlay, "new", "x");
  std::filesystem::rename(at("folder"), folder_ / "away");
  std::filesystem::create_directory(at("folder"));
  EXPECT_TRUE(overlay->commit());
}

TEST_F(OverlayTest, PathsInTheLayerStayShortEnoughForTheKernel) {
  const auto overlay = open();
  std::string deep = "d";
  for (int i = 0; i < 14; ++i) deep += '/' + std::string(200, 'x');
  ASSERT_TRUE(overlay->make_directory(deep, true, {}));
  ASSERT_TRUE(overlay->make_directory("e", false, {}));
  ASSERT_TRUE(overlay->rename("d", "e/d"));
  std::string onto = "f";
  for (int i = 0; i < 8; ++i) onto += '/' + std::string(200, 'y');
  ASSERT_TRUE(overlay->make_directory(onto, true, {}));
  const auto renamed = overlay->rename("e/d", onto + "/d");
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.failure().error_number, ENAMETOOLONG);
  EXPECT_TRUE(overlay->commit());
}

// Changes are listed by their whole paths, in the gateway's memory, until they are committed.
TEST_F(OverlayTest, NamesOfChangesAreBounded) {
  put(at("a"), "1");
  const FileLimits limits{.max_name_bytes = 64 * 1024};
  const auto back_and_forth = open({"."}, limits);
  std::string from = "a";
  std::string to = "b";
  int renames = 0;
  for (; renames < 1000 && back_and_forth->rename(from, to); ++renames) std::swap(from, to);
  EXPECT_GT(renames, 10);
  EXPECT_LT(renames, 1000);

  const auto full = open({"."}, limits);
  const std::string longer(250, 'd');
  ASSERT_TRUE(full->make_directory(longer, false, {}));
  ASSERT_TRUE(full->make_directory("many", false, {}));
  int files = 0;
  while (files < 1000 && full->open_to_write("many/" + std::to_string(files), {.mode = {}})) ++files;
  EXPECT_GT(files, 10);
  EXPECT_LT(files, 1000);
  const auto renamed = full->rename("many", longer + "/many");
  ASSERT_FALSE(renamed);
  EXPECT_EQ(renamed.failure().kind, FileError::Kind::kQuota);
  EXPECT_TRUE(full->stat("many"));
}

TEST_F(OverlayTest, AfterAConflictItMayBeTriedAgain) {
  put(at("a"), "old");
  const auto overlay = open();
  write(*overlay, "b", "new");
  put(at("b"), "theirs");
  expect_conflict(*overlay, "b");
  std::filesystem::remove(at("b"));
  EXPECT_TRUE(overlay->commit());
  EXPECT_EQ(get(at("b")), "new");
  EXPECT_FALSE(overlay->commit()) << "only once";
}

TEST_F(OverlayTest, AModifiedFileKeepsModeOwnerAndAttributes) {
  put(at("a"), "old");
  ASSERT_EQ(::chmod(at("a").c_str(), 0754), 0);
  const bool attributes = ::setxattr(at("a").c_str(), "user.note", "mine", 4, 0) == 0;
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(at("a").c_str(), 65534, 12345), 0);
  }
  const auto overlay = open();
  write(*overlay, "a", "+new", true);
  ASSERT_TRUE(overlay->commit());
  EXPECT_EQ(get(at("a")), "old+new");
  EXPECT_EQ(mode_bits(at("a")), 0754U);
  struct ::stat found {};
  ASSERT_EQ(::stat(at("a").c_str(), &found), 0);
  EXPECT_EQ(found.st_nlink, 1U);
  if (::getuid() == 0) {
    EXPECT_EQ(found.st_uid, 65534U);
    EXPECT_EQ(found.st_gid, 12345U);
  }
  char note[4] = {};
  if (attributes) {
    EXPECT_EQ(::getxattr(at("a").c_str(), "user.note", note, 4), 4);
  }
}

TEST_F(OverlayTest, LargeFilesCostNoMemoryAndRenamesCopyNothing) {
  std::filesystem::create_directory(at("big"));
  std::ofstream(at("big/file")).close();
  ASSERT_EQ(::truncate(at("big/file").c_str(), off_t{1} << 30), 0);
  const auto inode_of = [](const std::string& path) {
    struct ::stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
  };
  const auto inode = inode_of(at("big/file"));
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto overlay = open();
  ASSERT_TRUE(overlay->rename("big", "moved"));
  ASSERT_TRUE(overlay->rename("moved/file", "moved/other"));
  auto sink = overlay->open_to_write("written", {.mode = {}});
  ASSERT_TRUE(sink);
  const std::string block(std::size_t{1} << 20, 'x');
  for (int i = 0; i < 128; ++i) ASSERT_TRUE((*sink)->write(block));
  ASSERT_TRUE(overlay->commit());
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(inode_of(at("moved/other")), inode) << "the same file";
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20 * 1024) << "kilobytes";
}

TEST_F(OverlayTest, AnAppendThatIsCopiedCountsAsWritten) {
  put(at("a"), std::string(1000, 'x'));
  const auto overlay = open({"."}, {.max_write_bytes = 100});
  auto sink = overlay->open_to_write("a", {.append = true, .mode = {}});
  put(folder_ / "probe", "x");
  const base::UniqueFd from(::open(at("a").c_str(), O_RDONLY | O_CLOEXEC));
  const base::UniqueFd to(::open((folder_ / "probe").c_str(), O_RDWR | O_CLOEXEC));
  const bool shares_blocks = ::ioctl(to.get(), FICLONE, from.get()) == 0;
  EXPECT_EQ(sink.ok(), shares_blocks);
  if (!sink) {
    EXPECT_EQ(sink.failure().kind, FileError::Kind::kQuota);
  }
}

TEST_F(OverlayTest, ItsOwnFolderIsNeverInAGrantedOne) {
  const std::string inside = folder_ / "w/state";
  auto opened = open_overlay({{"."}, {"."}, folder_ / "w"}, {}, {.state_folder = inside});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.failure().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(inside));
  std::filesystem::create_symlink(folder_ / "w", folder_ / "link");
  EXPECT_FALSE(open_overlay({{"."}, {"."}, folder_ / "w"}, {}, {.state_folder = folder_ / "link/state"}));
}

TEST_F(OverlayTest, ItsFolderMustBePrivate) {
  std::filesystem::create_directory(folder_ / "open");
  ASSERT_EQ(::chmod((folder_ / "open").c_str(), 0777), 0);
  EXPECT_FALSE(open_overlay({{"."}, {"."}, folder_ / "w"}, {}, {.state_folder = folder_ / "open"}));
  std::filesystem::create_symlink(folder_ / "w", folder_ / "linked");
  EXPECT_FALSE(open_overlay({{}, {}, folder_ / "w"}, {}, {.state_folder = folder_ / "linked"}));
  if (::getuid() != 0) return;
  std::filesystem::create_directory(folder_ / "theirs");
  ASSERT_EQ(::chown((folder_ / "theirs").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(open_overlay({{"."}, {"."}, folder_ / "w"}, {}, {.state_folder = folder_ / "theirs"}));
}

TEST_F(OverlayTest, WorksForAnOrdinaryUser) {
  if (::getuid() != 0) GTEST_SKIP() << "the other tests are of an ordinary user then";
  put(at("mine/a"), "old");
  put(at("theirs/a"), "old");
  for (const std::string& path : {at("mine"), at("mine/a"), folder_ / "state"}) {
    std::filesystem::create_directories(folder_ / "state");
    ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  }
  as_nobody([this] {
    const auto overlay = open();
    write(*overlay, "mine/a", "new");
    write(*overlay, "mine/b", "new");
    EXPECT_FALSE(overlay->open_to_write("theirs/a", {.mode = {}}));
    EXPECT_FALSE(overlay->remove("theirs/a", false));
    const auto committed = overlay->commit();
    EXPECT_TRUE(committed) << committed.failure().message;
    EXPECT_EQ(get(at("mine/a")), "new");
    EXPECT_EQ(get(at("mine/b")), "new");
  });
}

TEST_F(OverlayTest, LayersOfTheDeadAreRemovedAndOfTheLivingAreNot) {
  const auto alive = open();
  write(*alive, "a", "new");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto overlay = open();
    write(*overlay, "b", "new");
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const auto transactions = [this] {
    return std::distance(std::filesystem::directory_iterator(folder_ / "state/transactions"), {});
  };
  EXPECT_EQ(transactions(), 2);
  const RecoveryReport report = recover(folder_ / "state");
  EXPECT_EQ(report.undone, 1);
  EXPECT_EQ(transactions(), 1);
  EXPECT_TRUE(alive->commit());
  EXPECT_EQ(get(at("a")), "new");
  EXPECT_EQ(recover(folder_ / "nothing-here").undone, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nothing-here"));
}

}  // namespace
}  // namespace glovebox::vfs
