#include "vfs/paths/path_resolver.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace glovebox::vfs {
namespace {

using policy::Access;

// A tree of links only: a name with a target is a link, one with "" a folder, all others are missing.
class LinkTree : public FileTree {
 public:
  explicit LinkTree(std::map<std::string, std::string> names) : names_(std::move(names)) {}

  TreeResult<FileInfo> file_info(const std::string& path, Access /*access*/) override {
    asked_of_.insert(path);
    const auto found = names_.find(path);
    if (found == names_.end()) return system_error(ENOENT);
    FileInfo info;
    info.kind = found->second.empty() ? FileKind::kDirectory : FileKind::kSymlink;
    return info;
  }
  TreeResult<std::string> read_link(const std::string& path, Access /*access*/) override { return names_.at(path); }
  TreeResult<OpenFile> open_to_read(const std::string&) override { return system_error(ENOSYS); }
  TreeResult<OpenFile> open_to_write(const std::string&, const OpenMode&) override { return system_error(ENOSYS); }
  TreeResult<std::vector<DirectoryEntry>> list(const std::string&, Access) override { return system_error(ENOSYS); }
  TreeResult<void> make_directory(const std::string&, std::uint32_t) override { return system_error(ENOSYS); }
  TreeResult<void> remove(const std::string&) override { return system_error(ENOSYS); }
  TreeResult<void> remove_tree(const std::string&) override { return system_error(ENOSYS); }
  TreeResult<void> rename(const std::string&, const std::string&) override { return system_error(ENOSYS); }

  const std::set<std::string>& asked_of() const { return asked_of_; }

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string> asked_of_;
};

class PathResolver : public ::testing::Test {
 protected:
  void SetUp() override {
    grants_.add({.path = "/g", .alias = "/g", .read = true, .write = true});
    grants_.add({.path = "/h", .alias = "/h", .read = true});
    grants_.add({.path = "/real", .alias = "/g/alias", .read = true});
  }
  std::string resolve(const std::string& path, LastLink last = LastLink::kFollow, Access access = Access::kRead) {
    auto resolved = resolve_links(tree_, grants_, path, access, last);
    return resolved ? *resolved : "errno " + std::to_string(resolved.failure().number);
  }

  policy::PathGrants grants_;
  LinkTree tree_{{
      {"/g", ""},
      {"/h", ""},
      {"/real", ""},
      {"/g/d", ""},
      {"/g/d/e", ""},
      {"/g/up", ".."},
      {"/g/out", "../secret/x"},
      {"/g/absolute", "/h/there"},
      {"/g/relative", "d/./e"},
      {"/g/through", "relative/../.."},
      {"/g/loop", "loop"},
      {"/g/a", "b"},
      {"/g/b", "a"},
      {"/g/to-alias", "alias/x"},
      {"/g/dangling", "nowhere/deep"},
      {"/g/climb", "nowhere/../d"},
  }};
};

TEST_F(PathResolver, FollowsLinksAsTheKernelDoes) {
  EXPECT_EQ(resolve("/g/d/e"), "/g/d/e");
  EXPECT_EQ(resolve("/g/relative"), "/g/d/e");
  EXPECT_EQ(resolve("/g/relative/x"), "/g/d/e/x");
  EXPECT_EQ(resolve("/g/absolute/x"), "/h/there/x");
  EXPECT_EQ(resolve("/g/through"), "/g") << "back from where a link leads, not by name";
  EXPECT_EQ(resolve("/g/to-alias"), "/real/x");
  EXPECT_EQ(resolve("/g/dangling"), "/g/nowhere/deep");
  EXPECT_EQ(resolve("/g/climb"), "errno 2");
}

TEST_F(PathResolver, KeepsTheLastLinkWhenAsked) {
  EXPECT_EQ(resolve("/g/relative", LastLink::kKeep), "/g/relative");
  EXPECT_EQ(resolve("/g/relative/x", LastLink::kKeep), "/g/d/e/x");
}

TEST_F(PathResolver, NeverLooksOutsideTheGrants) {
  EXPECT_EQ(resolve("/g/out/y"), "/secret/x/y");
  EXPECT_EQ(resolve("/g/up/etc/passwd"), "/etc/passwd");
  EXPECT_EQ(resolve("/g/absolute", LastLink::kFollow, Access::kWrite), "/h/there");
  for (const std::string& path : tree_.asked_of()) {
    EXPECT_TRUE(policy::is_at_or_beneath(path, "/g") || policy::is_at_or_beneath(path, "/h")) << path;
  }
  EXPECT_FALSE(tree_.asked_of().contains("/h")) << "may not be written, so it is not looked at for that";
}

TEST_F(PathResolver, EndsWhenLinksGoRound) {
  EXPECT_EQ(resolve("/g/loop"), "errno 40");
  EXPECT_EQ(resolve("/g/a/x"), "errno 40");
}

}  // namespace
}  // namespace glovebox::vfs
