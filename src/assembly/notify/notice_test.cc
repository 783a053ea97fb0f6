#include "assembly/notify/notice.h"

#include <gtest/gtest.h>

#include "mcp/json/json_tree.h"

namespace glovebox::assembly {
namespace {

store::ApprovalRecord asked() {
  store::ApprovalRecord approval{"ap_1", "run_1", 1'700'000'000'000, "tool_calls", R"({"intent":"secret words"})",
                                 {},     {}};
  approval.calls.push_back({1, "mail", "send", R"({"to":"ann@example.com"})", "h", std::nullopt, ""});
  approval.calls.push_back({2, "mail", "send", R"({"to":"bob@example.com"})", "h", std::nullopt, ""});
  approval.calls.push_back({3, "bank", "pay", "{}", "h", std::nullopt, ""});
  return approval;
}

TEST(Notice, SaysThatSomebodyWaitsAndNothingPrivate) {
  const std::string text = notice_of(asked(), "claude for ann@example.com", "/home/ann/shop");
  const auto notice = mcp::parse_object(text).value();
  EXPECT_EQ(notice.at("type"), "approval.asked");
  EXPECT_EQ(notice.at("timestamp"), "2023-11-14T22:13:20.000Z");
  const auto& data = notice.at("data").as_object();
  EXPECT_EQ(data.at("workspace"), "shop");
  EXPECT_EQ(data.at("calls"), 3);
  EXPECT_EQ(mcp::json::serialize(data.at("tools")), R"(["mail:send","bank:pay"])");
  for (const char* hidden : {"ann@example.com", "bob@", "secret words", "/home"})
    EXPECT_EQ(text.find(hidden), std::string::npos) << hidden << text;
}

TEST(Notice, SaysThatAWorkflowWaitsForAPerson) {
  store::WorkflowRecord workflow;
  workflow.id = "wf_1";
  workflow.intent = "secret words";
  const auto notice = [&](const char* payload) {
    return notice_of(workflow, {7, 1'700'000'000'000, "decision_required", payload}, "/home/ann/shop");
  };
  EXPECT_FALSE(notice(R"({"kind":"layer","by":"agent","layer":0})"));
  const auto asked = notice(R"({"kind":"layer","by":"human","layer":2,"tasks":[{"id":"secret task"}]})");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->id, "wf_1.7");
  const auto body = mcp::parse_object(asked->text).value();
  EXPECT_EQ(body.at("type"), "decision.asked");
  EXPECT_EQ(body.at("data").at("layer"), 2);
  EXPECT_EQ(asked->text.find("secret"), std::string::npos) << asked->text;
}

// The example of the Standard Webhooks specification.
TEST(Notice, IsSignedAsOthersCheckIt) {
  EXPECT_EQ(webhook_signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                              R"({"test": 2432232314})"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  EXPECT_NE(webhook_signature("a", "b", 1, "c"), webhook_signature("a", "b", 2, "c"));
}

}  // namespace
}  // namespace glovebox::assembly
