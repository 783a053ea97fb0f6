#include "calls/tools/tool_calls.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "broker/call_desk.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

using namespace std::chrono_literals;

// Keeps the answers for the test to give.
struct KeepingHost : ToolHost {
  std::vector<ToolNamespace> tools() const override { return {}; }
  void call(ToolCall call, ToolAnswer answer) override {
    calls.push_back(std::move(call));
    answers.push_back(std::move(answer));
  }
  bool keeps_time() const override { return keeps_the_time; }
  void end() override { ++ends; }

  std::vector<ToolCall> calls;
  std::vector<ToolAnswer> answers;
  int ends = 0;
  bool keeps_the_time = false;
};

class ToolCallsTest : public testing::Test {
 protected:
  void open_desk(ToolLimits rules, std::shared_ptr<ToolHost> tools) {
    broker::CallDesk::Links links;
    links.send = [this](OutgoingBytes bytes) {
      sent.push_back(std::move(bytes));
      if (sent.back().sent) sent.back().sent();
    };
    links.unsent_bytes = [] { return std::size_t{0}; };
    links.now_ms = [] { return 1000; };
    links.blocked = [this](std::string message) { blocked.push_back(std::move(message)); };
    links.pause_reading = [](bool) {};
    links.violation = [this](std::string why) { violation = std::move(why); };
    desk = std::make_shared<broker::CallDesk>(std::move(links));
    desk->add("tool", std::make_unique<ToolCalls>(io, std::move(tools), rules, clock));
  }
  ToolCallsTest() { open_desk({10s, 100}, host); }

  void call(const std::string& arguments_json, std::uint64_t body_bytes = 0) {
    simdjson::dom::object arguments;
    ASSERT_EQ(parser.parse(arguments_json).get(arguments), simdjson::SUCCESS) << arguments_json;
    desk->open({++last_id, "tool", CallArguments(arguments), body_bytes, arguments_json});
  }
  void settle() {
    io->restart();
    io->poll();
  }
  std::string all_sent() const {
    std::string text;
    for (const OutgoingBytes& bytes : sent) text += bytes.bytes;
    return text;
  }
  std::string reply() const { return sent.empty() ? "" : std::string(sent.back().bytes.substr(wire::kPrefixBytes)); }
  void value(std::size_t index, std::string json) {
    auto owner = std::make_shared<const std::string>(std::move(json));
    host->answers.at(index).value(owner, *owner);
    settle();
  }

  std::shared_ptr<boost::asio::io_context> io = std::make_shared<boost::asio::io_context>(1);
  std::shared_ptr<KeepingHost> host = std::make_shared<KeepingHost>();
  std::shared_ptr<RunClock> clock = std::make_shared<RunClock>(0, RunClock::Limits{1h, 1h});
  std::shared_ptr<broker::CallDesk> desk;
  simdjson::dom::parser parser;
  std::uint64_t last_id = 0;
  std::vector<OutgoingBytes> sent;
  std::vector<std::string> blocked;
  std::string violation;
};

const std::string kCall = R"({"server":"a","tool":"b","arguments":{ "x" : [1.0, "\u00e9"] }})";

TEST_F(ToolCallsTest, PassesArgumentsOnAsTheyCame) {
  call(kCall);
  ASSERT_EQ(host->calls.size(), 1u);
  EXPECT_EQ(host->calls[0].id, 1u);
  EXPECT_EQ(host->calls[0].server, "a");
  EXPECT_EQ(host->calls[0].tool, "b");
  EXPECT_EQ(host->calls[0].arguments_json, R"({ "x" : [1.0, "\u00e9"] })");
  EXPECT_FALSE(host->calls[0].repeated);
  EXPECT_TRUE(host->answers[0].is_awaited());
  value(0, R"({"y":1.0})");
  EXPECT_EQ(reply(), R"({"frame":"reply","id":1,"now":1000,"ok":true,"body":0,"value":{"y":1.0}})");
  EXPECT_FALSE(host->answers[0].is_awaited());
}

TEST_F(ToolCallsTest, RefusesWhatIsNoCall) {
  for (const char* arguments :
       {"{}", R"({"server":"a","tool":"b"})", R"({"server":"a","tool":"b","arguments":[]})",
        R"({"server":"a","tool":"b","arguments":"{}"})", R"({"server":1,"tool":"b","arguments":{}})",
        R"({"server":"a","tool":null,"arguments":{}})", R"({"server":"a","tool":"b","\u0061rguments":{}})"}) {
    violation.clear();
    call(arguments);
    EXPECT_NE(violation, "") << arguments;
  }
  violation.clear();
  call(R"({"server":")" + std::string(wire::kMaxToolNamePartBytes + 1, 'x') + R"(","tool":"b","arguments":{}})");
  EXPECT_NE(violation, "");
  violation.clear();
  call(kCall, 5);
  EXPECT_NE(violation, "");
  EXPECT_TRUE(host->calls.empty());
}

