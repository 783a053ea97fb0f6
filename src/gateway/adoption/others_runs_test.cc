#include "gateway/adoption/others_runs.h"

#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

class OthersRunsTest : public ServicesTest {
 protected:
  RunEvents events() {
    RunEvents events;
    events.on_waiting = [this](const ApprovalRequest& request) { requests_.push_back(request.id); };
    events.on_end = [this](const RunEnd& end) { ends_.push_back(end.outcome_json); };
    return events;
  }
  void poll() { others_.tell(OthersRuns::read(*store_, others_.wanted())); }

  OthersRuns others_;
  std::vector<std::string> requests_;
  std::vector<std::string> ends_;
};

TEST_F(OthersRunsTest, EachApprovalIsToldOnceAndTheEndIsTheLast) {
  others_.listen("r", "", events());
  ask("a", {call_of(1, "./x")});
  poll();
  poll();
  EXPECT_EQ(requests_, std::vector<std::string>{"a"});
  ask("b", {call_of(2, "./y")});
  poll();
  EXPECT_EQ(requests_, (std::vector<std::string>{"a", "b"}));

  ASSERT_TRUE(store_->end_run("r", store::RunStatus::kFinished, R"({"result":1})", 5).ok());
  poll();
  poll();
  EXPECT_EQ(ends_, std::vector<std::string>{R"({"result":1})"});
}

TEST_F(OthersRunsTest, ARunThatWasAdoptedIsNotListenedToTwice) {
  others_.listen("r", "caller", events());
  ask("before", {call_of(1, "./x")});
  poll();
  others_.listen("another", "", events());
  ASSERT_TRUE(others_.has_listener("r"));
  std::vector<std::string> parents;
  others_.hand_over("r", [&](const std::string& parent, const RunEvents& heard) {
    parents.push_back(parent);
    for (const char* id : {"before", "after"}) heard.on_waiting({id, "r", "", "{}"});
  });
  EXPECT_EQ(parents, std::vector<std::string>{"caller"});
  EXPECT_EQ(std::exchange(requests_, {}), (std::vector<std::string>{"before", "after"})) << "each is told once";
  EXPECT_FALSE(others_.has_listener("r"));
  EXPECT_TRUE(others_.has_listener("another"));
  ask("a", {call_of(2, "./x")});
  poll();
  EXPECT_TRUE(requests_.empty());
}

TEST_F(OthersRunsTest, OneThatIsNotThereAnyMoreHasDied) {
  others_.listen("nobody's", "", events());
  poll();
  poll();
  ASSERT_EQ(ends_.size(), 1u);
  EXPECT_NE(ends_[0].find("GATEWAY_DIED"), std::string::npos) << ends_[0];
}

TEST_F(OthersRunsTest, WhoeverIsToldMayEndTheListening) {
  ask("a", {call_of(1, "./x")});
  ask("b", {call_of(2, "./y")});
  RunEvents once = events();
  once.on_waiting = [this](const ApprovalRequest& request) {
    requests_.push_back(request.id);
    others_.clear();
  };
  others_.listen("r", "", std::move(once));
  poll();
  EXPECT_EQ(requests_.size(), 1u);
}

}  // namespace
}  // namespace glovebox::gateway
