#include "policy/protected_names.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

TEST(ProtectedNames, AreFoundAnywhereInAPath) {
  const struct {
    const char* path;
    std::size_t prefix;
  } rows[] = {
      {"/w/.bashrc", 2},
      {"/w/a/.profile", 3},
      {"/w/.git", 2},
      {"/w/.git/HEAD", 2},
      {"/w/.git/hooks/pre-commit", 3},
      {"/w/.git/config", 3},
      {"/w/.ssh/authorized_keys", 2},
      {"/w/.env", 2},
      {"/w/.env.local", 2},
      {"/w/.npmrc", 2},
      {"/w/node_modules/.bin/tsc", 3},
      {"/w/.github/workflows/ci.yml", 3},
      {"/home/me/.config/systemd/user/x.service", 4},
      {"/home/me/.local/share/systemd/user/x.service", 5},
      {"/var/spool/cron/crontabs/me", 4},
      {"/etc/cron.d/x", 2},
      {"/w/.vscode/tasks.json", 2},
      {"/w/.husky/pre-push", 2},
      {"/w/.glovebox-stage-1/x", 2},
      // Not protected.
      {"/w/bashrc", 0},
      {"/w/.github/CODEOWNERS", 0},
      {"/w/node_modules/x/index.js", 0},
      {"/w/.config/app/settings.json", 0},
      {"/w/.gitignore", 0},
      {"/w/environment", 0},
      {"/w/hooks/x", 0},
      {"/w/config", 0},
      {"/w/.local/share/x", 0},
      {"/", 0},
  };
  for (const auto& row : rows) EXPECT_EQ(protected_prefix(row.path), row.prefix) << row.path;
}

TEST(ProtectedNames, AliasesOfLaxFileSystemsAreTheSameName) {
  const char* rows[] = {
      "/w/.GIT/Hooks/x",
      "/w/.BashRC",
      "/w/.ba\xC5\xBFhrc",           // long s
      "/w/.g\xE2\x80\x8Cit/config",  // zero-width non-joiner, as once in git
      "/w/.n\xEF\xBC\xB0mrc",        // full-width P
      "/w/.hus\xE2\x84\xAAy/x",      // Kelvin sign
      "/w/.pro\xEF\xAC\x81le",       // ligature fi
      "/w/.bashrc.",
      "/w/.bashrc ",
      "/w/.git::$INDEX_ALLOCATION/config",
      "/w/GIT~1/hooks/x",
      "/w/BASHRC~1",
      "/w/.git . . /x",
  };
  for (const char* path : rows) EXPECT_GT(protected_prefix(path), 0U) << path;
  const char* others[] = {"/w/\xE6\x97\xA5\xE6\x9C\xAC",
                          ("/w/stra\xC3\x9F"
                           "e"),
                          "/w/notes~1.txt", "/w/a~", "/w/\xFF\xFE"};
  for (const char* path : others) EXPECT_EQ(protected_prefix(path), 0U) << path;
}

TEST(ProtectedNames, AGrantIncludesThemOnlyByName) {
  EXPECT_TRUE(may_write("/w/a", "/w"));
  EXPECT_FALSE(may_write("/w/.bashrc", "/w"));
  EXPECT_TRUE(may_write("/w/.bashrc", "/w/.bashrc"));
  EXPECT_FALSE(may_write("/w/.git/hooks/x", "/w"));
  EXPECT_FALSE(may_write("/w/.git/hooks/x", "/w/.git"));
  EXPECT_TRUE(may_write("/w/.git/hooks/x", "/w/.git/hooks"));
  EXPECT_TRUE(may_write("/w/.git/hooks/x", "/w/.git/hooks/x"));
  EXPECT_TRUE(may_write("/w/.git/HEAD", "/w/.git"));
  EXPECT_FALSE(may_write("/w/.vscode/.env", "/w/.vscode"));
}

TEST(ProtectedNames, InstalledPackagesMayGoAsAWhole) {
  EXPECT_TRUE(may_remove_with_folder("/w/node_modules/.bin", "/w"));
  EXPECT_TRUE(may_remove_with_folder("/w/node_modules/x/.github/workflows", "/w"));
  EXPECT_TRUE(may_remove_with_folder("/w/a", "/w"));
  EXPECT_FALSE(may_remove_with_folder("/w/a/.git", "/w"));
}

TEST(ProtectedNames, AFolderThatLeadsToOneIsKnown) {
  EXPECT_TRUE(leads_to_protected("/w/.github"));
  EXPECT_TRUE(leads_to_protected("/w/.GitHub"));
  EXPECT_TRUE(leads_to_protected("/w/node_modules"));
  EXPECT_TRUE(leads_to_protected("/w/.config"));
  EXPECT_TRUE(leads_to_protected("/w/.local/share"));
  EXPECT_FALSE(leads_to_protected("/w/share"));
  EXPECT_FALSE(leads_to_protected("/w/x"));
  EXPECT_FALSE(leads_to_protected("/"));
}

}  // namespace
}  // namespace glovebox::policy