TEST_F(ToolCallsTest, CountsOneAnswerOnly) {
  call(kCall);
  const ToolAnswer copy = host->answers[0];
  value(0, "1");
  copy.fail({});
  value(0, "2");
  settle();
  EXPECT_EQ(sent.size(), 1u);
}

TEST_F(ToolCallsTest, SendsALargeValueFromWhereItLies) {
  call(kCall);
  const auto owner = std::make_shared<const std::string>("\"" + std::string(600'000, 'x') + "\"");
  host->answers[0].value(owner, *owner);
  settle();
  std::string body;
  for (const OutgoingBytes& bytes : sent) {
    if (bytes.bytes.data() >= owner->data() && bytes.bytes.data() < owner->data() + owner->size()) body += bytes.bytes;
  }
  EXPECT_EQ(body, *owner);
  EXPECT_EQ(sent.size(), 7u);  // three pieces with a header each, and the reply
  EXPECT_EQ(reply(), R"({"frame":"reply","id":1,"now":1000,"ok":true,"body":600002,"value":null})");
  wire::FrameReader reader(wire::kMaxDataBytes + 100);
  reader.append(all_sent());
  std::string_view payload;
  std::string gathered;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(reader.next(payload), wire::FrameReader::State::kFrame);
    const auto piece = wire::read_data(payload);
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->call_id, 1u);
    EXPECT_EQ(piece->expected_bytes, owner->size());
    gathered += piece->bytes;
  }
  EXPECT_EQ(gathered, *owner);
  EXPECT_EQ(desk->take_trace().tool_result_bytes(), owner->size());
}

TEST_F(ToolCallsTest, BoundsResults) {
  call(kCall);
  value(0, std::string(wire::kMaxToolResultBytes + 1, '1'));
  EXPECT_NE(reply().find(R"("name":"MCPToolError","code":"RESULT_TOO_LARGE")"), std::string::npos);
}

// Results that the guest has not taken are bounded, whether they have reached the loop or not.
TEST_F(ToolCallsTest, BoundsWhatWaits) {
  const auto large = std::make_shared<const std::string>(wire::kMaxToolResultBytes, '1');
  constexpr std::size_t kFitting = wire::kMaxHeldToolResultBytes / wire::kMaxToolResultBytes;
  for (std::size_t i = 0; i < kFitting + 1; ++i) {
    call(kCall);
    host->answers.at(i).value(large, *large);
  }
  EXPECT_EQ(large.use_count(), 1 + static_cast<long>(kFitting)) << "of the last nothing is kept";
  settle();
  EXPECT_NE(reply().find(R"("name":"MCPToolError","code":"RESULT_TOO_LARGE")"), std::string::npos);
  call(kCall);
  value(kFitting + 1, "1");
  EXPECT_NE(reply().find("RESULT_TOO_LARGE"), std::string::npos) << "sent, and not taken";
  sent.clear();
  call(kCall);
  value(kFitting + 2, "1");
  EXPECT_NE(reply().find(R"("value":1)"), std::string::npos) << "there is room again";
}

TEST_F(ToolCallsTest, TellsFailuresByTheirKind) {
  using Kind = ToolFailure::Kind;
  call(kCall);
  host->answers[0].fail({Kind::kToolError, "SERVER_UNAVAILABLE", "gone"});
  settle();
  EXPECT_NE(reply().find(R"({"name":"MCPToolError","code":"SERVER_UNAVAILABLE","message":"gone"})"), std::string::npos);
  call(kCall);
  host->answers[1].fail({Kind::kToolError, {}, "bad \xff text"});
  settle();
  EXPECT_NE(reply().find(R"({"name":"MCPToolError","code":"TOOL_ERROR","message":"bad ? text"})"), std::string::npos);
  EXPECT_TRUE(blocked.empty());
  call(kCall);
  host->answers[2].fail({Kind::kDenied, {}, "no"});
  settle();
  EXPECT_NE(reply().find(R"({"name":"PermissionDenied","code":"PERMISSION_DENIED","message":"no"})"),
            std::string::npos);
  call(kCall);
  host->answers[3].fail({Kind::kApprovalDenied, {}, "never"});
  settle();
  EXPECT_NE(reply().find(R"({"name":"ApprovalDenied","code":"APPROVAL_DENIED","message":"never"})"), std::string::npos);
  EXPECT_EQ(blocked, (std::vector<std::string>{"no", "never"}));
  EXPECT_EQ(desk->take_trace().denied(), 2u);
}

