#include "vfs/file_view.h"

#include "vfs/file_view_fixture.h"

namespace glovebox::vfs {
namespace {

INSTANTIATE_TEST_SUITE_P(, FileViewTest, ::testing::Values(ViewKind::kDirect, ViewKind::kOverlay),
                         [](const auto& info) { return info.param == ViewKind::kDirect ? "Direct" : "Overlay"; });

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

TEST_P(FileViewTest, BytesAreCountedAsTheyAreRead) {
  put(at("ten"), "0123456789");
  EXPECT_EQ(read_all(*open({"."}, {}, {.max_read_bytes = 10}), "ten"), "0123456789");
  EXPECT_EQ(read_all(*open({"."}, {}, {.max_read_bytes = 9}), "ten"), "! File too large (os error 27): readfile 'ten'");
  const int attempts = GetParam() == ViewKind::kDirect ? 1000 : 0;
  for (int i = 0; i < attempts && !view().read_if_cached("ten", 100); ++i) ::usleep(1000);
  EXPECT_FALSE(open({"."}, {}, {.max_read_bytes = 9})->read_if_cached("ten", 100));
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

}  // namespace
}  // namespace glovebox::vfs
