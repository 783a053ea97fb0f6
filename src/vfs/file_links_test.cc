// Links, mounts and special files: where a path may lead.
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "vfs/file_view_fixture.h"

namespace glovebox::vfs {
namespace {

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
  // The link itself is in the granted folder.
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

}  // namespace
}  // namespace glovebox::vfs
