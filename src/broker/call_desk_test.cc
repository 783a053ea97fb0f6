#include "broker/call_desk.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "broker/trace.h"
#include "calls/data_pipe.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

// Keeps the calls that it gets; the test answers them.
struct Recorder : calls::CallHandler {
  struct Sink : calls::BodySink {
    void take(std::string bytes, bool last, std::function<void()> resume) override {
      pieces.push_back(std::move(bytes));
      ended = last;
      resume_reading = std::move(resume);
    }
    std::vector<std::string> pieces;
    bool ended = false;
    std::function<void()> resume_reading;
  };

  std::shared_ptr<calls::BodySink> handle(const calls::Call& call, std::shared_ptr<calls::Answer> answer) override {
    answers.push_back(std::move(answer));
    return call.body_bytes > 0 ? sink : nullptr;
  }
  void end(std::function<void()> callback) override { ended = std::move(callback); }

  std::vector<std::shared_ptr<calls::Answer>> answers;
  std::shared_ptr<Sink> sink = std::make_shared<Sink>();
  std::function<void()> ended;
};

class CallDeskTest : public testing::Test {
 protected:
  CallDeskTest() { set_up(); }

  void set_up() {
    CallDesk::Links links;
    links.send = [this](calls::OutgoingBytes bytes) { sent.push_back(std::move(bytes)); };
    links.unsent_bytes = [] { return std::size_t{0}; };
    links.now_ms = [] { return 1000; };
    links.blocked = [this](std::string message) { blocked.push_back(std::move(message)); };
    links.pause_reading = [this](bool pause) { paused = pause; };
    links.violation = [this](std::string why) { violation = std::move(why); };
    links.diverged = [this](std::string how) { diverged = std::move(how); };
    links.journal = [this](JournalEntry entry) {
      sent_when_journaled.push_back(sent.size());
      journal.push_back(std::move(entry));
    };
    links.hold = [all = call_bytes](std::size_t bytes) { return all->hold("ann", bytes); };
    desk = std::make_shared<CallDesk>(std::move(links));
    auto owned = std::make_unique<Recorder>();
    recorder = owned.get();
    desk->add("fs", std::move(owned));
  }

  // The same run again, with its journal as history.
  void run_again(std::vector<JournalEntry> history) {
    sent.clear();
    journal.clear();
    set_up();
    desk->replay(std::move(*replay::Replay::of(std::move(history))));
  }

  void open(std::uint64_t id, std::string op = "fs.read", std::uint64_t body_bytes = 0) {
    desk->open({id, std::move(op), {}, body_bytes});
  }
  std::string payload(std::size_t index) const { return std::string(sent.at(index).bytes.substr(wire::kPrefixBytes)); }

  std::shared_ptr<base::ByteShares> call_bytes =
      std::make_shared<base::ByteShares>(base::ByteShares::Limits{10'000, 15'000});
  std::shared_ptr<CallDesk> desk;
  Recorder* recorder = nullptr;
  std::vector<calls::OutgoingBytes> sent;
  std::vector<std::string> blocked;
  bool paused = false;
  std::string violation;
  std::string diverged;
  std::vector<JournalEntry> journal;
  std::vector<std::size_t> sent_when_journaled;
};

// A file of half a gigabyte is sent piece by piece; a journal that would not take it must not collect it.
TEST_F(CallDeskTest, CollectsNoMoreOfAReplyThanAJournalTakes) {
  open(1);
  const auto piece = std::make_shared<const std::string>(wire::kMiB, 'x');
  for (int i = 0; i < 80; ++i) recorder->answers[0]->send({piece, *piece, {}, false});
  recorder->answers[0]->value("null", 80 * wire::kMiB);
  EXPECT_EQ(sent.size(), 81u) << "the guest gets all of it";
  ASSERT_EQ(journal.size(), 2u);
  EXPECT_EQ(journal[1].frames.size(), 65 * wire::kMiB) << "so large that the journal gives up";
}

