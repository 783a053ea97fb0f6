// What every kind of view does, on a real disk.
#include "vfs/file_view.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <map>

#include <algorithm>

#include "vfs/direct_view.h"
#include "vfs/overlay/overlay.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

using Kind = FileError::Kind;

std::string read_all(FileView& view, const std::string& path) {
  auto source = view.open_to_read(path);
  if (!source) return "! " + source.failure().message;
  std::string all, buffer(8192, '\0');
  for (;;) {
    auto count = (*source)->read(buffer);
    if (!count) return "! " + count.failure().message;
    if (*count == 0) return all;
    all.append(buffer, 0, *count);
  }
}

FileResult<void> write_all(FileView& view, const std::string& path, const std::string& bytes,
                           const WriteOptions& options = {}) {
  auto sink = view.open_to_write(path, options);
  if (!sink) return sink.failure();
  auto written = (*sink)->write(bytes);
  if (!written) return written;
  return (*sink)->finish();
}

template <typename T>
std::string message(const FileResult<T>& result) {
  return result ? "ok" : result.failure().message;
}
template <typename T>
Kind kind(const FileResult<T>& result) {
  return result ? Kind{-1} : result.failure().kind;
}

std::string names(FileView& view, const std::string& path) {
  auto entries = view.read_directory(path);
  if (!entries) return "! " + entries.failure().message;
  std::sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string all;
  for (const DirectoryEntry& entry : *entries) {
    all += entry.name;
    all += entry.kind == FileKind::kDirectory ? "/ " : entry.kind == FileKind::kSymlink ? "@ " : " ";
  }
  return all;
}

enum class Mode { kDirect, kOverlay };

class FileViewTest : public ::testing::TestWithParam<Mode> {
 protected:
  // `w` is the folder that the view takes for the current one.
  void SetUp() override {
    std::filesystem::create_directory(folder_ / "w");
    const std::string state = folder_ / "state-65534";
    std::filesystem::create_directory(state);
    if (::getuid() == 0) {
      ASSERT_EQ(::chown(state.c_str(), 65534, 65534), 0);
    }
  }

  FileView& view() {
    if (!view_) view_ = open({"."}, {"."});
    return *view_;
  }
  std::unique_ptr<FileView> open(std::vector<std::string> read, std::vector<std::string> write,
                                 const FileLimits& limits = {}) {
    return open_with(FileGrants{.read = std::move(read), .write = std::move(write), .folder = folder_ / "w"}, limits);
  }
  std::unique_ptr<FileView> open_with(const FileGrants& grants, const FileLimits& limits = {}) {
    if (GetParam() == Mode::kDirect) {
      auto opened = open_direct_view(grants, limits);
      EXPECT_TRUE(opened) << opened.failure().message;
      return std::move(opened).value();
    }
    auto opened = open_overlay(grants, limits, {.state_folder = folder_ / ("state-" + std::to_string(::geteuid()))});
    EXPECT_TRUE(opened) << opened.failure().message;
    return std::move(opened).value();
  }
  // From here on the disk matches the view.
  static void settle(FileView& view) {
    auto* overlay = dynamic_cast<Overlay*>(&view);
    if (overlay == nullptr) return;
    const auto committed = overlay->commit();
    EXPECT_TRUE(committed) << committed.failure().message;
  }
  std::string at(const std::string& name) const { return folder_ / "w" + ('/' + name); }
  void symlink(const std::string& target, const std::string& name) {
    ASSERT_EQ(::symlink(target.c_str(), at(name).c_str()), 0);
  }

  ScratchFolder folder_;
  std::unique_ptr<FileView> view_;
};

INSTANTIATE_TEST_SUITE_P(, FileViewTest, ::testing::Values(Mode::kDirect, Mode::kOverlay),
                         [](const auto& info) { return info.param == Mode::kDirect ? "Direct" : "Overlay"; });

TEST_P(FileViewTest, ReadsAndWrites) {
  put(at("a"), "hello");
  EXPECT_EQ(read_all(view(), "a"), "hello");
  EXPECT_EQ(read_all(view(), at("a")), "hello");
  EXPECT_EQ(read_all(view(), "./x/..//a"), "hello");
  EXPECT_TRUE(write_all(view(), "a", "bye"));
  EXPECT_EQ(read_all(view(), "a"), "bye");
  EXPECT_TRUE(write_all(view(), "a", "!", {.append = true}));
  EXPECT_TRUE(write_all(view(), "b", "new"));
  settle(view());
  EXPECT_EQ(get(at("a")), "bye!");
  EXPECT_EQ(get(at("b")), "new");
}

