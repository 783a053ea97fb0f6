// How a run that is lost ends. The rest takes guests: gateway_test.cc.
#include "gateway/runs/managed_run.h"

#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

class ManagedRunTest : public ServicesTest {};

// Only the gateway holds the run, and lets go of all runs with its lease: a listener that was not told then never was.
TEST_F(ManagedRunTest, AnEndThatWaitsForItsRecordIsReportedWhenTheRunIsLost) {
  const auto run = std::make_shared<ManagedRun>(services_, record_, RunSettings{}, nullptr);
  std::vector<std::string> ends;
  RunEvents events;
  events.on_end = [&](const RunEnd& end) { ends.push_back(end.outcome_json); };
  run->attach(std::move(events));
  run->end_with("OUTCOME_UNKNOWN", "the store could not be written");
  EXPECT_TRUE(ends.empty()) << "its record comes first";
  run->lose();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_NE(ends[0].find("LEASE_LOST"), std::string::npos) << ends[0];
  // That the record was written all the same is of no interest by then.
  ASSERT_TRUE(store_->wait_for_posted().ok());
  io_.poll();
  run->lose();
  EXPECT_EQ(ends.size(), 1u);
}

// Guests are shared by what an agent runs in one conversation, and by nothing else.
TEST_F(ManagedRunTest, OnlyRunsOfAConversationHaveIt) {
  const auto conversation_of = [&](const RunSettings& settings) {
    return attempt_request(record_, settings, *services_, {}).conversation;
  };
  record_.client = "http:token";
  record_.session = "gateway s1";
  EXPECT_EQ(conversation_of({}), "gateway s1");
  EXPECT_EQ(conversation_of({.chain = {"a-capability"}}), "");
  EXPECT_EQ(conversation_of({.depth = 1}), "");
  EXPECT_EQ(conversation_of({.careful = true}), "") << "a task of a workflow";
  for (const char* not_a_conversation : {"gateway http:token", "gateway", ""}) {
    record_.session = not_a_conversation;
    EXPECT_EQ(conversation_of({}), "") << not_a_conversation;
  }
}

}  // namespace
}  // namespace glovebox::gateway
