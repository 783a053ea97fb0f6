// A commit that dies at any step, and a recovery that dies at any step, leave the folder entirely old or entirely new.
#include "vfs/commit/recovery.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/proving.h"
#include "vfs/overlay/overlay.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

void write_file(FileView& view, const std::string& path, const std::string& bytes) {
  auto sink = view.open_to_write(path, {.mode = {}});
  ASSERT_TRUE(sink) << sink.failure().message;
  ASSERT_TRUE((*sink)->write(bytes));
}

// Every kind of change: new, modified, deleted, moved, and folders that swap names.
void make_tree(const std::string& folder) {
  put(folder + "/modified", "old");
  put(folder + "/deleted", "old");
  put(folder + "/moved", "old");
  put(folder + "/one/a", "1a");
  put(folder + "/one/sub/b", "1b");
  put(folder + "/two/a", "2a");
  put(folder + "/gone/deep/er", "x");
}

void change_tree(FileView& view) {
  write_file(view, "modified", "new");
  write_file(view, "brand-new", "new");
  ASSERT_TRUE(view.remove("deleted", false));
  ASSERT_TRUE(view.rename("moved", "two/moved"));
  ASSERT_TRUE(view.make_directory("fresh/deep", true, {}));
  write_file(view, "fresh/deep/file", "new");
  // Swap two folders, and change something in each.
  ASSERT_TRUE(view.rename("one", "tmp"));
  ASSERT_TRUE(view.rename("two", "one"));
  ASSERT_TRUE(view.rename("tmp", "two"));
  write_file(view, "two/sub/b", "changed");
  write_file(view, "one/added", "new");
  ASSERT_TRUE(view.rename("two/a", "fresh/a"));
  ASSERT_TRUE(view.remove("gone", true));
  ASSERT_TRUE(view.make_directory("gone", false, {}));
  write_file(view, "gone/now", "a file");
}