TEST_P(FileViewTest, FailuresAreWordedAsDenoWordsThem) {
  put(at("file"), "x");
  put(at("full/a"), "x");
  std::filesystem::create_directory(at("dir"));
  FileView& v = view();
  EXPECT_EQ(read_all(v, "nope"), "! No such file or directory (os error 2): readfile 'nope'");
  EXPECT_EQ(read_all(v, "dir"), "! Is a directory (os error 21): readfile 'dir'");
  EXPECT_EQ(read_all(v, "file/x"), "! Not a directory (os error 20): readfile 'file/x'");
  EXPECT_EQ(read_all(v, ""), "! Empty path is not allowed");
  EXPECT_EQ(read_all(v, std::string("a\0b", 3)),
            std::string("! file name contained an unexpected NUL byte: readfile 'a\0b'", 60));
  EXPECT_EQ(names(v, "nope"), "! No such file or directory (os error 2): readdir 'nope'");
  EXPECT_EQ(names(v, "file"), "! Not a directory (os error 20): readdir 'file'");
  EXPECT_EQ(message(v.stat("nope")), "No such file or directory (os error 2): stat 'nope'");
  EXPECT_EQ(message(v.lstat("nope")), "No such file or directory (os error 2): lstat 'nope'");
  EXPECT_EQ(message(v.real_path("nope")), "No such file or directory (os error 2): realpath 'nope'");
  EXPECT_EQ(message(write_all(v, "dir", "x")), "Is a directory (os error 21): writefile 'dir'");
  EXPECT_EQ(message(write_all(v, "nope/x", "x")), "No such file or directory (os error 2): writefile 'nope/x'");
  EXPECT_EQ(message(write_all(v, "file/x", "x")), "Not a directory (os error 20): writefile 'file/x'");
  EXPECT_EQ(message(write_all(v, "nope", "x", {.create = false})),
            "No such file or directory (os error 2): writefile 'nope'");
  EXPECT_EQ(message(write_all(v, "file", "x", {.create_new = true})), "File exists (os error 17): writefile 'file'");
  EXPECT_EQ(message(v.make_directory("dir", false, {})), "File exists (os error 17): mkdir 'dir'");
  EXPECT_EQ(message(v.make_directory("file", true, {})), "File exists (os error 17): mkdir 'file'");
  EXPECT_EQ(message(v.make_directory("file/x", true, {})), "Not a directory (os error 20): mkdir 'file/x'");
  EXPECT_EQ(message(v.make_directory("a/b", false, {})), "No such file or directory (os error 2): mkdir 'a/b'");
  EXPECT_EQ(message(v.remove("nope", false)), "No such file or directory (os error 2): remove 'nope'");
  EXPECT_EQ(message(v.remove("nope", true)), "No such file or directory (os error 2): remove 'nope'");
  EXPECT_EQ(message(v.remove("full", false)), "Directory not empty (os error 39): remove 'full'");
  EXPECT_EQ(message(v.remove("file/x", false)), "Not a directory (os error 20): remove 'file/x'");
  EXPECT_EQ(message(v.rename("nope", "b")), "No such file or directory (os error 2): rename 'nope' -> 'b'");
  EXPECT_EQ(message(v.rename("file", "zz/b")), "No such file or directory (os error 2): rename 'file' -> 'zz/b'");
  EXPECT_EQ(message(v.rename("dir", "full")), "Directory not empty (os error 39): rename 'dir' -> 'full'");
  EXPECT_EQ(message(v.rename("file", "full")), "Is a directory (os error 21): rename 'file' -> 'full'");
  EXPECT_EQ(message(v.rename("dir", "file")), "Not a directory (os error 20): rename 'dir' -> 'file'");
  EXPECT_EQ(message(v.rename("dir", "dir/x")), "Invalid argument (os error 22): rename 'dir' -> 'dir/x'");
  EXPECT_EQ(message(v.rename("file", "file")), "ok");
  EXPECT_EQ(message(v.copy("nope", "b")), "No such file or directory (os error 2): copy 'nope' -> 'b'");
  EXPECT_EQ(message(v.copy("dir", "b")),
            "the source path is neither a regular file nor a symlink to a regular file: copy 'dir' -> 'b'");
  EXPECT_EQ(message(v.copy("file", "dir")), "Is a directory (os error 21): copy 'file' -> 'dir'");
  EXPECT_EQ(message(v.copy("file", "file")),
            "Source and destination paths refer to the same file: copy 'file' -> 'file'");
  EXPECT_EQ(message(v.make_temp_file({.folder = "nope"})), "No such file or directory (os error 2): tmpfile");
  EXPECT_EQ(message(v.make_temp_directory({.folder = "nope"})), "No such file or directory (os error 2): tmpdir");
  EXPECT_EQ(message(v.make_temp_file({.folder = "dir", .prefix = "../b"})),
            "Invalid character in prefix or suffix: \"/\"");
}

TEST_P(FileViewTest, DenialsAreWordedAsDenoWordsThem) {
  put(at("r/a"), "x");
  put(at("w/a"), "x");
  const auto v = open({"r"}, {"w"});
  EXPECT_EQ(read_all(*v, "/etc/passwd"), "! Requires read access to \"/etc/passwd\"");
  EXPECT_EQ(read_all(*v, "r/../../x"), "! Requires read access to \"r/../../x\"");
  EXPECT_EQ(read_all(*v, "w/a"), "! Requires read access to \"w/a\"");
  EXPECT_EQ(message(write_all(*v, "r/a", "")), "Requires write access to \"r/a\"");
  EXPECT_EQ(names(*v, "."), "! Requires read access to \".\"");
  EXPECT_EQ(message(v->stat("x")), "Requires read access to \"x\"");
  EXPECT_EQ(message(v->lstat("x")), "Requires read access to \"x\"");
  EXPECT_EQ(message(v->real_path("x")), "Requires read access to \"x\"");
  EXPECT_EQ(message(v->make_directory("r/d", true, {})), "Requires write access to \"r/d\"");
  EXPECT_EQ(message(v->remove("r/a", false)), "Requires write access to \"r/a\"");
  EXPECT_EQ(message(v->rename("w/a", "w/b")), "Requires read access to \"w/a\"");
  EXPECT_EQ(message(v->rename("r/a", "w/b")), "Requires write access to \"r/a\"");
  EXPECT_EQ(message(v->copy("w/a", "w/b")), "Requires read access to \"w/a\"");
  EXPECT_EQ(message(v->copy("r/a", "r/b")), "Requires write access to \"r/b\"");
  EXPECT_EQ(message(v->make_temp_file({.folder = "r"})), "Requires write access to \"r\"");
  EXPECT_EQ(message(v->make_temp_directory({})), "Requires write access to <TMP>");
  EXPECT_EQ(message(v->current_folder()), "Requires read access to <CWD>");
  EXPECT_EQ(kind(v->stat("x")), Kind::kDenied);
  EXPECT_EQ(message(v->copy("r/a", "w/b")), "ok");
  EXPECT_EQ(view().current_folder().value(), folder_ / "w");
}