TEST_F(CallDeskTest, CarriesAnAnswerBackOnce) {
  open(1);
  recorder->answers[0]->about("/x");
  recorder->answers[0]->value("[1]");
  recorder->answers[0]->value("[2]");
  recorder->answers[0]->fail({});
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(payload(0), R"({"frame":"reply","id":1,"now":1000,"ok":true,"body":0,"value":[1]})");
  EXPECT_TRUE(desk->is_idle());
  const auto trace = desk->take_trace().take();
  ASSERT_EQ(trace.size(), 1u);
  EXPECT_EQ(trace[0].op, "fs.read");
  EXPECT_EQ(trace[0].target, "/x");
  EXPECT_EQ(trace[0].outcome, TraceEntry::Outcome::kOk);
}

TEST_F(CallDeskTest, SendsBytesBeforeTheirValueAndTogetherWithIt) {
  open(3);
  recorder->answers[0]->value_with_bytes("null", std::string(wire::kMaxDataBytes + 1, 'x'));
  ASSERT_EQ(sent.size(), 3u);
  const auto first = wire::read_data(payload(0));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->call_id, 3u);
  EXPECT_EQ(first->expected_bytes, wire::kMaxDataBytes + 1);
  EXPECT_EQ(first->bytes.size(), wire::kMaxDataBytes);
  EXPECT_TRUE(sent[0].more_follows && sent[1].more_follows && !sent[2].more_follows);
  EXPECT_NE(payload(2).find("\"body\":262145"), std::string::npos);
}

TEST_F(CallDeskTest, PutsADenialOnTheRecord) {
  open(1);
  recorder->answers[0]->deny("Requires read access to \"/x\"");
  EXPECT_EQ(blocked, std::vector<std::string>{"Requires read access to \"/x\""});
  EXPECT_NE(payload(0).find(R"("ok":false,"error":{"name":"PermissionDenied","code":"",)"), std::string::npos);
  CallTrace trace = desk->take_trace();
  EXPECT_EQ(trace.denied(), 1u);
  EXPECT_EQ(trace.take()[0].outcome, TraceEntry::Outcome::kDenied);
}

TEST_F(CallDeskTest, HoldsTheGuestToGrowingIds) {
  open(5);
  open(5);
  EXPECT_EQ(violation, "a call id that was used before");
  violation.clear();
  open(4);
  EXPECT_EQ(violation, "a call id that was used before");
}

TEST_F(CallDeskTest, HoldsTheGuestToANumberOfCalls) {
  for (std::uint64_t id = 1; id <= wire::kMaxCallsInFlight; ++id) open(id);
  EXPECT_EQ(violation, "");
  open(wire::kMaxCallsInFlight + 1);
  EXPECT_EQ(violation, "too many calls at once");
}

TEST_F(CallDeskTest, CountsAnswersThatTheGuestHasNotRead) {
  for (std::uint64_t id = 1; id <= wire::kMaxCallsInFlight; ++id) {
    open(id);
    recorder->answers.back()->value();
  }
  open(1000);
  EXPECT_EQ(violation, "too many calls at once");
  violation.clear();
  sent[0].sent();
  open(1001);
  EXPECT_EQ(violation, "");
}

TEST_F(CallDeskTest, KnowsNoOtherFamilies) {
  for (const char* op : {"net.fetch", "", ".", "__proto__", "fsx.read", "FS.read"}) {
    violation.clear();
    open(static_cast<std::uint64_t>(recorder->answers.size()) + 100 + static_cast<std::uint64_t>(op[0]), op);
    EXPECT_NE(violation, "") << op;
  }
}