// Runs `body` in a process that dies after `steps` steps; returns whether it got that far.
bool dies_after(int steps, const std::function<void(const StepHook&)>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int left = steps;
    body([&left](const char*) {
      if (left-- == 0) ::kill(::getpid(), SIGKILL);
    });
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

class RecoveryTest : public ::testing::Test {
 protected:
  void commit_in(const ScratchFolder& folder, const StepHook& hook) {
    auto overlay = open_overlay({{"."}, {"."}, folder / "w"}, {}, {.state_folder = folder / "state", .hook = hook});
    ASSERT_TRUE(overlay);
    change_tree(**overlay);
    const auto committed = (*overlay)->commit();
    ASSERT_TRUE(committed) << committed.failure().message;
  }
  std::map<std::string, std::string> tree_after_commit() {
    const ScratchFolder folder = ScratchFolder::in_memory();
    make_tree(folder / "w");
    commit_in(folder, {});
    return snapshot(folder / "w");
  }
  static void expect_clean(const ScratchFolder& folder) {
    EXPECT_TRUE(!std::filesystem::exists(folder / "state/transactions") ||
                std::filesystem::is_empty(folder / "state/transactions"));
  }
};

TEST_F(RecoveryTest, KilledAtAnyStepOfACommit) {
  const auto whole = tree_after_commit();
  int old_trees = 0, new_trees = 0;
  for (int steps = 0;; ++steps) {
    SCOPED_TRACE("killed after " + std::to_string(steps) + " steps");
    const ScratchFolder folder = ScratchFolder::in_memory();
    make_tree(folder / "w");
    const auto before = snapshot(folder / "w");
    const bool died = dies_after(steps, [&](const StepHook& hook) { commit_in(folder, hook); });
    const RecoveryReport report = recover(folder / "state");
    EXPECT_TRUE(report.failed.empty() && report.kept.empty()) << (report.failed.empty() ? "" : report.failed[0]);
    const auto after = snapshot(folder / "w");
    ASSERT_TRUE(after == before || after == whole);
    (after == before ? old_trees : new_trees) += 1;
    expect_clean(folder);
    if (!died) break;
  }
  EXPECT_GT(old_trees, 10);
  EXPECT_GT(new_trees, 20);
}

TEST_F(RecoveryTest, KilledAtAnyStepOfTheRecoveryToo) {
  const auto whole = tree_after_commit();
  for (int steps = 0;; steps += base::steps_at_once(3, 9)) {
    const ScratchFolder first = ScratchFolder::in_memory();
    make_tree(first / "w");
    if (!dies_after(steps, [&](const StepHook& hook) { commit_in(first, hook); })) break;
    for (int again = 0;; again += base::steps_at_once(2, 5)) {
      SCOPED_TRACE("killed after " + std::to_string(steps) + ", and then after " + std::to_string(again) + " steps");
      const ScratchFolder folder = ScratchFolder::in_memory();
      make_tree(folder / "w");
      const auto before = snapshot(folder / "w");
      dies_after(steps, [&](const StepHook& hook) { commit_in(folder, hook); });
      const bool died = dies_after(again, [&](const StepHook& hook) { recover(folder / "state", hook); });
      const RecoveryReport report = recover(folder / "state");
      EXPECT_TRUE(report.failed.empty() && report.kept.empty());
      const auto after = snapshot(folder / "w");
      ASSERT_TRUE(after == before || after == whole);
      expect_clean(folder);
      if (!died) break;
    }
  }
}

// The number of the step with this name, counted from 0.
int step_named(const std::string& wanted, const std::function<void(const StepHook&)>& body) {
  int count = 0, found = -1;
  body([&](const char* name) {
    if (found < 0 && name == wanted) found = count;
    ++count;
  });
  return found;
}

TEST_F(RecoveryTest, WhatPeopleMadeSinceIsNotRemoved) {
  const ScratchFolder example = ScratchFolder::in_memory();
  make_tree(example / "w");
  const int apply = step_named("apply", [&](const StepHook& hook) { commit_in(example, hook); });
  ASSERT_GT(apply, 0);
  // Killed when nothing is renamed yet, but the commit is decided.
  const ScratchFolder folder = ScratchFolder::in_memory();
  make_tree(folder / "w");
  ASSERT_TRUE(dies_after(apply, [&](const StepHook& hook) { commit_in(folder, hook); }));
  put(folder / "w/deleted", "edited since");
  put(folder / "w/modified", "edited since");
  put(folder / "w/gone/deep/mine", "made since");
  put(folder / "w/fresh/mine", "made since");
  put(folder / "w/brand-new", "made since");
  const RecoveryReport report = recover(folder / "state");
  EXPECT_EQ(report.finished, 1);
  EXPECT_EQ(get(folder / "w/deleted"), "edited since");
  EXPECT_EQ(get(folder / "w/modified"), "edited since");
  EXPECT_EQ(get(folder / "w/gone/deep/mine"), "made since");
  EXPECT_EQ(get(folder / "w/fresh/mine"), "made since");
  EXPECT_EQ(get(folder / "w/brand-new"), "made since");
  EXPECT_EQ(get(folder / "w/one/moved"), "old") << "the rest is done";
  // What could not be put in its place is not lost either.
  EXPECT_GE(report.kept.size(), 2U);
  for (const std::string& path : report.kept) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  expect_clean(folder);
}

TEST_F(RecoveryTest, AFolderThatIsAnotherOneNowIsLeftAlone) {
  const ScratchFolder example = ScratchFolder::in_memory();
  make_tree(example / "w");
  const int apply = step_named("apply", [&](const StepHook& hook) { commit_in(example, hook); });
  const ScratchFolder folder = ScratchFolder::in_memory();
  make_tree(folder / "w");
  ASSERT_TRUE(dies_after(apply + 3, [&](const StepHook& hook) { commit_in(folder, hook); }));
  std::filesystem::rename(folder / "w", folder / "away");
  make_tree(folder / "victim");
  const auto victim = snapshot(folder / "victim");
  std::filesystem::create_symlink(folder / "victim", folder / "w");
  EXPECT_EQ(recover(folder / "state").failed.size(), 1U) << "a link in its place";
  std::filesystem::remove(folder / "w");
  std::filesystem::rename(folder / "victim", folder / "w");
  EXPECT_EQ(recover(folder / "state").failed.size(), 1U) << "another folder in its place";
  EXPECT_EQ(snapshot(folder / "w"), victim);
  std::filesystem::rename(folder / "w", folder / "victim");
  std::filesystem::rename(folder / "away", folder / "w");
  EXPECT_EQ(recover(folder / "state").finished, 1) << "finished when it is back";
  EXPECT_EQ(snapshot(folder / "w"), tree_after_commit());
}

TEST_F(RecoveryTest, AChangeDuringTheCommitHasItUndone) {
  // Another process is faster, before each step in turn: it replaces a file that has a new version, or creates one
  // where a new one should go.
  for (const std::string name : {"modified", "brand-new"}) {
    for (int interfere = 0; interfere < 10; ++interfere) {
      SCOPED_TRACE(name + ' ' + std::to_string(interfere));
      const ScratchFolder folder = ScratchFolder::in_memory();
      make_tree(folder / "w");
      int applied = 0;
      bool interfered = false;
      const StepHook hook = [&](const char* step) {
        if (step != std::string("apply") || applied++ != interfere) return;
        interfered = get(folder / ("w/" + name)) != "new";
        std::filesystem::remove(folder / ("w/" + name));
        put(folder / ("w/" + name), "theirs");
      };
      auto overlay = open_overlay({{"."}, {"."}, folder / "w"}, {}, {.state_folder = folder / "state", .hook = hook});
      ASSERT_TRUE(overlay);
      change_tree(**overlay);
      const auto committed = (*overlay)->commit();
      if (!interfered) continue;  // it was in place already
      ASSERT_FALSE(committed);
      EXPECT_EQ(committed.failure().kind, CommitError::Kind::kConflict);
      EXPECT_EQ(committed.failure().path, folder / ("w/" + name));
      EXPECT_EQ(get(folder / ("w/" + name)), "theirs");
      auto after = snapshot(folder / "w");
      const ScratchFolder untouched = ScratchFolder::in_memory();
      make_tree(untouched / "w");
      auto expected = snapshot(untouched / "w");
      after.erase('/' + name);
      expected.erase('/' + name);
      EXPECT_EQ(after, expected);
    }
  }
}

TEST_F(RecoveryTest, OneThatMustNotGoOnLeavesNothing) {
  const auto whole = tree_after_commit();
  int renames = 0;
  for (int allowed = 0;; ++allowed) {
    SCOPED_TRACE(allowed);
    const ScratchFolder folder = ScratchFolder::in_memory();
    make_tree(folder / "w");
    const auto before = snapshot(folder / "w");
    auto overlay = open_overlay({{"."}, {"."}, folder / "w"}, {}, {.state_folder = folder / "state"});
    ASSERT_TRUE(overlay);
    change_tree(**overlay);
    int asked = 0;
    const auto committed = (*overlay)->commit([&] { return asked++ < allowed; });
    if (committed) {
      EXPECT_EQ(snapshot(folder / "w"), whole);
      renames = allowed - 1;
      break;
    }
    EXPECT_EQ(committed.failure().kind, CommitError::Kind::kStopped);
    EXPECT_EQ(asked, allowed + 1) << "asked once more after a no";
    EXPECT_EQ(snapshot(folder / "w"), before);
    (*overlay)->drop();
    expect_clean(folder);
  }
  EXPECT_GT(renames, 6);
}

TEST_F(RecoveryTest, KilledWhileItIsUndone) {
  for (int steps = 0;; ++steps) {
    SCOPED_TRACE(steps);
    const ScratchFolder folder = ScratchFolder::in_memory();
    make_tree(folder / "w");
    const bool died = dies_after(steps, [&](const StepHook& kill) {
      int applied = 0;
      bool undoing = false;
      const StepHook hook = [&](const char* step) {
        if (step == std::string("apply") && applied++ == 6) {
          std::filesystem::remove(folder / "w/modified");
          put(folder / "w/modified", "theirs");
        }
        undoing |= step == std::string("undo");
        if (undoing) kill(step);
      };
      auto overlay = open_overlay({{"."}, {"."}, folder / "w"}, {}, {.state_folder = folder / "state", .hook = hook});
      ASSERT_TRUE(overlay);
      change_tree(**overlay);
      ASSERT_FALSE((*overlay)->commit());
    });
    const RecoveryReport report = recover(folder / "state");
    EXPECT_TRUE(report.failed.empty());
    expect_clean(folder);
    EXPECT_EQ(get(folder / "w/modified"), "theirs");
    auto after = snapshot(folder / "w");
    // If it was killed before it began to undo, it continues, and keeps what does not fit.
    if (!report.kept.empty()) {
      EXPECT_EQ(get(folder / "w/one/moved"), "old");
    } else {
      const ScratchFolder untouched = ScratchFolder::in_memory();
      make_tree(untouched / "w");
      auto expected = snapshot(untouched / "w");
      after.erase("/modified");
      expected.erase("/modified");
      EXPECT_EQ(after, expected);
    }
    if (!died) break;
  }
}

}  // namespace
}  // namespace glovebox::vfs