TEST_P(FileViewTest, NothingIsGrantedByDefault) {
  const auto v = open({}, {});
  EXPECT_EQ(read_all(*v, "/"), "! Requires read access to \"/\"");
  EXPECT_EQ(message(write_all(*v, "/tmp/x", "")), "Requires write access to \"/tmp/x\"");
}

TEST_P(FileViewTest, StrangePathsAreAnsweredWithATypedError) {
  FileView& v = view();
  EXPECT_EQ(message(v.stat(std::string(256, 'a'))).substr(0, 33), "File name too long (os error 36):");
  EXPECT_EQ(v.stat(std::string(5000, '/') + at("x")).failure().error_number, ENAMETOOLONG);
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "a/";
  EXPECT_EQ(v.stat(many).failure().error_number, ENAMETOOLONG);
  EXPECT_EQ(v.stat("..\\etc\\passwd").failure().error_number, ENOENT);
  EXPECT_EQ(v.stat("%2e%2e/x").failure().error_number, ENOENT);
  EXPECT_TRUE(v.stat("././/."));
  put(at("a"), "x");
  EXPECT_EQ(read_all(v, "a/"), "x") << "as Deno, which drops the slash";
}

TEST_P(FileViewTest, AGrantNeedNotExistYet) {
  const auto v = open({"out/deep"}, {"out/deep"});
  EXPECT_EQ(message(write_all(*v, "out/deep/x", "1")),
            "No such file or directory (os error 2): writefile 'out/deep/x'");
  EXPECT_EQ(message(v->make_directory("out", true, {})), "Requires write access to \"out\"");
  EXPECT_EQ(message(v->make_directory("out/deep", true, {})), "ok");
  EXPECT_EQ(message(write_all(*v, "out/deep/x", "1")), "ok");
  EXPECT_EQ(read_all(*v, "out/deep/x"), "1");
  settle(*v);
  EXPECT_EQ(get(at("out/deep/x")), "1");
  EXPECT_EQ(message(v->stat("out/other")), "Requires read access to \"out/other\"");
}

TEST_P(FileViewTest, AGrantOfAFileIsThatFileOnly) {
  put(at("a"), "x");
  put(at("ab"), "y");
  const auto v = open({"a"}, {"a"});
  EXPECT_EQ(read_all(*v, "a"), "x");
  EXPECT_TRUE(write_all(*v, "a", "z"));
  EXPECT_EQ(read_all(*v, "ab"), "! Requires read access to \"ab\"");
  EXPECT_TRUE(v->remove("a", false));
  EXPECT_TRUE(write_all(*v, "a", "again"));
  EXPECT_EQ(read_all(*v, "a"), "again");
}

TEST_P(FileViewTest, AGrantedFolderMayBeRemovedAndMadeAgain) {
  put(at("out/old"), "x");
  const auto v = open({"out"}, {"out"});
  EXPECT_EQ(message(v->remove("out", true)), "ok");
  EXPECT_EQ(message(v->stat("out")), "No such file or directory (os error 2): stat 'out'");
  EXPECT_EQ(message(v->make_directory("out", false, {})), "ok");
  EXPECT_TRUE(write_all(*v, "out/new", "y"));
  EXPECT_EQ(names(*v, "out"), "new ");
  EXPECT_EQ(read_all(*v, "out/new"), "y");
  settle(*v);
  EXPECT_EQ(get(at("out/new")), "y");
  EXPECT_FALSE(std::filesystem::exists(at("out/old")));
}

TEST_P(FileViewTest, AGrantThroughALinkHoldsUnderBothNames) {
  put(folder_ / "real/a", "x");
  symlink("../real", "link");
  const auto v = open({"link"}, {});
  EXPECT_EQ(read_all(*v, "link/a"), "x");
  EXPECT_EQ(read_all(*v, folder_ / "real/a"), "x");
  std::filesystem::remove(at("link"));
  symlink("/etc", "link");
  EXPECT_EQ(read_all(*v, "link/a"), "x") << "followed once, when the view was opened";
}

