#include "replay/rehearsal_book.h"

#include <gtest/gtest.h>

namespace glovebox::replay {
namespace {

RecordedCall recorded(std::string arguments, std::size_t turn, std::size_t after, std::int64_t now_ms = 0) {
  RecordedCall call;
  call.op = "tool";
  call.arguments = std::move(arguments);
  call.is_answered = call.ok = true;
  call.value_json = "1";
  call.turn = turn;
  call.after = after;
  call.now_ms = now_ms;
  return call;
}

class Book : public testing::Test {
 protected:
  RehearsalBook& book() {
    if (!book_) book_.emplace(rehearsal, 5);
    return *book_;
  }
  void open(std::uint64_t id, const char* arguments, const char* op = "tool") {
    calls::Call call;
    call.id = id;
    call.op = op;
    call.arguments_json = arguments;
    book().open(call);
  }
  // Ids of calls whose answers are due; those without an answer are negative.
  std::vector<int> taken() {
    std::vector<int> ids;
    while (const auto due = book().take()) ids.push_back(due->answer ? int(due->call_id) : -int(due->call_id));
    return ids;
  }
  const std::shared_ptr<Rehearsal> rehearsal = std::make_shared<Rehearsal>();

 private:
  std::optional<RehearsalBook> book_;
};

using Ids = std::vector<int>;

TEST_F(Book, AnswersInTheRecordedOrder) {
  // Both were under way, and the second was answered first.
  rehearsal->calls = {recorded(R"({"a":1})", 1, 2, 30), recorded(R"({"a":2})", 0, 2, 20)};
  open(1, R"({ "a": 1.0 })");
  EXPECT_EQ(taken(), Ids{}) << "its answer came after the second call";
  open(2, R"({"a":2})");
  EXPECT_EQ(taken(), (Ids{2, 1}));
  EXPECT_EQ(book().now_ms(), 30);
}

TEST_F(Book, GivesTheNextAnswerToCodeThatOnlyWaits) {
  rehearsal->calls = {recorded(R"({"a":1})", 1, 2), recorded(R"({"a":2})", 0, 2)};
  open(1, R"({"a":1})");
  EXPECT_EQ(taken(), Ids{});
  const auto due = book().take_while_idle();
  ASSERT_TRUE(due && due->answer);
  EXPECT_EQ(due->call_id, 1u);
  EXPECT_FALSE(book().take_while_idle());
}

TEST_F(Book, SaysWhichCallsWereNotRecorded) {
  rehearsal->calls = {recorded(R"({"a":1})", 0, 1)};
  open(1, R"({"a":2})");
  EXPECT_EQ(taken(), Ids{-1});
  open(4, R"({"a":1})");
  EXPECT_EQ(taken(), Ids{4});
  open(7, R"({"a":1})");
  EXPECT_EQ(taken(), Ids{-7}) << "an answer is given once";
  ASSERT_EQ(rehearsal->made.size(), 3u);
  EXPECT_FALSE(rehearsal->made[0].recorded);
  EXPECT_EQ(rehearsal->made[1].recorded, 0u);
  EXPECT_FALSE(rehearsal->made[2].recorded);
}

TEST_F(Book, AsksTheSameTwiceInTheRecordedOrder) {
  rehearsal->calls = {recorded("{}", 0, 1), recorded("{}", 1, 2)};
  open(1, "{}");
  EXPECT_EQ(book().take()->answer, rehearsal->calls.data());
  open(2, "{}");
  EXPECT_EQ(book().take()->answer, rehearsal->calls.data() + 1);
}

TEST_F(Book, LeavesWhatWasNeverAnsweredToTheEnd) {
  rehearsal->calls = {recorded("{}", 0, 1)};
  rehearsal->calls[0].is_answered = false;
  open(1, "{}");
  EXPECT_EQ(taken(), Ids{});
  const auto due = book().take_while_idle();
  ASSERT_TRUE(due);
  EXPECT_FALSE(due->answer);
}

TEST(RehearsalBook, LeavesTheEnvironmentToItsOwner) {
  EXPECT_FALSE(RehearsalBook::is_recorded("env.get"));
  EXPECT_FALSE(RehearsalBook::is_recorded("python.wheel"));
  EXPECT_TRUE(RehearsalBook::is_recorded("tool"));
  EXPECT_TRUE(RehearsalBook::is_recorded("fs.read"));
}

}  // namespace
}  // namespace glovebox::replay