TEST_F(CallDeskTest, PassesBytesOnWhileReadingPauses) {
  open(1, "fs.write", 5);
  EXPECT_TRUE(desk->awaits_data());
  desk->data({1, 0, "abc"});
  EXPECT_TRUE(paused);
  recorder->sink->resume_reading();
  EXPECT_FALSE(paused);
  desk->data({1, 0, "de"});
  EXPECT_EQ(recorder->sink->pieces, (std::vector<std::string>{"abc", "de"}));
  EXPECT_TRUE(recorder->sink->ended);
  EXPECT_FALSE(desk->awaits_data());
}

TEST_F(CallDeskTest, RefusesBytesThatBelongToNoCall) {
  desk->data({1, 0, "abc"});
  EXPECT_EQ(violation, "bytes that belong to no call");
  for (const wire::DataPiece& piece : {wire::DataPiece{2, 0, "a"}, wire::DataPiece{1, 0, "abcdef"}}) {
    violation.clear();
    if (!desk->awaits_data()) open(1, "fs.write", 5);
    desk->data(piece);
    EXPECT_EQ(violation, "bytes that belong to no call");
  }
}

TEST_F(CallDeskTest, RefusesACallInsideAnothersBytes) {
  open(1, "fs.write", 5);
  open(2);
  EXPECT_EQ(violation, "a call inside another's bytes");
}

TEST_F(CallDeskTest, AnswersNothingAfterTheEnd) {
  open(1);
  bool ended = false;
  desk->end([&] { ended = true; });
  EXPECT_FALSE(ended) << "the handler is not done yet";
  recorder->answers[0]->value();
  EXPECT_TRUE(sent.empty());
  EXPECT_FALSE(recorder->answers[0]->is_awaited());
  recorder->ended();
  recorder->ended = nullptr;
  EXPECT_TRUE(ended);
  EXPECT_EQ(desk->take_trace().take()[0].outcome, TraceEntry::Outcome::kUnfinished);
}

TEST(TraceTest, KeepsDenialsWhereTheRestIsTooMuch) {
  CallTrace trace;
  for (std::size_t i = 0; i < 2 * wire::kMaxTraceEntries; ++i) trace.add({"fs.read", "/x"});
  trace.add({.op = "fs.read", .target = "/etc/passwd", .outcome = TraceEntry::Outcome::kDenied});
  EXPECT_EQ(trace.calls(), 2 * wire::kMaxTraceEntries + 1);
  const auto kept = trace.take();
  ASSERT_EQ(kept.size(), wire::kMaxTraceEntries + 1);
  EXPECT_EQ(kept.back().target, "/etc/passwd");
}

TEST(DataPipeTest, BuffersGoRound) {
  int freed = 0;
  const auto pipe = std::make_shared<calls::DataPipe>(7, 10'000'000, [&freed] { ++freed; });
  std::vector<calls::DataPipe::Piece*> pieces;
  for (int i = 0; i < 3; ++i) pieces.push_back(pipe->acquire());
  EXPECT_EQ(pipe->acquire(), nullptr) << "all are on their way";
  pieces[1]->room()[0] = 'x';
  pieces[1]->used = 1;
  const calls::OutgoingBytes data = pipe->to_send(pieces[1]);
  const auto piece = wire::read_data(data.bytes.substr(wire::kPrefixBytes));
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->bytes, "x");
  EXPECT_EQ(piece->expected_bytes, 10'000'000u);
  data.sent();
  EXPECT_EQ(freed, 1);
  EXPECT_EQ(pipe->acquire(), pieces[1]);
}

TEST_F(CallDeskTest, WritesDownWhatItIsAskedAndWhatItSaysBeforeItSaysIt) {
  open(1);
  open(2, "fs.write", 3);
  desk->data({2, 0, "abc"});
  recorder->answers[1]->value();
  recorder->answers[0]->value_with_bytes("null", "xyz");
  ASSERT_EQ(journal.size(), 4u);
  EXPECT_EQ(journal[0].kind, JournalEntry::Kind::kCall);
  EXPECT_EQ(journal[0].op, "fs.read");
  EXPECT_EQ(journal[0].digest.size(), 64u);
  EXPECT_EQ(journal[1].call_id, 2u);
  EXPECT_EQ(journal[2].kind, JournalEntry::Kind::kReply);
  EXPECT_EQ(journal[2].call_id, 2u);
  EXPECT_EQ(journal[2].frames, sent[0].bytes);
  EXPECT_EQ(journal[3].frames, std::string(sent[1].bytes) + std::string(sent[2].bytes));
  EXPECT_EQ(sent_when_journaled, (std::vector<std::size_t>{0, 0, 0, 2}));
}