TEST_P(FileViewTest, LinksLeadWhereTheGrantsReach) {
  put(at("one/a"), "x");
  put(at("two/b"), "y");
  symlink("../two/b", "one/across");
  symlink(at("two"), "one/folder");
  symlink("across", "one/twice");
  const auto v = open({"one", "two"}, {"two"});
  EXPECT_EQ(read_all(*v, "one/across"), "y");
  EXPECT_EQ(read_all(*v, "one/folder/b"), "y");
  EXPECT_EQ(read_all(*v, "one/twice"), "y");
  EXPECT_EQ(names(*v, "one/folder"), "b ");
  EXPECT_EQ(v->real_path("one/twice").value(), at("two/b"));
  EXPECT_EQ(v->stat("one/twice")->kind, FileKind::kFile);
  EXPECT_EQ(v->lstat("one/twice")->kind, FileKind::kSymlink);
  EXPECT_EQ(message(write_all(*v, "one/across", "")), "Requires write access to \"one/across\"")
      << "named in a folder that may only be read";
}

TEST_P(FileViewTest, LinksOutOfTheGrantsAreDenied) {
  put(folder_ / "secret", "canary");
  put(folder_ / "outside/secret", "canary");
  symlink("../secret", "relative");
  symlink(folder_ / "secret", "absolute");
  symlink("../outside", "folder");
  symlink("nowhere-outside/../../secret", "missing");
  symlink("/proc/self/root", "root");
  symlink("/proc/self/cwd", "cwd");
  symlink("/proc/self/environ", "environ");
  symlink("/proc/self/fd/0", "fd");
  const auto denied = [](const std::string& right, const std::string& name) {
    return "Requires " + right + " access to \"" + name +
           "\", which resolves through a link to a place that is not granted";
  };
  for (const std::string name : {"relative", "absolute", "folder/secret", "root/etc/passwd", "cwd", "environ", "fd"}) {
    EXPECT_EQ(read_all(view(), name), "! " + denied("read", name));
    EXPECT_EQ(message(view().stat(name)), denied("read", name));
    EXPECT_EQ(message(view().real_path(name)), denied("read", name));
    EXPECT_EQ(message(write_all(view(), name, "x")), denied("write", name));
    EXPECT_EQ(message(view().copy(name, "copied")), denied("read", name));
  }
  EXPECT_NE(read_all(view(), "missing").find('!'), std::string::npos);
  EXPECT_EQ(message(view().make_directory("folder/x", true, {})), denied("write", "folder/x"));
  EXPECT_EQ(message(view().rename("relative", "folder/x")), denied("write", "folder/x"));
  EXPECT_EQ(message(view().remove("folder/secret", false)), denied("write", "folder/secret"));
  EXPECT_EQ(names(view(), "folder"), "! " + denied("read", "folder"));
  // A run that may only write does not learn the target of a link.
  const auto blind = open({}, {"."});
  EXPECT_EQ(message(write_all(*blind, "relative", "x")), "Requires write access to \"relative\"");
  EXPECT_EQ(get(folder_ / "secret"), "canary");
  EXPECT_EQ(get(folder_ / "outside/secret"), "canary");
  // The link itself lies in the granted folder.
  EXPECT_EQ(view().lstat("relative")->kind, FileKind::kSymlink);
  EXPECT_EQ(message(view().remove("folder", true)), "ok");
  EXPECT_EQ(get(folder_ / "outside/secret"), "canary");
}

TEST_P(FileViewTest, LinksThatGoRoundEnd) {
  symlink("loop", "loop");
  symlink("two", "one");
  symlink("one", "two");
  EXPECT_EQ(read_all(view(), "loop"), "! Too many levels of symbolic links (os error 40): readfile 'loop'");
  EXPECT_EQ(read_all(view(), "one/x"), "! Too many levels of symbolic links (os error 40): readfile 'one/x'");
  symlink("nowhere", "dangling");
  EXPECT_EQ(read_all(view(), "dangling"), "! No such file or directory (os error 2): readfile 'dangling'");
  EXPECT_EQ(message(write_all(view(), "dangling", "x", {.create_new = true})),
            "File exists (os error 17): writefile 'dangling'");
  EXPECT_EQ(message(write_all(view(), "dangling", "x")), "ok");
  EXPECT_EQ(read_all(view(), "nowhere"), "x");
}

TEST_P(FileViewTest, OnlyFilesAndFoldersAreTouchedAndNothingBlocks) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0666), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  at("sock").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
  for (const std::string name : {"fifo", "sock"}) {
    EXPECT_EQ(kind(view().open_to_read(name)), Kind::kRefused) << name;
    EXPECT_EQ(kind(write_all(view(), name, "x")), Kind::kRefused) << name;
    EXPECT_EQ(kind(write_all(view(), name, "x", {.append = true})), Kind::kRefused) << name;
    EXPECT_EQ(kind(view().remove(name, false)), Kind::kRefused) << name;
    EXPECT_EQ(kind(view().rename(name, "x")), Kind::kRefused) << name;
    EXPECT_EQ(message(view().copy(name, "y")).substr(0, 15), "the source path") << name;
    EXPECT_EQ(view().stat(name)->kind, FileKind::kOther) << name;
  }
  put(at("file"), "x");
  EXPECT_EQ(kind(view().rename("file", "fifo")), Kind::kRefused);
  const auto devices = open({"/dev"}, {"/dev"});
  EXPECT_EQ(kind(devices->open_to_read("/dev/zero")), Kind::kRefused);
  EXPECT_EQ(kind(devices->open_to_read("/dev/tty")), Kind::kRefused);
  EXPECT_EQ(kind(devices->open_to_write("/dev/null", {})), Kind::kRefused);
}

