#include "policy/path_grants.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

TEST(NormalPath, IsAbsoluteAndWithoutDetours) {
  const struct {
    const char *folder, *text, *path;
  } rows[] = {
      {"/w", "a", "/w/a"},
      {"/w", "./a//b/", "/w/a/b"},
      {"/w", "/a", "/a"},
      {"/w", ".", "/w"},
      {"/w", "..", "/"},
      {"/w", "../../../etc", "/etc"},
      {"/w", "a/../../x", "/x"},
      {"/", "a", "/a"},
      {"/", "..", "/"},
      {"/w", "//a/.//b/..", "/a"},
      {"/w", "..a/.b./...", "/w/..a/.b./..."},
      // Not separators here, and never decoded: they are part of a name.
      {"/w", "..\\x", "/w/..\\x"},
      {"/w", "%2e%2e/x", "/w/%2e%2e/x"},
  };
  for (const auto& row : rows) EXPECT_EQ(normal_path(row.folder, row.text), row.path) << row.text;
}

TEST(PathParts, OfAPath) {
  EXPECT_EQ(parent_path("/a/b"), "/a");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(parent_path("/"), "/");
  EXPECT_EQ(last_name("/a/b"), "b");
  EXPECT_EQ(last_name("/"), "");
  EXPECT_EQ(join_path("/", "a"), "/a");
  EXPECT_EQ(join_path("/a", "b"), "/a/b");
  EXPECT_EQ(relative_to("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(relative_to("/a", "/a"), ".");
  EXPECT_EQ(relative_to("/a", "/"), "a");
  EXPECT_EQ(relative_to("/", "/"), ".");
}

TEST(PathParts, BeneathIsByComponent) {
  EXPECT_TRUE(is_at_or_beneath("/a", "/a"));
  EXPECT_TRUE(is_at_or_beneath("/a/b", "/a"));
  EXPECT_TRUE(is_at_or_beneath("/a", "/"));
  EXPECT_TRUE(is_at_or_beneath("/", "/"));
  EXPECT_FALSE(is_at_or_beneath("/ab", "/a"));
  EXPECT_FALSE(is_at_or_beneath("/", "/a"));
  EXPECT_FALSE(is_at_or_beneath("/A/b", "/a"));
}

PathGrants example() {
  PathGrants grants;
  grants.add({.path = "/data", .alias = "/data", .read = true, .write = false});
  grants.add({.path = "/data/out", .alias = "/data/out", .read = false, .write = true});
  grants.add({.path = "/real/place", .alias = "/w/link", .read = true, .write = true});
  return grants;
}

TEST(PathGrants, TheLongestGrantWithTheAccessCovers) {
  const PathGrants grants = example();
  EXPECT_EQ(grants.covering("/data/x", Access::kRead), 0U);
  EXPECT_EQ(grants.covering("/data/out/x", Access::kRead), 0U);
  EXPECT_EQ(grants.covering("/data/out/x", Access::kWrite), 1U);
  EXPECT_EQ(grants.covering("/data/x", Access::kWrite), std::nullopt);
  EXPECT_EQ(grants.covering("/database", Access::kRead), std::nullopt);
  EXPECT_EQ(grants.covering("/", Access::kRead), std::nullopt);
  EXPECT_EQ(PathGrants().covering("/data", Access::kRead), std::nullopt);
}

TEST(PathGrants, ReadingAndWritingOfOnePathAreOneGrant) {
  PathGrants grants;
  grants.add({.path = "/a", .alias = "/a", .read = true});
  grants.add({.path = "/a", .alias = "/a", .write = true});
  ASSERT_EQ(grants.all().size(), 1U);
  EXPECT_TRUE(grants.all()[0].read && grants.all()[0].write);
}

TEST(PathGrants, AnAliasLeadsToTheRealPlace) {
  const PathGrants grants = example();
  EXPECT_EQ(grants.canonical("/w/link/x"), "/real/place/x");
  EXPECT_EQ(grants.canonical("/w/link"), "/real/place");
  EXPECT_EQ(grants.canonical("/w/links"), "/w/links");
  EXPECT_EQ(grants.canonical("/data/x"), "/data/x");
}

}  // namespace
}  // namespace glovebox::policy
