#include "mcp/server/stdio_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <thread>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

class OverStdio : public testing::Test {
 protected:
  OverStdio() {
    EXPECT_TRUE(
        core.add_tool({.name = "large"}, [](const auto& call) { call->reply_text(std::string(1 << 20, 'x')); }).ok());
  }

  // All that the server answers to these lines, and why it ended.
  std::string converse(const std::string& lines) {
    int in[2];
    int out[2];
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    auto server = StdioServer::start(core, loop.get_executor(), base::UniqueFd(in[0]), base::UniqueFd(out[1]),
                                     [this](Failure failure) {
                                       why = failure.message;
                                       loop.stop();
                                     });
    EXPECT_TRUE(server.ok());
    std::thread writer([fd = base::UniqueFd(in[1]), &lines] {
      for (std::size_t at = 0; at < lines.size();) {
        const ssize_t count = ::write(fd.get(), lines.data() + at, lines.size() - at);
        if (count <= 0) return;
        at += static_cast<std::size_t>(count);
      }
    });
    std::string said;
    std::thread reader([fd = base::UniqueFd(out[0]), &said] {
      char buffer[65536];
      for (ssize_t count; (count = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(count));
    });
    loop.run();
    server->reset();
    loop.restart();
    loop.run();
    writer.join();
    reader.join();
    return said;
  }

  std::string converse_and_read_late(const std::string& lines);

  boost::asio::io_context loop;
  ServerCore core{{.info = {"t", "1", {}}}};
  std::string why;
};

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})"
    "\n";

TEST_F(OverStdio, SaysEverythingBeforeItEnds) {
  std::string lines = kInitialize;
  for (int i = 1; i <= 20; ++i)
    lines += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"tools/call","params":{"name":"large"}})" +
             "\r\n\n";
  const std::string said = converse(lines);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 21);
  EXPECT_GT(said.size(), 20u << 20);
  EXPECT_EQ(why, "the other end has closed its output");
}