TEST_P(FileViewTest, OtherMountsAreRefused) {
  const auto v = open({"/"}, {});
  EXPECT_EQ(kind(v->open_to_read("/proc/self/environ")), Kind::kRefused);
  EXPECT_EQ(kind(v->read_directory("/proc")), Kind::kRefused);
  const auto proc = open({"/proc"}, {});
  EXPECT_EQ(message(proc->open_to_read("/proc/self/root/etc/passwd")),
            "Requires read access to \"/proc/self/root/etc/passwd\", which resolves through a link to a place that is "
            "not granted")
      << "a magic link is followed as text";
}

TEST_P(FileViewTest, AMountBelowAGrantIsNotGrantedWithIt) {
  put(folder_ / "other/secret", "canary");
  put(at("d/hidden"), "x");
  std::filesystem::create_directory(at("keep"));
  if (::getuid() != 0) GTEST_SKIP() << "needs root to mount";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount((folder_ / "other").c_str(), at("d").c_str(), nullptr, MS_BIND, nullptr) != 0) {
      ::_exit(99);
    }
    EXPECT_EQ(kind(view().open_to_read("d/secret")), Kind::kRefused);
    EXPECT_EQ(kind(view().read_directory("d")), Kind::kRefused);
    EXPECT_EQ(kind(write_all(view(), "d/new", "x")), Kind::kRefused);
    EXPECT_EQ(kind(view().make_directory("d/new", true, {})), Kind::kRefused);
    EXPECT_FALSE(view().rename("d", "moved"));
    EXPECT_FALSE(view().rename("d/secret", "keep/secret"));
    EXPECT_FALSE(view().remove("d", true));
    const auto named = open({".", "d"}, {".", "d"});
    EXPECT_EQ(read_all(*named, "d/secret"), "canary") << "unless it is granted itself";
    EXPECT_EQ(message(write_all(*named, "d/new", "x")), "ok");
    EXPECT_EQ(named->rename("d/secret", "keep/secret").failure().error_number, EXDEV);
    EXPECT_EQ(message(named->remove("d", true)), "Device or resource busy (os error 16): remove 'd'");
    settle(*named);
    EXPECT_EQ(get(folder_ / "other/new"), "x");
    ::_exit(HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 99) GTEST_SKIP() << "no mounts here";
  EXPECT_EQ(status, 0);
  EXPECT_EQ(get(folder_ / "other/secret"), "canary");
}

TEST_P(FileViewTest, BytesAreCountedAsTheyAreRead) {
  put(at("ten"), "0123456789");
  EXPECT_EQ(read_all(*open({"."}, {}, {.max_read_bytes = 10}), "ten"), "0123456789");
  EXPECT_EQ(read_all(*open({"."}, {}, {.max_read_bytes = 9}), "ten"), "! File too large (os error 27): readfile 'ten'");
  // A file that grows after it was opened.
  const auto v = open({"."}, {}, {.max_read_bytes = 15});
  auto source = v->open_to_read("ten");
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->size_hint(), 10U);
  char buffer[12];
  EXPECT_EQ((*source)->read(buffer).value(), 10U);
  std::ofstream(at("ten"), std::ios::app) << "0123456789";
  EXPECT_EQ(kind((*source)->read(buffer)), Kind::kRefused);
  // A sparse file of a petabyte, or as large as the file system has them.
  std::ofstream(at("sparse")).close();
  for (off_t size = off_t{1} << 50; ::truncate(at("sparse").c_str(), size) != 0;) size /= 2;
  EXPECT_EQ(read_all(*v, "sparse"), "! File too large (os error 27): readfile 'sparse'");
}

TEST_P(FileViewTest, QuotasHoldForBytesAndFiles) {
  const auto v = open({"."}, {"."}, {.max_write_bytes = 10, .max_new_files = 3});
  EXPECT_EQ(message(write_all(*v, "a", "12345")), "ok");
  EXPECT_EQ(message(write_all(*v, "a", "1234")), "ok");
  const auto beyond = write_all(*v, "a", "12");
  EXPECT_EQ(kind(beyond), Kind::kQuota);
  EXPECT_EQ(message(beyond), "No space left on device (os error 28): writefile 'a'");
  EXPECT_EQ(message(v->make_directory("d", false, {})), "ok");
  EXPECT_EQ(message(v->make_directory("d", false, {})), "File exists (os error 17): mkdir 'd'");
  EXPECT_EQ(message(v->make_temp_file({.folder = "d"})).substr(0, 2), "ok");
  EXPECT_EQ(kind(v->make_directory("e", false, {})), Kind::kQuota);
  EXPECT_EQ(kind(write_all(*v, "b", "")), Kind::kQuota);
  EXPECT_EQ(kind(v->make_temp_file({.folder = "d"})), Kind::kQuota);
  EXPECT_EQ(kind(v->make_temp_directory({.folder = "d"})), Kind::kQuota);
  put(at("large"), std::string(1000, 'x'));
  EXPECT_EQ(kind(v->copy("large", "a")), Kind::kQuota);
}

