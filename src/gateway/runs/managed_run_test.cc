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

}  // namespace
}  // namespace glovebox::gateway
