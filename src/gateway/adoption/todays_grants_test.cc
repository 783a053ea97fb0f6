#include "gateway/adoption/todays_grants.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

using Names = std::vector<std::string>;

RunSettings generous() {
  RunSettings run;
  run.sandbox.allow_read = run.sandbox.allow_write = {"/srv"};
  run.sandbox.allow_net = {"example.com"};
  run.sandbox.allow_env = {"SECRET"};
  run.sandbox.allow_run = {"/bin/sh"};
  run.sandbox.allow_net_private = true;
  run.sandbox.timeout = std::chrono::hours(1);
  run.sandbox.memory_bytes = std::size_t{4} << 30;
  run.sandbox.max_tool_calls = 100'000;
  run.sandbox.python_blocked_imports = {};
  run.sandbox.python_wheels = "/wheels";
  return run;
}

TEST(TodaysGrants, WhatIsNotGrantedTodayIsGone) {
  const SandboxConfig today;
  const SandboxConfig given = within_today(generous(), today);
  for (const Names* grants :
       {&given.allow_read, &given.allow_write, &given.allow_net, &given.allow_env, &given.allow_run})
    EXPECT_EQ(*grants, Names());
  EXPECT_FALSE(given.allow_net_private);
  EXPECT_EQ(given.timeout, today.timeout);
  EXPECT_EQ(given.most_time(), today.most_time());
  EXPECT_EQ(given.memory_bytes, today.memory_bytes);
  EXPECT_EQ(given.max_tool_calls, today.max_tool_calls);
  EXPECT_EQ(given.python_blocked_imports, today.python_blocked_imports);
  EXPECT_EQ(given.python_wheels, "");
}

TEST(TodaysGrants, WhatIsGrantedStillIsKept) {
  RunSettings run = generous();
  const SandboxConfig given = within_today(run, run.sandbox);
  EXPECT_EQ(given.allow_read, Names({"/srv"}));
  EXPECT_EQ(given.allow_run, Names({"/bin/sh"}));
  EXPECT_EQ(given.allow_env, Names({"SECRET"}));
  EXPECT_EQ(given.timeout, std::chrono::hours(1));
  EXPECT_EQ(given.python_wheels, "/wheels");
}

TEST(TodaysGrants, APathOfTheRunFiltersTodaysGrantsAndIsNone) {
  RunSettings run = generous();
  SandboxConfig today = run.sandbox;
  today.allow_read = {"/srv/data", "/other"};
  today.allow_write = {"/"};
  const SandboxConfig given = within_today(run, today);
  EXPECT_EQ(given.allow_read, today.allow_read);
  EXPECT_EQ(given.only_read, Names({"/srv"}));
  EXPECT_EQ(given.allow_write, today.allow_write);
  EXPECT_EQ(given.only_write, Names({"/srv"}));
}

TEST(TodaysGrants, WhatTheRunAskedForStaysAFilter) {
  RunSettings run = generous();
  run.sandbox.only_read = {"/srv/a", "/elsewhere", "/"};
  run.sandbox.only_write = Names();
  SandboxConfig today = run.sandbox;
  EXPECT_EQ(within_today(run, today).only_read, run.sandbox.only_read) << "the grants are the same";
  today.allow_read = today.allow_write = {"/"};
  const SandboxConfig given = within_today(run, today);
  EXPECT_EQ(given.only_read, Names({"/srv/a", "/srv"}));
  EXPECT_EQ(given.allow_write, Names()) << "it asked for nothing";
}

TEST(TodaysGrants, WritesGoToTheOverlayWhereTodayTheyDo) {
  RunSettings run;
  SandboxConfig today;
  today.file_mode = FileMode::kOverlay;
  EXPECT_EQ(within_today(run, today).file_mode, FileMode::kOverlay);
  run.sandbox.file_mode = FileMode::kOverlay;
  today.file_mode = FileMode::kDirect;
  EXPECT_EQ(within_today(run, today).file_mode, FileMode::kOverlay);
}

TEST(TodaysGrants, TimesOfCapabilitiesAndWorkflowsAreTheirOwn) {
  RunSettings run = generous();
  run.chain = {"acme.tools.math.add.a7f3"};
  EXPECT_EQ(within_today(run, {}).timeout, std::chrono::hours(1));
  EXPECT_EQ(within_today(run, {}).allow_run, Names());
}

}  // namespace
}  // namespace glovebox::gateway