TEST_P(FileViewTest, HardLinksAndSetuidFilesAreNotWritten) {
  put(folder_ / "outside", "canary");
  ASSERT_EQ(::link((folder_ / "outside").c_str(), at("hard").c_str()), 0);
  EXPECT_EQ(kind(write_all(view(), "hard", "x")), Kind::kRefused);
  EXPECT_EQ(kind(write_all(view(), "hard", "x", {.append = true})), Kind::kRefused);
  put(at("plain"), "x");
  EXPECT_EQ(kind(view().copy("plain", "hard")), Kind::kRefused);
  EXPECT_EQ(get(folder_ / "outside"), "canary");
  put(at("suid"), "x");
  ASSERT_EQ(::chmod(at("suid").c_str(), 04755), 0);
  EXPECT_EQ(kind(write_all(view(), "suid", "y")), Kind::kRefused);
  EXPECT_EQ(get(at("suid")), "x");
}

TEST_P(FileViewTest, NewFilesHonourTheUmask) {
  EXPECT_TRUE(write_all(view(), "a", "x"));
  EXPECT_TRUE(write_all(view(), "b", "x", {.mode = 07777}));
  EXPECT_TRUE(write_all(view(), "c", "x", {.mode = 0400}));
  EXPECT_TRUE(view().make_directory("d", false, {}));
  EXPECT_TRUE(view().make_directory("e/f", true, 07777));
  EXPECT_TRUE(view().make_temp_file({.folder = "d", .prefix = "pre", .suffix = ".suf"}));
  put(at("world"), "x");
  ASSERT_EQ(::chmod(at("world").c_str(), 0644), 0);
  EXPECT_TRUE(view().copy("world", "copied"));
  EXPECT_TRUE(write_all(view(), "world", "y"));
  settle(view());
  const std::uint32_t umask_bits = process_umask();
  EXPECT_EQ(mode_bits(at("a")), 0666U & ~umask_bits);
  EXPECT_EQ(mode_bits(at("b")), 0777U & ~umask_bits);
  EXPECT_EQ(mode_bits(at("c")), 0400U);
  EXPECT_EQ(mode_bits(at("d")), 0777U & ~umask_bits);
  EXPECT_EQ(mode_bits(at("e")), 0777U & ~umask_bits);
  EXPECT_EQ(mode_bits(at("e/f")), 0777U & ~umask_bits);
  for (const auto& temporary : std::filesystem::directory_iterator(at("d")))
    EXPECT_EQ(mode_bits(temporary.path().string()), 0600U);
  EXPECT_EQ(mode_bits(at("world")), 0644U);
  EXPECT_EQ(mode_bits(at("copied")), 0644U & ~umask_bits);
}

TEST_P(FileViewTest, StartUpFilesNeedAGrantOfTheirOwn) {
  put(at(".git/hooks/pre-commit"), "old");
  put(at(".bashrc"), "old");
  put(at("x"), "evil");
  put(at("y/hooks/pre-commit"), "evil");
  put(at("z/workflows/ci.yml"), "evil");
  FileView& v = view();
  EXPECT_EQ(message(write_all(v, ".bashrc", "evil")),
            "Start-up and configuration files are written only when granted by name: writefile '.bashrc'");
  EXPECT_EQ(kind(write_all(v, ".bashrc", "evil", {.append = true})), Kind::kRefused);
  EXPECT_EQ(kind(write_all(v, ".git/hooks/pre-commit", "evil")), Kind::kRefused);
  EXPECT_EQ(kind(write_all(v, ".GIT/HOOKS/new", "evil")), Kind::kRefused);
  EXPECT_EQ(kind(v.make_directory("sub/.git/hooks", true, {})), Kind::kRefused);
  EXPECT_EQ(kind(v.rename("x", ".bashrc")), Kind::kRefused);
  EXPECT_EQ(kind(v.rename("x", ".profile")), Kind::kRefused);
  EXPECT_EQ(kind(v.rename("y", "sub/.git")), Kind::kRefused);
  EXPECT_EQ(kind(v.rename("z", ".github")), Kind::kRefused);
  EXPECT_EQ(kind(v.rename(".git", "moved")), Kind::kRefused);
  EXPECT_EQ(kind(v.copy("x", ".zshrc")), Kind::kRefused);
  EXPECT_EQ(kind(v.make_temp_file({.folder = ".git/hooks"})), Kind::kRefused);
  EXPECT_EQ(kind(v.make_temp_directory({.folder = ".", .prefix = ".glovebox-stage-"})), Kind::kRefused);
  EXPECT_EQ(kind(v.remove(".bashrc", false)), Kind::kRefused);
  EXPECT_EQ(kind(v.remove(".git", true)), Kind::kRefused);
  symlink(".bashrc", "innocent");
  symlink(".git", "folder");
  EXPECT_EQ(kind(write_all(v, "innocent", "evil")), Kind::kRefused);
  EXPECT_EQ(kind(write_all(v, "folder/hooks/pre-commit", "evil")), Kind::kRefused);
  // Beside a file that may be removed, one that may not: all stays.
  put(at("mixed/a"), "x");
  put(at("mixed/deep/.npmrc"), "x");
  EXPECT_EQ(kind(v.remove("mixed", true)), Kind::kRefused);
  EXPECT_EQ(names(v, "mixed"), "a deep/ ");
  put(at("node_modules/.bin/tool"), "x");
  put(at("node_modules/package/.npmrc"), "x");
  EXPECT_EQ(kind(v.remove("node_modules/.bin/tool", false)), Kind::kRefused);
  EXPECT_EQ(message(v.remove("node_modules", true)), "ok") << "packages go as a whole";
  EXPECT_EQ(read_all(v, ".bashrc"), "old") << "reading is granted with the folder";
  const auto named = open({"."}, {".", ".bashrc", ".git/hooks/pre-commit"});
  EXPECT_EQ(message(write_all(*named, ".bashrc", "mine")), "ok");
  EXPECT_EQ(message(write_all(*named, ".git/hooks/pre-commit", "mine")), "ok");
  EXPECT_EQ(kind(write_all(*named, ".git/hooks/pre-push", "mine")), Kind::kRefused);
}

