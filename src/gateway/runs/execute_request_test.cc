#include "gateway/runs/execute_request.h"

#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

SandboxConfig owners() {
  SandboxConfig config;
  config.timeout = std::chrono::seconds(10);
  config.memory_bytes = std::size_t{100} << 20;
  config.allow_read = {"/srv/data"};
  config.allow_net = {"api.example.com"};
  return config;
}

Result<ExecuteRequest> read_request(const char* json) {
  return read_execute_request(mcp::json::parse(json).as_object(), owners());
}

TEST(ExecuteRequest, HasWhatTheOwnerGivesUnlessAsked) {
  const auto request = read_request(R"({"code":"1","context":{"a":[1]},"intent":"to see","tools":["files:read_*"]})");
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request.value().code, "1");
  EXPECT_EQ(request.value().context_json, R"({"a":[1]})");
  EXPECT_EQ(request.value().intent, "to see");
  EXPECT_EQ(request.value().tools, std::vector<std::string>{"files:read_*"});
  EXPECT_EQ(request.value().config.timeout, owners().timeout);
  EXPECT_EQ(request.value().config.allow_read, owners().allow_read);
}

TEST(ExecuteRequest, LowersLimitsAndNeverRaisesThem) {
  const auto lower = read_request(R"({"code":"1","sandbox_config":{"timeoutMs":500,"memoryMB":32}})");
  ASSERT_TRUE(lower.ok());
  EXPECT_EQ(lower.value().config.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(lower.value().config.memory_bytes, std::size_t{32} << 20);
  const auto higher = read_request(R"({"code":"1","sandbox_config":{"timeoutMs":500000,"memoryMB":3200}})");
  ASSERT_TRUE(higher.ok());
  EXPECT_EQ(higher.value().config.timeout, owners().timeout);
  EXPECT_EQ(higher.value().config.memory_bytes, owners().memory_bytes);
}

TEST(ExecuteRequest, SaysWhichLimitsItDoesNotRaise) {
  const auto notes = [](const std::string& asked, const std::string& more = "") {
    const auto request = read_request((R"({"code":"1","sandbox_config":)" + asked + more + "}").c_str());
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

TEST(ExecuteRequest, GrantsNothingThatTheOwnerDoesNot) {
  const auto narrower = read_request(R"({"code":"1","sandbox_config":{"allowRead":["/srv/data/2026"],"allowNet":[]}})");
  ASSERT_TRUE(narrower.ok());
  EXPECT_EQ(narrower.value().config.allow_read, owners().allow_read) << "what is asked for is no grant";
  EXPECT_EQ(narrower.value().config.only_read, std::vector<std::string>{"/srv/data/2026"});
  EXPECT_TRUE(narrower.value().config.allow_net.empty());
  for (const char* asked :
       {R"({"allowRead":["/etc"]})", R"({"allowRead":["/srv"]})", R"({"allowRead":["/srv/data/../../etc"]})",
        R"({"allowRead":["/srv/database"]})", R"({"allowWrite":["/srv/data"]})", R"({"allowNet":["*.example.com"]})",
        R"({"allowEnv":["HOME"]})", R"({"allowRun":["sh"]})", R"({"allowNetPrivate":true})"}) {
    EXPECT_FALSE(read_request((std::string(R"({"code":"1","sandbox_config":)") + asked + "}").c_str()).ok()) << asked;
  }
}

TEST(ExecuteRequest, WhatIsAskedForIsAFilterAndNoGrant) {
  const auto relative =
      read_request(R"({"code":"1","sandbox_config":{"allowRead":["/srv/data/a/../b/","/srv/data"]}})");
  ASSERT_TRUE(relative.ok());
  EXPECT_EQ(relative->config.only_read, (std::vector<std::string>{"/srv/data/b", "/srv/data"}));
  EXPECT_FALSE(relative->config.only_write);
  const auto nothing = read_request(R"({"code":"1","sandbox_config":{"allowRead":[]}})");
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->config.allow_read.empty());
  EXPECT_EQ(nothing->config.only_read, std::vector<std::string>());
}

TEST(ExecuteRequest, SaysWhatIsWrong) {
  const auto key = read_request(R"({"code":"1","sandbox_config":{"timeotMs":5}})");
  ASSERT_FALSE(key.ok());
  EXPECT_NE(key.failure().message.find("timeoutMs"), std::string::npos) << key.failure().message;
  const auto language = read_request(R"({"code":"1","language":"cobol"})");
  ASSERT_FALSE(language.ok());
  EXPECT_NE(language.failure().message.find("typescript"), std::string::npos);
}

TEST(ExecuteRequest, IsForCodeOrForAnIntent) {
  EXPECT_TRUE(read_request(R"({"intent":"send a letter"})").ok());
  EXPECT_EQ(read_request(R"({"code":" \n"})").failure().message, "the code is empty: there is nothing to run");
  EXPECT_EQ(read_request(R"({"code":"1","language":"Python3"})")->language, Language::kPython);
  EXPECT_EQ(read_request(R"({"code":"1","language":"TypeScript"})")->language, Language::kTypeScript);
  ASSERT_FALSE(read_request("{}").ok());
  EXPECT_NE(read_request("{}").failure().message.find("give the code"), std::string::npos);
  EXPECT_FALSE(read_request(R"({"intent":""})").ok());
}

TEST(ExecuteRequest, NamesItsCheckOrHasTheOwners) {
  EXPECT_EQ(read_request(R"({"code":"1"})")->check, CheckMode::kTools);
  EXPECT_EQ(read_request(R"({"code":"1","check":"warn"})")->check, CheckMode::kWarn);
  EXPECT_FALSE(read_request(R"({"code":"1","check":"perhaps"})").ok());
  EXPECT_EQ(read_request(R"({"code":"1","check":"off"})")->check, CheckMode::kOff);
  const auto with = [](CheckMode owners_check, const char* asked) {
    const mcp::json::object arguments = {{"code", "1"}, {"check", asked}};
    return read_execute_request(arguments, owners(), owners_check)->check;
  };
  EXPECT_EQ(with(CheckMode::kStrict, "off"), CheckMode::kStrict);
  EXPECT_EQ(with(CheckMode::kTools, "warn"), CheckMode::kTools);
  EXPECT_EQ(with(CheckMode::kWarn, "strict"), CheckMode::kStrict);
  EXPECT_EQ(read_execute_request({{"code", "1"}}, owners(), CheckMode::kStrict)->check, CheckMode::kStrict);
}

class NewRunTest : public ServicesTest {
 protected:
  NewRunTest() { services_->owner = "gw"; }
};

TEST_F(NewRunTest, ChoosesWhatALaterAttemptMustHaveAgain) {
  ExecuteRequest request;
  request.code = "1";
  const auto one = new_run(request, *services_);
  const auto other = new_run(request, *services_);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE(one->record.id, other->record.id);
  EXPECT_FALSE(one->record.seed.empty());
  EXPECT_NE(one->record.seed, other->record.seed);
  EXPECT_EQ(one->record.now, services_->now());
  EXPECT_EQ(one->record.owner, "gw");
  EXPECT_EQ(one->record.session, "gw");

  request.id = "run_x";
  request.session = "s";
  request.seed = "7";
  request.now_ms = 3;
  const auto given = new_run(request, *services_);
  EXPECT_EQ(given->record.id, "run_x");
  EXPECT_EQ(given->record.session, "s");
  EXPECT_EQ(given->record.seed, "7");
  EXPECT_EQ(given->record.now, 3);
}

TEST_F(NewRunTest, TheOwnersLimitOfCallsIsNotRaised) {
  services_->calls_per_run = 5;
  ExecuteRequest request;
  request.config.max_tool_calls = 100;
  EXPECT_EQ(new_run(request, *services_)->settings.config.max_tool_calls, 5u);
  request.config.max_tool_calls = 2;
  EXPECT_EQ(new_run(request, *services_)->settings.config.max_tool_calls, 2u);
}

TEST_F(NewRunTest, TheRecordHoldsTheSettings) {
  ExecuteRequest request;
  request.tools = {"fs:read"};
  request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  request.careful = true;
  const auto made = new_run(request, *services_);
  ASSERT_TRUE(made.ok());
  const auto again = run_settings_of(made->record.config);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->tools, request.tools);
  EXPECT_EQ(again->traceparent, request.traceparent);
  EXPECT_TRUE(again->careful);
}

TEST_F(NewRunTest, WhatCannotBeReadIsRefusedOrLeftOut) {
  ExecuteRequest request;
  request.traceparent = "not one";
  EXPECT_EQ(new_run(request, *services_)->settings.traceparent, "");
  request.tools = {"fs:read(("};
  EXPECT_FALSE(new_run(request, *services_).ok());
}

}  // namespace
}  // namespace glovebox::gateway