TEST_F(CallDeskTest, GivesRecordedRepliesWithoutAskingAnyone) {
  open(1);
  open(2);
  recorder->answers[1]->fail({"NotFound", "ENOENT", "no"});
  recorder->answers[0]->value("7");
  open(3);
  const std::vector<JournalEntry> history = journal;
  std::string said;
  for (const calls::OutgoingBytes& bytes : sent) said += bytes.bytes;

  run_again(history);
  open(1);
  EXPECT_TRUE(sent.empty()) << "the second call comes before the replies";
  open(2);
  std::string said_again;
  for (const calls::OutgoingBytes& bytes : sent) said_again += bytes.bytes;
  EXPECT_EQ(said_again, said);
  EXPECT_TRUE(desk->is_replaying());
  EXPECT_TRUE(recorder->answers.empty());
  open(3);
  EXPECT_FALSE(desk->is_replaying());
  ASSERT_EQ(recorder->answers.size(), 1u) << "what was not answered is asked for once more";
  EXPECT_EQ(recorder->answers[0]->call_id(), 3u);
  EXPECT_TRUE(journal.empty());
  recorder->answers[0]->value("8");
  open(4);
  EXPECT_EQ(journal.size(), 2u);
  const auto trace = desk->take_trace().take();
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(trace[0].outcome, TraceEntry::Outcome::kFailed);
  EXPECT_EQ(trace[0].error, "no");
  EXPECT_EQ(trace[1].outcome, TraceEntry::Outcome::kOk);
}

TEST_F(CallDeskTest, AsksNobodyWhenTheHistoryIsAnother) {
  open(1);
  open(2);
  const std::vector<JournalEntry> history = journal;
  run_again(history);
  open(1);
  open(2, "fs.stat");
  EXPECT_NE(diverged, "");
  EXPECT_TRUE(recorder->answers.empty());
}

TEST_F(CallDeskTest, DoesNothingTwiceOfWhichNobodyKnowsTheEnd) {
  open(1, "fs.remove");
  const std::vector<JournalEntry> history = journal;
  run_again(history);
  open(1, "fs.remove");
  EXPECT_TRUE(recorder->answers.empty());
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_NE(payload(0).find("OUTCOME_UNKNOWN"), std::string::npos);
}

// The calls of one client, and those of all, keep no more arguments than there is room for.
TEST_F(CallDeskTest, ArgumentsOfCallsUnderWayAreBounded) {
  const std::string large = "{\"a\":\"" + std::string(5000, 'x') + "\"}";
  const auto open_large = [&](std::uint64_t id) { desk->open({id, "fs.read", {}, 0, large}); };
  const auto theirs = call_bytes->hold("bob", 4000);
  open_large(1);
  open_large(2);
  ASSERT_EQ(recorder->answers.size(), 1u);
  EXPECT_NE(payload(0).find("TOOL_CALL_LIMIT"), std::string::npos);
  open(3);
  EXPECT_EQ(recorder->answers.size(), 2u) << "small calls are bounded by their number";
  recorder->answers[0]->value("1");
  open_large(4);
  EXPECT_EQ(recorder->answers.size(), 3u);
  EXPECT_EQ(call_bytes->hold("cem", 7000), nullptr) << "of all clients together";
  desk->end([] {});
  EXPECT_NE(call_bytes->hold("cem", 7000), nullptr);
  EXPECT_TRUE(violation.empty());
}

}  // namespace
}  // namespace glovebox::broker
