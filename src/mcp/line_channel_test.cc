#include "mcp/line_channel.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::mcp {
namespace {

class LineChannelTest : public testing::Test {
 protected:
  void open(std::size_t max_line_bytes = 1 << 20) {
    int in[2];
    int out[2];
    ASSERT_EQ(::pipe(in), 0);
    ASSERT_EQ(::pipe(out), 0);
    peer_writes.reset(in[1]);
    peer_reads.reset(out[0]);
    auto opened = LineChannel::open(loop.get_executor(), base::UniqueFd(in[0]), base::UniqueFd(out[1]), max_line_bytes);
    ASSERT_TRUE(opened.ok()) << opened.failure().message;
    channel = std::move(opened).value();
    channel->start({.on_line = [this](std::string line) { lines.push_back(std::move(line)); },
                    .on_end = [this](Failure why) { end = std::move(why); }});
  }
  // The channel has read all of it when this returns.
  void receive(const std::string& bytes) {
    ASSERT_EQ(::write(peer_writes.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    for (int i = 0; i < 4; ++i) loop.poll();
  }

  boost::asio::io_context loop;
  base::UniqueFd peer_writes;
  base::UniqueFd peer_reads;
  std::shared_ptr<LineChannel> channel;
  std::vector<std::string> lines;
  std::optional<Failure> end;
};

using Lines = std::vector<std::string>;

TEST_F(LineChannelTest, CutsWhatComesIntoLines) {
  open();
  receive("one\n\r\n\ntwo\r\nthree\n");
  EXPECT_EQ(lines, (Lines{"one", "two", "three"}));
}

TEST_F(LineChannelTest, KeepsTheBeginningOfALineForTheNextRead) {
  open();
  receive("a first line, longer than what follows it\nbegin");
  EXPECT_EQ(lines.size(), 1u);
  receive("ning");
  receive(" and end\nnext");
  EXPECT_EQ(lines, (Lines{"a first line, longer than what follows it", "beginning and end"}));
  receive("\n");
  EXPECT_EQ(lines.back(), "next");
}

TEST_F(LineChannelTest, ReadsLinesOfAnyLengthAmongShortOnes) {
  open();
  const std::string large(300'000, 'x');
  receive("short\n");
  for (std::size_t at = 0; at < large.size(); at += 30'000) receive(large.substr(at, 30'000));
  receive("\nshort again\nhalf");
  receive(" a line\n");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], large);
  EXPECT_EQ(lines[2], "short again");
  EXPECT_EQ(lines[3], "half a line");
}

TEST_F(LineChannelTest, EndsAtALineBeyondTheLimit) {
  open(10);
  receive("0123456789\n");
  EXPECT_EQ(lines, Lines{"0123456789"});
  receive("0123456789x");
  EXPECT_TRUE(end);
}

TEST_F(LineChannelTest, WritesAtOnceWhatFits) {
  open();
  channel->send("one");
  channel->send("two");
  EXPECT_EQ(channel->queued_bytes(), 0u) << "no turn of the loop is needed";
  char read[64];
  EXPECT_EQ(::read(peer_reads.get(), read, sizeof read), 8);
  EXPECT_EQ(std::string_view(read, 8), "one\ntwo\n");
}

TEST_F(LineChannelTest, WritesTheRestWhenThePeerReads) {
  open();
  const std::string large(1 << 20, 'x');
  channel->send(large);
  channel->send("last");
  EXPECT_GT(channel->queued_bytes(), large.size());
  std::string text;
  while (text.size() < large.size() + 6) {
    std::string part(1 << 16, '\0');
    const ssize_t count = ::read(peer_reads.get(), part.data(), part.size());
    ASSERT_GT(count, 0);
    text += part.substr(0, static_cast<std::size_t>(count));
    loop.poll();
  }
  EXPECT_EQ(text, large + "\nlast\n");
  EXPECT_EQ(channel->queued_bytes(), 0u);
}

TEST_F(LineChannelTest, ReportsAFailedWriteFromTheLoop) {
  open();
  peer_reads.reset();
  channel->send("one");
  EXPECT_FALSE(end);
  for (int i = 0; i < 4; ++i) loop.poll();
  EXPECT_TRUE(end);
}

}  // namespace
}  // namespace glovebox::mcp
