#include "gateway/adoption/todays_grants.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

using Names = std::vector<std::string>;

RunSettings generous() {
  RunSettings run;
  run.config.allow_read = run.config.allow_write = {"/srv"};
  run.config.allow_net = {"example.com"};
  run.config.allow_env = {"SECRET"};
  run.config.allow_run = {"/bin/sh"};
  run.config.allow_net_private = true;
  run.config.timeout = std::chrono::hours(1);
  run.config.memory_bytes = std::size_t{4} << 30;
  run.config.max_tool_calls = 100'000;
  run.config.python_blocked_imports = {};
  run.config.python_wheels = "/wheels";
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
  const SandboxConfig given = within_today(run, run.config);
  EXPECT_EQ(given.allow_read, Names({"/srv"}));
  EXPECT_EQ(given.allow_run, Names({"/bin/sh"}));
  EXPECT_EQ(given.allow_env, Names({"SECRET"}));
  EXPECT_EQ(given.timeout, std::chrono::hours(1));
  EXPECT_EQ(given.python_wheels, "/wheels");
}

TEST(TodaysGrants, APathOfTheRunFiltersTodaysGrantsAndIsNone) {
  RunSettings run = generous();
  SandboxConfig today = run.config;
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
  run.config.only_read = {"/srv/a", "/elsewhere", "/"};
  run.config.only_write = Names();
  SandboxConfig today = run.config;
  EXPECT_EQ(within_today(run, today).only_read, run.config.only_read) << "the grants are the same";
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
  run.config.file_mode = FileMode::kOverlay;
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
