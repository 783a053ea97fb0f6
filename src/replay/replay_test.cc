#include "replay/replay.h"

#include <gtest/gtest.h>

#include "wire/data_frame.h"
#include "wire/frame.h"

namespace glovebox::replay {
namespace {

JournalEntry call_entry(std::uint64_t id, std::string op = "tool", std::string digest = "d") {
  return {JournalEntry::Kind::kCall, id, std::move(op), std::move(digest), ""};
}
JournalEntry reply_entry(std::uint64_t id, std::string frames) {
  return {JournalEntry::Kind::kReply, id, "", "", std::move(frames)};
}
std::string ok_frame(std::uint64_t id, std::int64_t now, const std::string& value = "1", int body = 0) {
  return wire::make_frame(R"({"frame":"reply","id":)" + std::to_string(id) + ",\"now\":" + std::to_string(now) +
                          ",\"ok\":true,\"body\":" + std::to_string(body) + ",\"value\":" + value + "}");
}
std::string data_frame(std::uint64_t id, std::string_view bytes) {
  std::string frame(wire::kPrefixBytes + wire::kDataHeaderBytes, '\0');
  wire::write_data_header(frame.data(), id, 0, bytes.size());
  return frame + std::string(bytes);
}

TEST(Replay, GoesThroughCallsAndRepliesInTheirOrder) {
  auto made = Replay::of({call_entry(1), call_entry(2, "sleep"), reply_entry(2, ok_frame(2, 50)),
                          reply_entry(1, ok_frame(1, 40)), call_entry(5)});
  ASSERT_TRUE(made);
  Replay replay = std::move(*made);
  EXPECT_EQ(replay.last_now_ms(), 50);
  EXPECT_EQ(replay.take_reply(), nullptr);
  EXPECT_TRUE(replay.accept(1, "tool", "d"));
  EXPECT_EQ(replay.take_reply(), nullptr);
  EXPECT_FALSE(replay.accept(2, "tool", "d"));
  EXPECT_FALSE(replay.accept(2, "sleep", "e"));
  EXPECT_FALSE(replay.accept(3, "sleep", "d"));
  EXPECT_TRUE(replay.accept(2, "sleep", "d"));
  EXPECT_FALSE(replay.accept(5, "tool", "d")) << "replies come first";
  EXPECT_EQ(replay.take_reply()->call_id, 2u);
  EXPECT_EQ(replay.take_reply()->call_id, 1u);
  EXPECT_EQ(replay.take_reply(), nullptr);
  EXPECT_FALSE(replay.is_over());
  EXPECT_TRUE(replay.accept(5, "tool", "d"));
  EXPECT_TRUE(replay.is_over());
  EXPECT_FALSE(replay.accept(6, "tool", "d"));
  EXPECT_NE(replay.reply_to(1), nullptr);
  EXPECT_EQ(replay.reply_to(5), nullptr);
}

TEST(Replay, ReadsWhatARelySaid) {
  auto made = Replay::of(
      {call_entry(1), call_entry(2),
       reply_entry(1, data_frame(1, "abc") + data_frame(1, "de") + ok_frame(1, 7, "null", 5)),
       reply_entry(
           2,
           wire::make_frame(
               R"({"frame":"reply","id":2,"now":8,"ok":false,"error":{"name":"A","code":"B","message":"\"c\""}})"))});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->reply_to(1)->body_bytes, 5u);
  EXPECT_EQ(made->reply_to(1)->value_json, "null");
  EXPECT_FALSE(made->reply_to(2)->ok);
  EXPECT_EQ(made->reply_to(2)->error.name, "A");
  EXPECT_EQ(made->reply_to(2)->error.code, "B");
  EXPECT_EQ(made->reply_to(2)->error.message, "\"c\"");
}

TEST(Replay, RefusesWhatNoRunHasWritten) {
  const std::string good = ok_frame(1, 1);
  const std::vector<std::vector<JournalEntry>> histories = {
      {reply_entry(1, good)},
      {call_entry(1), reply_entry(2, ok_frame(2, 1))},
      {call_entry(1), reply_entry(1, good), reply_entry(1, good)},
      {call_entry(2), call_entry(1)},
      {call_entry(1), call_entry(1)},
      {call_entry(0)},
      {call_entry(1), reply_entry(1, "")},
      {call_entry(1), reply_entry(1, good.substr(0, good.size() - 1))},
      {call_entry(1), reply_entry(1, good + "x")},
      {call_entry(1), reply_entry(1, good + good)},
      {call_entry(1), reply_entry(1, ok_frame(2, 1))},
      {call_entry(1), reply_entry(1, data_frame(2, "abc") + ok_frame(1, 1, "null", 3))},
      {call_entry(1), reply_entry(1, data_frame(1, "abc") + ok_frame(1, 1, "null", 4))},
      {call_entry(1), reply_entry(1, wire::make_frame("{}"))},
      {call_entry(1),
       reply_entry(1, wire::make_frame(R"({"frame":"run","id":1,"now":1,"ok":true,"body":0,"value":1})"))},
      {call_entry(1), reply_entry(1, wire::make_frame(R"({"frame":"reply","id":1,"now":1,"ok":false,"error":{}})"))},
  };
  for (std::size_t i = 0; i < histories.size(); ++i) EXPECT_FALSE(Replay::of(histories[i])) << i;
  EXPECT_TRUE(Replay::of({}));
  EXPECT_TRUE(Replay::of({call_entry(1), reply_entry(1, good)}));
}

}  // namespace
}  // namespace glovebox::replay
