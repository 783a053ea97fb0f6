#include "gateway/approvals/approval_answer.h"
#include "gateway/services_fixture.h"
#include "gateway/tool_call/checklist.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;

class RunRulesTest : public ServicesTest {
 protected:
  RunRulesTest() {
    services_->rules = std::move(policy::ToolRules::parse({{"fs:read"}, {"fs:write"}, {"fs:remove"}}, "/ws")).value();
  }
  Verdict verdict(const RunRules& rules, const std::string& tool, const std::string& target = "./out/new") {
    return rules.decide("fs", tool, path(target)).verdict;
  }
  // As the checklist does when a call is to be asked about.
  void read(RunRules& rules) {
    const auto run = std::make_shared<bool>(false);
    rules.read(run, [run] { *run = true; });
    while (!*run) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(10));
    }
  }
};

TEST_F(RunRulesTest, WhatTheRunWasAskedToUseOnlyNarrowsTheConfig) {
  RunSettings settings;
  const RunRules all(services_, record_, settings);
  EXPECT_EQ(verdict(all, "read"), Verdict::kAllow);
  EXPECT_EQ(verdict(all, "write"), Verdict::kAsk);
  EXPECT_EQ(verdict(all, "remove"), Verdict::kDeny);

  RunSettings few;
  few.tools = {"fs:write", "fs:remove"};
  const RunRules narrowed(services_, record_, few);
  EXPECT_EQ(verdict(narrowed, "read"), Verdict::kDeny);
  EXPECT_EQ(narrowed.decide("fs", "read", "{}").origin, "request");
  EXPECT_EQ(narrowed.decide("fs", "read", "{}").rule, "only fs:write, fs:remove, as the request says");
  EXPECT_EQ(verdict(narrowed, "write"), Verdict::kAsk);
  EXPECT_EQ(verdict(narrowed, "remove"), Verdict::kDeny);

  // An empty list is not the same as no list; a pattern that cannot be parsed allows nothing.
  RunSettings none;
  none.tools.emplace();
  EXPECT_EQ(verdict(RunRules(services_, record_, none), "read"), Verdict::kDeny);
  none.tools = {"fs:read(("};
  EXPECT_EQ(verdict(RunRules(services_, record_, none), "read"), Verdict::kDeny);
}

TEST_F(RunRulesTest, WhatACapabilityDeclaresNarrowsWhatItsCallerWasAskedToUse) {
  RunSettings both;
  both.tools = {"fs:read", "fs:write"};
  both.declared = {"fs:write", "fs:list"};
  const RunRules rules(services_, record_, both);
  EXPECT_EQ(verdict(rules, "read"), Verdict::kDeny);
  EXPECT_EQ(verdict(rules, "list"), Verdict::kDeny);
  EXPECT_EQ(rules.decide("fs", "read", "{}").rule, "only fs:write, fs:list, as the capability says");
  EXPECT_EQ(verdict(rules, "write"), Verdict::kAsk);
}

TEST_F(RunRulesTest, WhatTheClientsTokenIsForOnlyNarrowsTheConfig) {
  RunSettings settings;
  settings.tools = {"fs"};
  settings.profile = policy::ClientProfile{.tools = {{"fs:write", "fs:remove", "other"}}};
  const RunRules rules(services_, record_, settings);
  EXPECT_EQ(verdict(rules, "read"), Verdict::kDeny);
  EXPECT_EQ(verdict(rules, "write"), Verdict::kAsk);
  EXPECT_EQ(verdict(rules, "remove"), Verdict::kDeny);
}

TEST_F(RunRulesTest, TheRulesOfATokenOnlyNarrowTheConfig) {
  RunSettings settings;
  settings.profile = policy::ClientProfile{.ask = {"fs:read", "fs:remove"}, .deny = {"fs:write"}};
  const RunRules rules(services_, record_, settings);
  EXPECT_EQ(verdict(rules, "read"), Verdict::kAsk) << "the config allows it";
  EXPECT_EQ(rules.decide("fs", "read", "{}").origin, "the client's token");
  EXPECT_EQ(verdict(rules, "write"), Verdict::kDeny) << "the config asks";
  EXPECT_EQ(verdict(rules, "remove"), Verdict::kDeny) << "the config denies";
  settings.profile = policy::ClientProfile{.deny = {"fs:write(("}};
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "read"), Verdict::kDeny) << "it cannot be read";
}

