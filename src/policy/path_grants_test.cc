#include "policy/path_grants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/proving.h"

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

TEST(PathGrants, WhatIsAskedForOnlyTakesAway) {
  PathGrants grants;
  grants.add({"/w", "/w", true, true});
  grants.add({"/w/.git", "/w/.git", false, true});
  grants.narrow(Access::kWrite, {"/w/.git/hooks", "/etc"});
  EXPECT_EQ(grants.covering("/w/a", Access::kRead), 0U);
  EXPECT_EQ(grants.covering("/w/a", Access::kWrite), std::nullopt);
  EXPECT_EQ(grants.covering("/w/.git/hooks/x", Access::kWrite), 1U);
  EXPECT_EQ(grants.covering("/etc/passwd", Access::kWrite), std::nullopt);
  EXPECT_EQ(grants.granting("/w/a", Access::kWrite), 0U);
  grants.narrow(Access::kRead, {});
  EXPECT_EQ(grants.covering("/w/a", Access::kRead), std::nullopt);
}

TEST(PathGrants, NoRequestGivesMoreThanTheGrants) {
  std::mt19937 random{11};
  const auto path = [&] {
    std::string text;
    for (std::size_t n = random() % 5; n > 0; --n) text += std::string("/") + "abc"[random() % 3];
    return text.empty() ? "/" : text;
  };
  std::size_t taken = 0;
  const std::size_t rounds = base::random_rounds(20'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    PathGrants owners;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::string granted = path();
      owners.add({granted, granted, random() % 2 == 0, random() % 2 == 0});
    }
    PathGrants narrowed = owners;
    const Access access = random() % 2 == 0 ? Access::kRead : Access::kWrite;
    std::vector<std::string> asked;
    for (std::size_t n = random() % 3; n > 0; --n) asked.push_back(path());
    narrowed.narrow(access, asked);
    const std::string used = path();
    const auto before = owners.covering(used, access);
    const auto after = narrowed.covering(used, access);
    const bool is_asked_for =
        std::any_of(asked.begin(), asked.end(), [&](const auto& one) { return is_at_or_beneath(used, one); });
    // The same grant as without the request, or none.
    ASSERT_EQ(after, is_asked_for ? before : std::nullopt) << used;
    taken += before && !after;
  }
  EXPECT_GT(taken, rounds / 20);
}

}  // namespace
}  // namespace glovebox::policy
