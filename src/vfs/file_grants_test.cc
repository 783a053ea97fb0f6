// What a grant covers, and what no grant does.
#include <map>

#include "vfs/file_view_fixture.h"

namespace glovebox::vfs {
namespace {

TEST_P(FileViewTest, NothingIsGrantedByDefault) {
  const auto v = open({}, {});
  EXPECT_EQ(read_all(*v, "/"), "! Requires read access to \"/\"");
  EXPECT_EQ(message(write_all(*v, "/tmp/x", "")), "Requires write access to \"/tmp/x\"");
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
