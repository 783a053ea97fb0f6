#include "assembly/run_request.h"

#include <gtest/gtest.h>

namespace glovebox::assembly {
namespace {

SandboxConfig owners() {
  SandboxConfig config;
  config.timeout = std::chrono::seconds(10);
  config.memory_bytes = std::size_t{100} << 20;
  config.allow_read = {"/srv/data"};
  config.allow_net = {"api.example.com"};
  return config;
}

Result<gateway::ExecuteRequest> read(const char* json) {
  return read_execute_request(mcp::json::parse(json).as_object(), owners());
}

TEST(RunRequest, HasWhatTheOwnerGivesUnlessAsked) {
  const auto request = read(R"({"code":"1","context":{"a":[1]},"intent":"to see","tools":["files:read_*"]})");
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request.value().code, "1");
  EXPECT_EQ(request.value().context_json, R"({"a":[1]})");
  EXPECT_EQ(request.value().intent, "to see");
  EXPECT_EQ(request.value().tools, std::vector<std::string>{"files:read_*"});
  EXPECT_EQ(request.value().config.timeout, owners().timeout);
  EXPECT_EQ(request.value().config.allow_read, owners().allow_read);
}

TEST(RunRequest, LowersLimitsAndNeverRaisesThem) {
  const auto lower = read(R"({"code":"1","sandbox_config":{"timeoutMs":500,"memoryMB":32}})");
  ASSERT_TRUE(lower.ok());
  EXPECT_EQ(lower.value().config.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(lower.value().config.memory_bytes, std::size_t{32} << 20);
  const auto higher = read(R"({"code":"1","sandbox_config":{"timeoutMs":500000,"memoryMB":3200}})");
  ASSERT_TRUE(higher.ok());
  EXPECT_EQ(higher.value().config.timeout, owners().timeout);
  EXPECT_EQ(higher.value().config.memory_bytes, owners().memory_bytes);
}

TEST(RunRequest, SaysWhichLimitsItDoesNotRaise) {
  const auto notes = [](const std::string& asked, const std::string& more = "") {
    const auto request = read((R"({"code":"1","sandbox_config":)" + asked + more + "}").c_str());
    EXPECT_TRUE(request.ok()) << asked;
    return request ? request->notes : std::vector<std::string>{request.failure().message};
  };
  using Notes = std::vector<std::string>;
  const std::string why = " applies; only the owner's config can raise it";
  EXPECT_EQ(notes(R"({"timeoutMs":500,"memoryMB":100})"), Notes());
  EXPECT_EQ(notes(R"({"timeoutMs":500000,"memoryMB":3200})"),
            (Notes{"sandbox_config.timeoutMs: 500000 was requested, 10000" + why,
                   "sandbox_config.memoryMB: 3200 was requested, 100" + why}));
  EXPECT_EQ(notes(R"({"heapLimitMB":3200})"), (Notes{"sandbox_config.heapLimitMB: 3200 was requested, 100" + why}));
  EXPECT_EQ(notes(R"({"cpuMs":20000,"maxToolCalls":5000})"),
            (Notes{"sandbox_config.cpuMs: 20000 was requested, 10000" + why,
                   "sandbox_config.maxToolCalls: 5000 was requested, 1000" + why}));
  // Python has limits of its own.
  EXPECT_EQ(notes(R"({"cpuMs":6000})", R"(,"language":"python")"),
            (Notes{"sandbox_config.cpuMs: 6000 was requested, 5000" + why}));
}

TEST(RunRequest, GrantsNothingThatTheOwnerDoesNot) {
  const auto narrower = read(R"({"code":"1","sandbox_config":{"allowRead":["/srv/data/2026"],"allowNet":[]}})");
  ASSERT_TRUE(narrower.ok());
  EXPECT_EQ(narrower.value().config.allow_read, owners().allow_read) << "what is asked for is no grant";
  EXPECT_EQ(narrower.value().config.only_read, std::vector<std::string>{"/srv/data/2026"});
  EXPECT_TRUE(narrower.value().config.allow_net.empty());
  for (const char* asked :
       {R"({"allowRead":["/etc"]})", R"({"allowRead":["/srv"]})", R"({"allowRead":["/srv/data/../../etc"]})",
        R"({"allowRead":["/srv/database"]})", R"({"allowWrite":["/srv/data"]})", R"({"allowNet":["*.example.com"]})",
        R"({"allowEnv":["HOME"]})", R"({"allowRun":["sh"]})", R"({"allowNetPrivate":true})"}) {
    EXPECT_FALSE(read((std::string(R"({"code":"1","sandbox_config":)") + asked + "}").c_str()).ok()) << asked;
  }
}

TEST(RunRequest, WhatIsAskedForIsAFilterAndNoGrant) {
  const auto relative = read(R"({"code":"1","sandbox_config":{"allowRead":["/srv/data/a/../b/","/srv/data"]}})");
  ASSERT_TRUE(relative.ok());
  EXPECT_EQ(relative->config.only_read, (std::vector<std::string>{"/srv/data/b", "/srv/data"}));
  EXPECT_FALSE(relative->config.only_write);
  const auto nothing = read(R"({"code":"1","sandbox_config":{"allowRead":[]}})");
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->config.allow_read.empty());
  EXPECT_EQ(nothing->config.only_read, std::vector<std::string>());
}

TEST(RunRequest, SaysWhatIsWrong) {
  const auto key = read(R"({"code":"1","sandbox_config":{"timeotMs":5}})");
  ASSERT_FALSE(key.ok());
  EXPECT_NE(key.failure().message.find("timeoutMs"), std::string::npos) << key.failure().message;
  const auto language = read(R"({"code":"1","language":"cobol"})");
  ASSERT_FALSE(language.ok());
  EXPECT_NE(language.failure().message.find("typescript"), std::string::npos);
}

TEST(RunRequest, IsForCodeOrForAnIntent) {
  EXPECT_TRUE(read(R"({"intent":"send a letter"})").ok());
  EXPECT_EQ(read(R"({"code":" \n"})").failure().message, "the code is empty: there is nothing to run");
  EXPECT_EQ(read(R"({"code":"1","language":"Python3"})")->language, Language::kPython);
  EXPECT_EQ(read(R"({"code":"1","language":"TypeScript"})")->language, Language::kTypeScript);
  ASSERT_FALSE(read("{}").ok());
  EXPECT_NE(read("{}").failure().message.find("give the code"), std::string::npos);
  EXPECT_FALSE(read(R"({"intent":""})").ok());
}

TEST(RunRequest, NamesItsCheckOrHasTheOwners) {
  EXPECT_EQ(read(R"({"code":"1"})")->check, CheckMode::kTools);
  EXPECT_EQ(read(R"({"code":"1","check":"warn"})")->check, CheckMode::kWarn);
  EXPECT_FALSE(read(R"({"code":"1","check":"perhaps"})").ok());
  EXPECT_EQ(read(R"({"code":"1","check":"off"})")->check, CheckMode::kOff);
  const auto with = [](CheckMode owners_check, const char* asked) {
    const mcp::json::object arguments = {{"code", "1"}, {"check", asked}};
    return read_execute_request(arguments, owners(), owners_check)->check;
  };
  EXPECT_EQ(with(CheckMode::kStrict, "off"), CheckMode::kStrict);
  EXPECT_EQ(with(CheckMode::kTools, "warn"), CheckMode::kTools);
  EXPECT_EQ(with(CheckMode::kWarn, "strict"), CheckMode::kStrict);
  EXPECT_EQ(read_execute_request({{"code", "1"}}, owners(), CheckMode::kStrict)->check, CheckMode::kStrict);
}

}  // namespace
}  // namespace glovebox::assembly
