#include "catalog/call/call_time.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

using std::chrono::milliseconds;

std::string time_text(const config::ServerSpec& server, const CallOptions& options) {
  const CallTime time = call_time(server, options);
  return std::to_string(time.limit.count()) + " " + time.key;
}

TEST(CallTime, IsThatOfTheServerWhereItsConfigSaysSo) {
  config::ServerSpec server;
  server.name = "gh";
  EXPECT_EQ(time_text(server, {}), "30000 mcpServers.gh.callTimeoutMs");
  CallOptions of_a_run;
  of_a_run.usual_timeout = milliseconds(7);
  EXPECT_EQ(time_text(server, of_a_run), "7 sandbox.rpcTimeoutMs or mcpServers.gh.callTimeoutMs");
  for (const int own : {5, 9}) {
    server.call_timeout = milliseconds(own);
    EXPECT_EQ(time_text(server, of_a_run), std::to_string(own) + " mcpServers.gh.callTimeoutMs");
  }
  server.declared = "git hub";
  EXPECT_EQ(time_text(server, of_a_run), "9 mcpServers.git hub.callTimeoutMs");
  server.classes = true;
  EXPECT_EQ(time_text(server, of_a_run), "9 skills.callTimeoutMs");
}

TEST(CallTime, ARunMayAskForLessAndNotForMore) {
  config::ServerSpec server;
  server.name = "gh";
  server.call_timeout = milliseconds(50);
  CallOptions asked;
  asked.at_most = milliseconds(20);
  EXPECT_EQ(time_text(server, asked), "20 rpcTimeoutMs that the run asked for");
  asked.at_most = milliseconds(80);
  EXPECT_EQ(time_text(server, asked), "50 mcpServers.gh.callTimeoutMs");
}

TEST(CallTime, WhatTheOwnerTypedCounts) {
  config::ServerSpec server;
  server.call_timeout = milliseconds(50);
  EXPECT_EQ(time_text(server, {.timeout = milliseconds(80)}), "80 ");
}

}  // namespace
}  // namespace glovebox::catalog