// A client that sends all its requests, closes its end and then reads.
TEST_F(OverStdio, AnswersAfterTheEndOfInput) {
  std::shared_ptr<ServerCall> late;
  ASSERT_TRUE(core.add_tool({.name = "late"}, [&](const auto& call) { late = call; }).ok());
  int in[2];
  int out[2];
  ASSERT_EQ(::pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  const std::string lines =
      kInitialize + R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late"}})" + "\n";
  ASSERT_EQ(::write(in[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  ::close(in[1]);
  const base::UniqueFd said(out[0]);
  auto server = StdioServer::start(core, loop.get_executor(), base::UniqueFd(in[0]), base::UniqueFd(out[1]),
                                   [this](const Failure&) { loop.stop(); });
  ASSERT_TRUE(server.ok());
  loop.run();
  ASSERT_TRUE(late);
  EXPECT_FALSE(late->cancelled());
  EXPECT_TRUE(core.is_at_work());
  core.end_calls();
  EXPECT_FALSE(core.is_at_work());
  server->reset();
  loop.restart();
  loop.run();
  char buffer[4096];
  const ssize_t count = ::read(said.get(), buffer, sizeof buffer);
  const std::string text(buffer, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  EXPECT_NE(text.find(R"("id":1,"error":{"code":-32000,"message":"the server is shutting down)"), text.npos) << text;
}

// A client that reads only after it has sent everything. Its lines fit into a pipe.
std::string OverStdio::converse_and_read_late(const std::string& lines) {
  int in[2];
  int out[2];
  EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  EXPECT_EQ(::write(in[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  auto server = StdioServer::start(core, loop.get_executor(), base::UniqueFd(in[0]), base::UniqueFd(out[1]),
                                   [this](Failure failure) {
                                     why = failure.message;
                                     loop.stop();
                                   });
  EXPECT_TRUE(server.ok());
  while (loop.poll() > 0) {
  }
  EXPECT_EQ(why, "") << "it ended although the client only reads slowly";
  ::close(in[1]);
  std::string said;
  std::thread reader([fd = base::UniqueFd(out[0]), &said] {
    char buffer[65536];
    for (ssize_t count; (count = ::read(fd.get(), buffer, sizeof buffer)) > 0;)
      said.append(buffer, static_cast<std::size_t>(count));
  });
  loop.restart();
  loop.run();
  server->reset();
  loop.restart();
  loop.run();
  reader.join();
  return said;
}

TEST_F(OverStdio, AnAnswerThatFindsNoRoomEndsItsCallAndNothingElse) {
  ASSERT_TRUE(
      core.add_tool({.name = "huge"}, [](const auto& call) { call->reply_text(std::string(20 * kMessageMiB, 'x')); })
          .ok());
  std::string lines = kInitialize;
  for (int i = 1; i <= 6; ++i)
    lines +=
        R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"tools/call","params":{"name":"huge"}})" + "\n";
  lines += R"({"jsonrpc":"2.0","id":7,"method":"ping"})"
           "\n";
  const std::string said = converse_and_read_late(lines);
  EXPECT_GT(said.size(), 60 * kMessageMiB) << "what fits is sent";
  EXPECT_LT(said.size(), kMaxQueuedBytes);
  for (int i = 1; i <= 7; ++i) EXPECT_NE(said.find("\"id\":" + std::to_string(i) + ","), std::string::npos) << i;
  EXPECT_NE(said.find(R"("id":6,"error")"), std::string::npos);
  EXPECT_NE(said.find(R"("id":7,"result")"), std::string::npos);
}

TEST_F(OverStdio, ProgressIsDroppedForAClientThatDoesNotRead) {
  ASSERT_TRUE(core.add_tool({.name = "chatty"},
                            [](const auto& call) {
                              for (int i = 1; i <= 200'000; ++i) call->progress(i, std::nullopt, "on its way");
                              call->reply_text("arrived");
                            })
                  .ok());
  const std::string said = converse_and_read_late(
      kInitialize +
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatty","_meta":{"progressToken":1}}})"
      "\n");
  EXPECT_LT(said.size(), 2 * kMaxQueuedBeforeNotices);
  EXPECT_NE(said.find("arrived"), std::string::npos);
}

TEST_F(OverStdio, AnswersWhatIsNoMessage) {
  const std::string said = converse("nonsense\n[]\n" + kInitialize);
  EXPECT_NE(said.find("-32700"), std::string::npos);
  EXPECT_NE(said.find("protocolVersion"), std::string::npos);
}

// A client that cuts a text in the middle of a character, as JavaScript allows, waits for an answer like any other.
TEST_F(OverStdio, TellsWhoAskedThatTheirMessageCannotBeRead) {
  const std::string said =
      converse(kInitialize + R"({"jsonrpc":"2.0","id":"a1","method":"ping","params":{"x":"\ud800"}})" + "\n" +
               R"({"jsonrpc":"2.0","id":7,"result":{"x":"\ud800"}})" + "\n");
  EXPECT_NE(said.find(R"("id":"a1","error":{"code":-32700)"), std::string::npos) << said;
  // That message is a response to us; an error with its id could be taken for the response to a request of the client.
  EXPECT_EQ(said.find(R"("id":7)"), std::string::npos) << said;
}

TEST_F(OverStdio, AQuestionEndsWithAnAnswerThatCannotBeRead) {
  ASSERT_TRUE(core.add_tool({.name = "ask"},
                            [](const auto& call) {
                              call->ask({elicit_form("q", "Well?", R"({"type":"object","properties":{}})")},
                                        [call](Result<Answers, RpcError> answers) {
                                          call->reply_text(answers.ok() ? "answered" : answers.failure().message);
                                        });
                            })
                  .ok());
  const std::string said =
      converse(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
               R"("capabilities":{"elicitation":{}}}})"
               "\n"
               R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
               "\n"
               R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}})"
               "\n"
               R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"reason":"\ud800"}}})"
               "\n");
  EXPECT_NE(said.find("half a surrogate pair"), std::string::npos) << said;
}

TEST_F(OverStdio, EndsAtALineBeyondTheLimit) {
  (void)converse(std::string(kMaxRequestBytes + 100'000, 'x'));
  EXPECT_NE(why.find("larger than"), std::string::npos) << why;
}

TEST_F(OverStdio, ReadsAFileAsWell) {
  const int file = ::memfd_create("lines", MFD_CLOEXEC);
  ASSERT_EQ(::write(file, kInitialize.data(), kInitialize.size()), static_cast<ssize_t>(kInitialize.size()));
  ::lseek(file, 0, SEEK_SET);
  int out[2];
  ASSERT_EQ(::pipe2(out, O_CLOEXEC), 0);
  const base::UniqueFd said(out[0]);
  auto server = StdioServer::start(core, loop.get_executor(), base::UniqueFd(file), base::UniqueFd(out[1]),
                                   [this](const Failure&) { loop.stop(); });
  ASSERT_TRUE(server.ok()) << server.failure().message;
  loop.run();
  server->reset();
  loop.restart();
  loop.run();
  char buffer[4096];
  const ssize_t count = ::read(said.get(), buffer, sizeof buffer);
  ASSERT_GT(count, 0);
  EXPECT_NE(std::string(buffer, static_cast<std::size_t>(count)).find("protocolVersion"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::mcp
