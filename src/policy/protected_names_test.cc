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
      {"/w/.github/CODEOWNERS", 2},
      {"/h/.config/Code/User/settings.json", 2},
      {"/h/.config/git/x", 3},
      {"/h/.local/bin/git", 2},
      {"/h/.oh-my-zsh/custom/x.zsh", 2},
      {"/h/.nvm/nvm.sh", 2},
      {"/h/.ipython/profile_default/startup/x.py", 2},
      {"/w/.pylintrc", 2},
      {"/w/.cache/.hidden", 3},
      {"/w/lefthook.yaml", 2},
      {"/w/bunfig.toml", 2},
      {"/w/CLAUDE.md", 2},
      {"/w/docs/AGENTS.md", 3},
      {"/h/Documents/PowerShell/profile.ps1", 3},
      // Not protected.
      {"/w/.next/server/page.js", 0},
      {"/w/.cache/x", 0},
      {"/w/.pytest_cache/v/x", 0},
      {"/w/bashrc", 0},
      {"/w/node_modules/x/index.js", 0},
      {"/w/.gitignore", 0},
      {"/w/environment", 0},
      {"/w/hooks/x", 0},
      {"/w/config", 0},
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

TEST(ProtectedNames, OurOwnAreNotIncludedByAnyGrant) {
  for (const char* path :
       {"/w/glovebox.json", "/w/GloveBox.JSON", "/w/glovebox.jsonc", "/w/.glovebox/x", "/w/.pml",
        "/h/.config/glovebox/x", "/h/.local/state/glovebox", "/h/.cache/glovebox/image", "/w/GLOVEB~1.JSO"}) {
    EXPECT_TRUE(is_own(path)) << path;
    EXPECT_FALSE(may_write(path, path)) << path;
    EXPECT_GT(protected_prefix(path), 0U) << path;
  }
  for (const char* path : {"/", "/w/glovebox", "/w/glovebox.json5", "/w/my.glovebox", "/h/.config/other", "/w/pml"})
    EXPECT_FALSE(is_own(path)) << path;
}

TEST(ProtectedNames, InstalledPackagesMayGoAsAWhole) {
  EXPECT_TRUE(may_remove_with_folder("/w/node_modules/.bin", "/w"));
  EXPECT_TRUE(may_remove_with_folder("/w/node_modules/x/.github/workflows", "/w"));
  EXPECT_TRUE(may_remove_with_folder("/w/a", "/w"));
  EXPECT_FALSE(may_remove_with_folder("/w/a/.git", "/w"));
  EXPECT_FALSE(may_remove_with_folder("/w/a/glovebox.json", "/w/a/glovebox.json"));
  EXPECT_TRUE(may_remove_with_folder("/w/build/.ninja_log", "/w"));
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
