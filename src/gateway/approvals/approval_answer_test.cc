#include "gateway/approvals/approval_answer.h"
#include "base/digest.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace glovebox::gateway {
namespace {

class ApprovalAnswerTest : public testing::Test {
 protected:
  ApprovalAnswerTest() {
    char name[] = "/tmp/glovebox-answer-XXXXXX";
    root_ = ::mkdtemp(name);
    store_ = std::move(store::Store::open(root_ + "/.glovebox", store::RowKey{})).value();
    store::RunRecord run;
    run.id = "r";
    run.owner = "g";
    run.session = "s";
    EXPECT_TRUE(store_->add_run(run).ok());
    add("a", R"j({"groups":[{"count":2,"rule":"fs:write(only path=./out/**)"}]})j");
    add("none", R"({"groups":[{"count":2,"rule":null}]})");
  }
  ~ApprovalAnswerTest() override { std::filesystem::remove_all(root_); }
  void add(const std::string& id, const std::string& request) {
    store::ApprovalRecord approval{id, "r", 0, "tool_calls", request, {}, {}};
    approval.calls.push_back({1, "fs", "write", R"({"path":"./out/x"})", "h", std::nullopt, ""});
    approval.calls.push_back({2, "fs", "write", R"({"path":"./out/a/x"})", "h", std::nullopt, ""});
    EXPECT_TRUE(store_->add_approval(approval).ok());
  }
  Result<AnswerReceipt> give(ApprovalAnswer answer) {
    answer.approval = answer.approval.empty() ? "a" : answer.approval;
    answer.approved = true;
    return give_answer(*store_, answer, "/ws", 5);
  }

  std::string root_;
  std::unique_ptr<store::Store> store_;
};

TEST_F(ApprovalAnswerTest, RemembersTheRuleOnTheRequest) {
  const auto given = give({.scope = store::Scope::kSession, .rules = {}, .who = "me", .channel = "cli"});
  ASSERT_TRUE(given.ok()) << given.failure().message;
  EXPECT_EQ(given.value().rules, std::vector<std::string>{"fs:write(only path=./out/**)"});
  EXPECT_EQ(given.value().owner, "g");
  EXPECT_EQ(store_->rules_for("other", "s").value().size(), 1u);
}

TEST_F(ApprovalAnswerTest, WhatTheRequestHasNoRuleForIsApprovedOnceOrNotAtAll) {
  const auto given = give({.approval = "none", .scope = store::Scope::kRun});
  ASSERT_FALSE(given.ok());
  EXPECT_NE(given.failure().message.find("approve them once"), std::string::npos);
  EXPECT_FALSE(store_->find_approval("none").value()->calls[1].approved);
  EXPECT_TRUE(give({.approval = "none"}).ok());
  // Nor does the rule for all of them apply to some of them.
  EXPECT_FALSE(give({.calls = {1}, .scope = store::Scope::kRun}).ok());
  EXPECT_TRUE(give({.calls = {1}}).ok());
  EXPECT_FALSE(give({.scope = store::Scope::kRun}).ok());
}

TEST_F(ApprovalAnswerTest, IsForTheRequestThatWasShown) {
  const std::string shown = base::sha256_hex(store_->find_approval("a").value()->card);
  EXPECT_EQ(give({.shown = base::sha256_hex("another")}).failure().code, ErrorCode::kConflict);
  EXPECT_FALSE(store_->find_approval("a").value()->calls[0].approved);
  EXPECT_TRUE(give({.shown = shown}).ok());
}

TEST_F(ApprovalAnswerTest, ARuleOfOnesOwnMustFit) {
  EXPECT_FALSE(give({.calls = {1}, .scope = store::Scope::kRun, .rules = {"gh"}}).ok());
  EXPECT_FALSE(give({.calls = {1}, .scope = store::Scope::kRun, .rules = {"fs:write(path=./elsewhere/**)"}}).ok());
  EXPECT_FALSE(give({.calls = {1}, .scope = store::Scope::kRun, .rules = {"fs:("}}).ok());
  EXPECT_TRUE(give({.calls = {1}, .scope = store::Scope::kRun, .rules = {"fs:wr*"}}).ok());
}

TEST_F(ApprovalAnswerTest, SaysWhatIsNotThere) {
  EXPECT_EQ(give({.approval = "b"}).failure().code, ErrorCode::kNotFound);
  EXPECT_TRUE(give({}).ok());
  EXPECT_EQ(give({}).failure().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace glovebox::gateway