TEST_P(FileViewTest, RemovesARecursiveFolderWithoutFollowingLinks) {
  put(folder_ / "outside/a", "canary");
  put(at("tree/a/b/c"), "x");
  symlink("../../outside", "tree/link");
  symlink(folder_ / "outside/a", "tree/a/file");
  EXPECT_EQ(message(view().remove("tree", true)), "ok");
  EXPECT_EQ(names(view(), "."), "");
  settle(view());
  EXPECT_EQ(get(folder_ / "outside/a"), "canary");
  EXPECT_FALSE(std::filesystem::exists(at("tree")));
}

TEST_P(FileViewTest, TempNamesAreMadeWhereAsked) {
  std::filesystem::create_directory(at("d"));
  const std::string made = view().make_temp_file({.folder = "d", .prefix = "pre", .suffix = ".txt"}).value();
  EXPECT_EQ(made.size(), std::string("d/pre").size() + 16 + 4);
  EXPECT_TRUE(made.starts_with("d/pre") && made.ends_with(".txt"));
  EXPECT_EQ(view().stat(made)->kind, FileKind::kFile);
  EXPECT_EQ(view().stat(view().make_temp_directory({.folder = "d"}).value())->kind, FileKind::kDirectory);
  EXPECT_EQ(message(view().make_temp_file({.folder = "d", .prefix = std::string(300, 'x')})).substr(0, 18),
            "File name too long");
}

TEST_P(FileViewTest, ShowsWhatAFolderHolds) {
  put(at("file"), "x");
  put(at("folder/inner"), "x");
  symlink("file", "link");
  EXPECT_EQ(names(view(), "."), "file folder/ link@ ");
  put(at("bad\xFF"), "x");
  EXPECT_EQ(names(view(), "."), "bad\xEF\xBF\xBD file folder/ link@ ");
  auto info = view().stat("file");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->size, 1U);
  EXPECT_EQ(info->links, 1U);
  EXPECT_GT(info->modified_ms, 1'600'000'000'000);
}

TEST_P(FileViewTest, TheKernelStillDecidesWhatItsUserMay) {
  put(at("private"), "canary");
  ASSERT_EQ(::chmod(at("private").c_str(), 0600), 0);
  put(at("locked/x"), "x");
  ASSERT_EQ(::chmod(at("locked").c_str(), 0755), 0);
  if (::getuid() != 0) GTEST_SKIP() << "needs root to become someone else";
  as_nobody([this] {
    const auto v = open({"."}, {"."});
    EXPECT_EQ(read_all(*v, "private"), "! Permission denied (os error 13): readfile 'private'");
    EXPECT_EQ(message(write_all(*v, "private", "")), "Permission denied (os error 13): writefile 'private'");
    EXPECT_EQ(message(write_all(*v, "new", "")), "Permission denied (os error 13): writefile 'new'");
    EXPECT_EQ(message(v->remove("locked/x", false)), "Permission denied (os error 13): remove 'locked/x'");
    EXPECT_EQ(message(v->make_directory("locked/d", false, {})), "Permission denied (os error 13): mkdir 'locked/d'");
    EXPECT_EQ(message(v->rename("locked/x", "y")), "Permission denied (os error 13): rename 'locked/x' -> 'y'");
  });
}