TEST_F(RunRulesTest, AScopeHasNoMoreThanTheConfigSaysOfItToday) {
  RunSettings settings;
  settings.profile = policy::ClientProfile{.tools = {{"fs:read", "fs:write"}}, .scope = "work"};
  policy::ClientProfile today = *settings.profile;
  services_->todays_profile = [&](const std::string& scope) {
    EXPECT_EQ(scope, "work");
    return today;
  };
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "read"), Verdict::kAllow);
  today.ask = {"fs:read"};
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "read"), Verdict::kAsk);
  today.tools = {{"fs:write", "fs:remove"}};
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "read"), Verdict::kDeny);
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "write"), Verdict::kAsk);
  today = {};
  EXPECT_EQ(verdict(RunRules(services_, record_, settings), "list"), Verdict::kDeny) << "nor more than it had";
}

// One that comes when the answer is there must not overtake one that waits for it: people see calls in their order.
TEST_F(RunRulesTest, CallsThatWaitForTheRulesGoOnTogetherAndInOrder) {
  const RunSettings settings;
  RunRules rules(services_, record_, settings);
  const auto run = std::make_shared<bool>();
  std::vector<int> order;
  for (const int call : {1, 2, 3}) rules.read(run, [&order, call] { order.push_back(call); });
  while (order.empty()) {
    io_.restart();
    io_.run_one_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(order, (std::vector{1, 2, 3}));
  EXPECT_TRUE(rules.are_read());
}

TEST_F(RunRulesTest, NoYesIsRememberedForOurOwnFiles) {
  const RunSettings settings;
  RunRules rules(services_, record_, settings);
  services_->rules.set_own({"/ws", {"/ws/skills"}});
  ask("a", {call_of(1, "./x"), call_of(2, "./y")});
  ApprovalAnswer yes{.approval = "a",
                     .calls = {},
                     .approved = true,
                     .reason = "",
                     .rules = {"fs:write(path=./**)"},
                     .who = "",
                     .channel = ""};
  yes.scope = store::Scope::kSession;
  ASSERT_TRUE(give_answer(*store_, yes, "/ws", 5).ok());
  read(rules);
  EXPECT_EQ(verdict(rules, "write", "./z"), Verdict::kAllow);
  EXPECT_EQ(verdict(rules, "write", "./glovebox.json"), Verdict::kAsk);
  EXPECT_EQ(verdict(rules, "write", "./skills/new.py"), Verdict::kAsk);
}

TEST_F(RunRulesTest, AYesIsRememberedForWhatIsLikeItAndNeverAgainstANo) {
  const RunSettings settings;
  RunRules rules(services_, record_, settings);
  read(rules);
  EXPECT_EQ(verdict(rules, "write"), Verdict::kAsk);
  ask("a", {call_of(1, "./out/x"), call_of(2, "./out/y")});
  ApprovalAnswer yes{
      .approval = "a", .calls = {}, .approved = true, .reason = "", .rules = {}, .who = "", .channel = ""};
  yes.scope = store::Scope::kSession;
  yes.rules = {"fs:write(only path=./out/**)"};
  ASSERT_TRUE(give_answer(*store_, yes, "/ws", 5).ok());
  EXPECT_TRUE(rules.are_read()) << "until forget()";
  EXPECT_EQ(verdict(rules, "write"), Verdict::kAsk);
  rules.forget();
  EXPECT_FALSE(rules.are_read());
  read(rules);
  EXPECT_EQ(verdict(rules, "write"), Verdict::kAllow);
  EXPECT_EQ(verdict(rules, "write", "./other"), Verdict::kAsk);

  services_->rules = std::move(policy::ToolRules::parse({{}, {}, {"fs:write"}}, "/ws")).value();
  EXPECT_EQ(verdict(rules, "write"), Verdict::kDeny);

  store::RunRecord stranger = record_;
  stranger.id = "r2";
  stranger.session = "another";
  services_->rules = {};
  RunRules others(services_, stranger, settings);
  read(others);
  EXPECT_EQ(verdict(others, "write"), Verdict::kAsk);
}

// An answer may come while they are being read.
TEST_F(RunRulesTest, WhatWasReadBeforeItWasForgottenDoesNotCount) {
  const RunSettings settings;
  RunRules rules(services_, record_, settings);
  bool is_read = false;
  const auto run = std::make_shared<bool>();
  rules.read(run, [&] { is_read = true; });
  rules.forget();
  while (!is_read) {
    io_.restart();
    io_.run_one_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(rules.are_read());
  read(rules);
  EXPECT_TRUE(rules.are_read());
}

}  // namespace
}  // namespace glovebox::gateway
