#include "gateway/runs/new_run.h"

#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

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
