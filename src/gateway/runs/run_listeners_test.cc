#include "gateway/runs/run_listeners.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glovebox::gateway {
namespace {

TEST(RunListeners, WhoeverIsToldMayLeaveAndLetOthersCome) {
  RunListeners listeners;
  std::vector<std::string> reported;
  std::uint64_t first = 0;
  RunEvents leaves;
  leaves.on_progress = [&](std::string_view message) {
    reported.push_back("first " + std::string(message));
    listeners.remove(first);
    RunEvents comes;
    comes.on_progress = [&](std::string_view again) { reported.push_back("second " + std::string(again)); };
    listeners.add(std::move(comes));
  };
  first = listeners.add(std::move(leaves));
  listeners.tell(&RunEvents::on_progress, "a");
  listeners.tell(&RunEvents::on_progress, "b");
  EXPECT_EQ(reported, (std::vector<std::string>{"first a", "second b"}));
}

TEST(RunListeners, TheEndIsTheLastThatTheyHear) {
  RunListeners listeners;
  int ends = 0;
  int others = 0;
  RunEvents events;
  events.on_end = [&](const RunEnd&) { ++ends; };
  events.on_progress = [&](std::string_view) { ++others; };
  listeners.add(std::move(events));
  listeners.tell_last(&RunEvents::on_end, RunEnd());
  listeners.tell_last(&RunEvents::on_end, RunEnd());
  listeners.tell(&RunEvents::on_progress, "late");
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(others, 0);
}

TEST(RunListeners, ARequestIsReportedToOneWhoIsStillThere) {
  RunListeners listeners;
  std::vector<std::string> requests;
  RunEvents events;
  events.on_waiting = [&](const ApprovalRequest& request) { requests.push_back(request.id); };
  const std::uint64_t one = listeners.add(events);
  listeners.add(events);
  listeners.add({});
  listeners.tell_one(one, &RunEvents::on_waiting, ApprovalRequest{"a", "r", "", "{}"});
  EXPECT_EQ(requests.size(), 1u);
  listeners.tell(&RunEvents::on_waiting, ApprovalRequest{"b", "r", "", "{}"});
  EXPECT_EQ(requests.size(), 3u);
  listeners.remove(one);
  listeners.tell_one(one, &RunEvents::on_waiting, ApprovalRequest{"c", "r", "", "{}"});
  EXPECT_EQ(requests.size(), 3u);
}

TEST(RunListeners, TheLatestWhoCanAskTheirClientDoes) {
  RunListeners listeners;
  std::vector<std::string> asked;
  int answered = 0;
  catalog::AnswerQuestion answer = [&](Result<std::string>) { ++answered; };
  EXPECT_FALSE(listeners.ask_client("m", "{}", answer));
  ASSERT_TRUE(answer);  // the caller still has it, to decline with
  for (const char* name : {"old", "new"}) {
    RunEvents events;
    events.on_question = [&asked, name](auto, auto, catalog::AnswerQuestion given) {
      asked.emplace_back(name);
      given(Failure{ErrorCode::kNotFound, "no"});
    };
    listeners.add(std::move(events));
  }
  listeners.add({});
  EXPECT_TRUE(listeners.ask_client("m", "{}", answer));
  EXPECT_EQ(asked, std::vector<std::string>{"new"});
  EXPECT_EQ(answered, 1);
}

}  // namespace
}  // namespace glovebox::gateway
