#include "vfs/commit/commit_plan.h"

#include <gtest/gtest.h>

namespace glovebox::vfs {
namespace {

CommitPlan example() {
  CommitPlan plan;
  plan.roots = {{"/w", {1, 2}}, {"/a b/\xFF%", {3, -4}}};
  plan.stages = {{0, ".glovebox-stage-1"}, {1, "deep/.glovebox-stage-1"}};
  plan.steps.push_back({.kind = PlanStep::Kind::kMove,
                        .from = {0, "x\ny"},
                        .to = {0, ".glovebox-stage-1/o0"},
                        .what = {5, 6},
                        .content = Content{7, 8}});
  plan.steps.push_back({.kind = PlanStep::Kind::kExchange,
                        .from = {0, ".glovebox-stage-1/n0"},
                        .to = {1, "f"},
                        .what = {9, 10},
                        .replaced = {11, 12},
                        .content = Content{13, 14}});
  plan.steps.push_back({.from = {1, "d"}, .to = {1, "e"}, .what = {15, 16}, .folder_print = 17});
  plan.steps.push_back({.from = {1, "g"}, .to = {1, "h"}, .what = {18, 19}});
  return plan;
}

TEST(CommitPlan, IsReadAsItWasWritten) {
  const std::string text = encode_plan(example());
  auto plan = decode_plan(text);
  ASSERT_TRUE(plan) << plan.failure().message;
  EXPECT_EQ(encode_plan(*plan), text);
  EXPECT_EQ(plan->roots[1].path, "/a b/\xFF%");
  EXPECT_EQ(plan->steps[0].from.path, "x\ny");
  EXPECT_EQ(plan->steps[1].replaced.inode, 11U);
  EXPECT_EQ(plan->steps[2].folder_print, 17U);
  EXPECT_FALSE(plan->steps[3].content || plan->steps[3].folder_print);
}

TEST(CommitPlan, CutAnywhereItIsNotAPlan) {
  const std::string text = encode_plan(example());
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(decode_plan(std::string_view(text).substr(0, length))) << length;
  }
}

TEST(CommitPlan, NeverLeavesItsRoots) {
  const char* lines[] = {
      "move 0 ../x 0 y 1 2 any",
      "move 0 x 0 a/../../y 1 2 any",
      "move 0 /x 0 y 1 2 any",
      "move 1 x 0 y 1 2 any",
      "move 0 x 0 y 1 any",
      "move 0 x 0 . 1 2 any",
      "stage 0 data",
      "stage 0 ../.glovebox-stage-1",
      "move 0 x 0 a%00b 1 2 any",
      "move 0 x 0 y 1 2 any more",
      "delete 0 x",
      "move 0 x 0 y 1 2 file 1",
      "root relative 1 2",
      "move 0 x%2 0 y 1 2 any",
  };
  for (const std::string line : lines) {
    const std::string steps = line.starts_with("move") ? "1" : "0";
    EXPECT_FALSE(decode_plan("glovebox-plan 1\nroot /w 1 2\n" + line + "\nend " + steps + "\n")) << line;
  }
  EXPECT_TRUE(decode_plan("glovebox-plan 1\nroot /w 1 2\nmove 0 x 0 y 1 2 any\nend 1\n"));
}

}  // namespace
}  // namespace glovebox::vfs