TEST_F(ToolCallsTest, FailsACallWhoseAnswerIsDropped) {
  call(kCall);
  host->answers.clear();
  settle();
  EXPECT_NE(reply().find(R"("message":"the tool did not answer")"), std::string::npos);
}

TEST_F(ToolCallsTest, TakesAnswersOfOtherThreads) {
  for (int i = 0; i < 50; ++i) call(kCall);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] {
      for (const ToolAnswer& answer : host->answers) {
        auto owner = std::make_shared<const std::string>("1");
        answer.value(owner, *owner);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  settle();
  EXPECT_EQ(sent.size(), 50u);
}

TEST_F(ToolCallsTest, LimitsTheNumberOfCalls) {
  open_desk({10s, 2}, host);
  for (int i = 0; i < 3; ++i) call(kCall);
  EXPECT_EQ(host->calls.size(), 2u);
  EXPECT_NE(reply().find(R"("name":"LimitError","code":"TOOL_CALL_LIMIT")"), std::string::npos);
}

TEST_F(ToolCallsTest, SaysSoWhereThereIsNoHost) {
  open_desk({10s, 2}, nullptr);
  call(kCall);
  EXPECT_NE(reply().find(R"("code":"NO_SERVERS")"), std::string::npos);
}

TEST_F(ToolCallsTest, EndsACallThatTakesTooLong) {
  open_desk({1ms, 100}, host);
  call(kCall);
  io->restart();
  io->run_one();
  EXPECT_NE(reply().find(R"("name":"MCPToolError","code":"RPC_TIMEOUT")"), std::string::npos);
  EXPECT_FALSE(host->answers[0].is_awaited());
  value(0, "1");
  EXPECT_EQ(sent.size(), 1u);
}

TEST_F(ToolCallsTest, LeavesTheTimeToAHostThatKeepsIt) {
  host->keeps_the_time = true;
  open_desk({1ms, 100}, host);
  call(kCall);
  std::this_thread::sleep_for(5ms);
  settle();
  EXPECT_TRUE(sent.empty());
  host->answers[0].waits_for_person(true);
  host->answers[0].waits_for_person(false);
  value(0, "1");
  EXPECT_EQ(sent.size(), 1u);
}

TEST_F(ToolCallsTest, CallsAreNoWorkOfTheCodesOwn) {
  const auto began = RunClock::Clock::now();
  EXPECT_LT(clock->own_work_left(began + 30min), 31min);
  call(kCall);
  EXPECT_GT(clock->own_work_left(began + 30min), 59min);
  EXPECT_LT(clock->total_left(began + 30min), 31min);
  value(0, "1");
  EXPECT_LT(clock->own_work_left(began + 30min), 31min);
}

TEST_F(ToolCallsTest, NoClockRunsWhileAPersonIsAsked) {
  // On a slow machine the call's time may be over before a person is asked: then it is tried again with more.
  std::chrono::milliseconds limit = 20ms;
  for (;; limit *= 10) {
    host = std::make_shared<KeepingHost>();
    clock = std::make_shared<RunClock>(0, RunClock::Limits{1h, 1h});
    sent.clear();
    last_id = 0;
    open_desk({limit, 100}, host);
    const auto began = std::chrono::steady_clock::now();
    call(kCall);
    call(kCall);
    for (int i = 0; i < 2; ++i) host->answers[static_cast<std::size_t>(i)].waits_for_person(true);
    host->answers[0].waits_for_person(true);  // repeating it changes nothing
    settle();
    if (std::chrono::steady_clock::now() - began < limit) break;
    ASSERT_LT(limit, 1h);
  }
  EXPECT_EQ(clock->deadline(), RunClock::Clock::time_point::max());
  std::this_thread::sleep_for(2 * limit);
  settle();
  EXPECT_TRUE(sent.empty());
  host->answers[0].waits_for_person(false);
  value(0, "1");
  EXPECT_EQ(sent.size(), 1u);
  EXPECT_EQ(clock->deadline(), RunClock::Clock::time_point::max());
  value(1, "2");  // an answer ends the waiting, too
  EXPECT_EQ(sent.size(), 2u);
  EXPECT_NE(clock->deadline(), RunClock::Clock::time_point::max());
}

TEST_F(ToolCallsTest, AfterTheEndNobodyListens) {
  call(kCall);
  bool ended = false;
  desk->end([&] { ended = true; });
  EXPECT_TRUE(ended);
  EXPECT_EQ(host->ends, 1);
  EXPECT_FALSE(host->answers[0].is_awaited());
  value(0, "1");
  EXPECT_TRUE(sent.empty());
  desk.reset();
  host->answers[0].fail({});
  settle();
  io.reset();
  host->answers.clear();
}

}  // namespace
}  // namespace glovebox::calls
