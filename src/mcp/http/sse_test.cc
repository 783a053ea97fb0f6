#include "mcp/http/sse.h"

#include <gtest/gtest.h>

#include <vector>

namespace glovebox::mcp {
namespace {

std::vector<SseEvent> read(const std::string& text, std::size_t piece) {
  SseReader reader(1000);
  std::vector<SseEvent> events;
  for (std::size_t i = 0; i < text.size(); i += piece)
    EXPECT_TRUE(
        reader.feed(std::string_view(text).substr(i, piece), [&](SseEvent event) { events.push_back(event); }).ok());
  return events;
}

TEST(SseReader, ReadsTheSameInPiecesOfAnySize) {
  const std::string text =
      "\xEF\xBB\xBF: comment\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\nevent: x\rdata: c\r\rdata\n\nretry: 70\nid: 2\ndata: "
      "\n\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const auto events = read(text, piece);
    ASSERT_EQ(events.size(), 4u) << piece;
    EXPECT_EQ(events[0].data, "a\nb");
    EXPECT_EQ(events[0].id, "1");
    EXPECT_EQ(events[1].name, "x");
    EXPECT_EQ(events[1].data, "c");
    EXPECT_EQ(events[1].id, "1");
    EXPECT_EQ(events[2].data, "");
    EXPECT_EQ(events[3].id, "2");
  }
}

TEST(SseReader, ReadsWhatIsWritten) {
  SseReader reader(1000);
  std::vector<SseEvent> events;
  const std::string text = sse_event("3-1", "", std::chrono::milliseconds(500)) + sse_event("3-2", R"({"a":1})");
  ASSERT_TRUE(reader.feed(text, [&](SseEvent event) { events.push_back(event); }).ok());
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].data, "");
  EXPECT_EQ(events[1].data, R"({"a":1})");
  EXPECT_EQ(reader.last_id(), "3-2");
  EXPECT_EQ(reader.retry(), std::chrono::milliseconds(500));
}

TEST(SseReader, BoundsAnEvent) {
  const auto ignore = [](const SseEvent&) {};
  SseReader one_line(100);
  EXPECT_TRUE(one_line.feed("data: " + std::string(80, 'x'), ignore).ok());
  EXPECT_FALSE(one_line.feed(std::string(80, 'x'), ignore).ok());
  SseReader many_lines(100);
  bool failed = false;
  for (int i = 0; i < 100 && !failed; ++i) failed = !many_lines.feed("data: 123456789\n", ignore).ok();
  EXPECT_TRUE(failed);
  SseReader long_name(100);
  EXPECT_TRUE(long_name.feed("event: " + std::string(80, 'x') + "\n", ignore).ok());
  EXPECT_EQ(long_name.unfinished_bytes(), 80u);
  EXPECT_FALSE(long_name.feed("data: " + std::string(80, 'x'), ignore).ok());
}

}  // namespace
}  // namespace glovebox::mcp