TEST_P(FileViewTest, WhatIsAskedForFiltersAndGrantsNothing) {
  put(at("data/in/a"), "a");
  put(at("data/out/b"), "b");
  put(at("data/.git/hooks/pre-commit"), "hook");
  put(folder_ / "elsewhere/secret", "canary");
  symlink("../../elsewhere", "data/leave");
  symlink("in", "data/current");
  symlink("../out/b", "data/in/aside");
  const auto asking = [this](std::vector<std::string> only) {
    return open_with(FileGrants{{"data"}, {"data"}, folder_ / "w", only, only});
  };

  const auto in = asking({"data/in"});
  EXPECT_EQ(read_all(*in, "data/in/a"), "a");
  EXPECT_EQ(message(write_all(*in, "data/in/new", "x")), "ok");
  EXPECT_EQ(kind(in->open_to_read("data/out/b")), Kind::kDenied);
  EXPECT_EQ(kind(in->open_to_read("data/in/../out/b")), Kind::kDenied);
  EXPECT_EQ(kind(in->open_to_read("data/in/aside")), Kind::kDenied) << "a link out of what is asked for";
  EXPECT_EQ(kind(write_all(*in, "data/in/aside", "x")), Kind::kDenied);
  EXPECT_EQ(kind(in->read_directory("data")), Kind::kDenied);
  EXPECT_EQ(kind(in->rename("data/in/a", "data/out/a")), Kind::kDenied);
  EXPECT_EQ(kind(in->rename("data/out/b", "data/in/b")), Kind::kDenied);
  EXPECT_EQ(kind(in->copy("data/out/b", "data/in/b")), Kind::kDenied);
  EXPECT_EQ(kind(in->copy("data/in/a", "data/out/a")), Kind::kDenied);
  EXPECT_EQ(kind(in->remove("data/out", true)), Kind::kDenied);
  EXPECT_EQ(kind(in->make_temp_file({.folder = "data/out"})), Kind::kDenied);
  EXPECT_TRUE(in->is_granted(policy::Access::kRead, "data/in/a"));
  EXPECT_FALSE(in->is_granted(policy::Access::kRead, "data/out"));
  EXPECT_FALSE(in->is_granted(policy::Access::kWrite, ""));

  const auto leave = asking({"data/leave", "data/leave/secret"});
  EXPECT_EQ(kind(leave->open_to_read("data/leave/secret")), Kind::kDenied);
  EXPECT_EQ(kind(leave->open_to_read(folder_ / "elsewhere/secret")), Kind::kDenied);
  EXPECT_EQ(kind(write_all(*leave, "data/leave/secret", "x")), Kind::kDenied);

  const auto hook = asking({"data/.git/hooks/pre-commit", "data/.git/hooks/new/deep"});
  EXPECT_EQ(read_all(*hook, "data/.git/hooks/pre-commit"), "hook");
  EXPECT_EQ(kind(write_all(*hook, "data/.git/hooks/pre-commit", "x")), Kind::kRefused);
  EXPECT_EQ(kind(hook->make_directory("data/.git/hooks/new/deep", true, {})), Kind::kRefused);
  EXPECT_EQ(kind(hook->remove("data/.git/hooks/pre-commit", false)), Kind::kRefused);

  const auto deep = asking({"data/made/by/us", "data/current"});
  EXPECT_EQ(message(deep->make_directory("data/made/by/us", true, {})), "ok") << "the way there is made with it";
  EXPECT_EQ(kind(write_all(*deep, "data/made/x", "x")), Kind::kDenied);
  EXPECT_EQ(message(write_all(*deep, "data/made/by/us/x", "x")), "ok");
  EXPECT_EQ(read_all(*deep, "data/current/a"), "a") << "a link that stays within the grant";
  EXPECT_EQ(kind(asking({})->open_to_read("data/in/a")), Kind::kDenied);
}

TEST_P(FileViewTest, OurOwnFilesAreNeverWritten) {
  for (const char* name :
       {"glovebox.json", ".glovebox/glovebox.db", "sub/glovebox.json", "conf/my.json", "skills/s.py"})
    put(at(name), R"({"ours":1})");  // an unreadable config would make all of its folder ours
  put(at("conf/theirs.json"), "theirs");
  put(at("x"), "x");
  put(at("folder/deep/.pml/y"), "y");
  put(at("plain/deep/y"), "y");
  symlink("glovebox.json", "innocent");
  symlink("conf/my.json", "also");
  const FileGrants grants{.read = {"."},
                          .write = {".", "glovebox.json", ".glovebox", "conf/my.json", "skills"},
                          .folder = folder_ / "w",
                          .own = {at("conf/my.json"), at("skills"), at("later/state")}};
  const auto opened = open_with(grants);
  FileView& v = *opened;
  for (const char* path : {"glovebox.json", "GLOVEBOX.json", "sub/glovebox.json", "new/../glovebox.json", "innocent",
                           "also", "conf/my.json", "skills/s.py", "skills/new.py", ".glovebox/glovebox.db",
                           ".glovebox/new", "later/state", "later/state/x"}) {
    EXPECT_EQ(kind(write_all(v, path, "evil")), Kind::kRefused) << path;
    EXPECT_EQ(kind(write_all(v, path, "evil", {.append = true})), Kind::kRefused) << path;
    EXPECT_EQ(kind(v.copy("x", path)), Kind::kRefused) << path;
  }
  for (const char* path : {"glovebox.json", "conf/my.json", "skills", "skills/s.py", ".glovebox", "later/state"}) {
    EXPECT_EQ(kind(v.rename(path, "away")), Kind::kRefused) << path;
    EXPECT_EQ(kind(v.rename("x", path)), Kind::kRefused) << path;
    EXPECT_EQ(kind(v.remove(path, false)), Kind::kRefused) << path;
    EXPECT_EQ(kind(v.remove(path, true)), Kind::kRefused) << path;
  }
  // Nor can a folder be removed or moved with one of them in it.
  for (const char* folder : {"conf", "sub", "folder", "folder/deep"}) {
    EXPECT_EQ(kind(v.rename(folder, "away")), Kind::kRefused) << folder;
    EXPECT_EQ(kind(v.remove(folder, true)), Kind::kRefused) << folder;
  }
  EXPECT_EQ(kind(v.make_directory("later/state", true, {})), Kind::kRefused);
  EXPECT_EQ(message(v.rename("plain", "moved")), "ok");
  EXPECT_EQ(message(write_all(v, "conf/theirs.json", "fine")), "ok");
  EXPECT_EQ(read_all(v, "conf/my.json"), R"({"ours":1})");
  settle(v);
  for (const char* name : {"conf/my.json", "glovebox.json", "skills/s.py"})
    EXPECT_EQ(get(at(name)), R"({"ours":1})") << name;
}

}  // namespace
}  // namespace glovebox::vfs
