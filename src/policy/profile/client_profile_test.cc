#include "policy/profile/client_profile.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::policy {
namespace {

namespace json = boost::json;

TEST(ClientProfile, IsTheSameAfterItWasWritten) {
  ClientProfile all{.tools = {{"fs", "gh:get_*"}}, .ask = {"fs:write"}, .deny = {"fs:remove(path=/etc/**)"}};
  all.timeout = std::chrono::milliseconds(5);
  all.memory_bytes = 6;
  all.calls = 7;
  all.runs = 8;
  all.scope = "read";
  EXPECT_EQ(client_profile_of(to_json(all)).value(), all);
  EXPECT_TRUE(all.narrows());
  EXPECT_FALSE(client_profile_of(to_json({})).value().narrows());
  // No tools at all is not the same as no such list.
  const ClientProfile none{.tools = std::vector<std::string>()};
  EXPECT_EQ(client_profile_of(to_json(none)).value(), none);
  EXPECT_TRUE(none.narrows());
}

TEST(ClientProfile, AListIsOneOfTools) {
  EXPECT_EQ(client_profile_of(json::parse(R"(["fs"])")).value(), ClientProfile{.tools = {{"fs"}}});
}

TEST(ClientProfile, WhatIsNotUnderstoodIsNoProfile) {
  for (const char* text :
       {"null", "1", R"({"tool":["fs"]})", R"({"tools":"fs"})", R"({"tools":[1]})", R"({"deny":{}})", R"({"runs":0})",
        R"({"runs":-1})", R"({"runs":1.5})", R"({"timeoutMs":"5"})", R"({"scope":1})"}) {
    EXPECT_FALSE(client_profile_of(json::parse(text)).ok()) << text;
  }
}

TEST(ClientProfile, ItsRulesAllowAllButWhatTheyName) {
  const ClientProfile profile{.ask = {"fs:write"}, .deny = {"fs:write(path=/etc/**)", "gh"}};
  const auto rules = rules_of(profile, "/ws");
  ASSERT_TRUE(rules.ok());
  const auto verdict = [&](const char* server, const char* tool, const char* arguments = "{}") {
    return rules->decide(server, tool, arguments).verdict;
  };
  EXPECT_EQ(verdict("fs", "read"), Verdict::kAllow);
  EXPECT_EQ(verdict("fs", "write", R"({"path":"/ws/a"})"), Verdict::kAsk);
  EXPECT_EQ(verdict("fs", "write", R"({"path":"/etc/a"})"), Verdict::kDeny);
  EXPECT_EQ(verdict("gh", "list"), Verdict::kDeny);
  EXPECT_FALSE(rules_of({.ask = {"fs:write(("}}, "/ws").ok());
}

}  // namespace
}  // namespace glovebox::policy
