#include "check/language_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "check/limits.h"

namespace glovebox::check {
namespace {

std::string framed(const std::string& message) {
  return "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + message;
}

// A server whose output is scripted.
class Scripted : public ::testing::Test {
 protected:
  Scripted() {
    ::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    their_input_.reset(ends[0]);
    our_input_.reset(ends[1]);
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    our_output_.reset(ends[0]);
    their_output_.reset(ends[1]);
    ::fcntl(their_output_.get(), F_SETPIPE_SZ, 1 << 20);
  }

  void say(const std::string& bytes) {
    ASSERT_EQ(::write(their_output_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  std::string heard() {
    std::string text(1 << 16, '\0');
    const ssize_t count = ::read(their_input_.get(), text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
  }

  std::string ask() {
    LanguageServer server(our_input_.get(), our_output_.get(), stop_.get());
    const auto answer = server.ask("m", "{}", deadline_);
    return answer ? answer.value() : "failure: " + answer.failure().message;
  }

  base::UniqueFd their_input_, our_input_, our_output_, their_output_;
  base::UniqueFd stop_{::eventfd(0, EFD_CLOEXEC)};
  LanguageServer::Deadline deadline_ = std::chrono::steady_clock::now() + std::chrono::hours(1);
};

TEST_F(Scripted, AnswersAQuestion) {
  say(framed(R"({"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}})"));
  EXPECT_EQ(ask(), R"({"a":[1,2]})");
}

TEST_F(Scripted, IsReadThroughItsOwnWords) {
  say(framed(R"({"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"…"}})") +
      framed(R"({"jsonrpc":"2.0","id":"r1","method":"client/registerCapability","params":{}})") +
      framed(R"({"jsonrpc":"2.0","id":1,"result":null})"));
  EXPECT_EQ(ask(), "null");
}

TEST_F(Scripted, IsRefusedWhatItAsks) {
  LanguageServer server(our_input_.get(), our_output_.get(), stop_.get());
  say(framed(R"({"jsonrpc":"2.0","id":"r1","method":"workspace/applyEdit","params":{}})") +
      framed(R"({"jsonrpc":"2.0","id":1,"result":1})"));
  ASSERT_TRUE(server.ask("m", "{}", deadline_));
  say(framed(R"({"jsonrpc":"2.0","method":"x"})") + framed(R"({"jsonrpc":"2.0","id":2,"result":1})"));
  ASSERT_TRUE(server.ask("n", "{}", deadline_));
  EXPECT_NE(heard().find(R"("id":"r1","error")"), std::string::npos);
}

TEST_F(Scripted, IsNotBelieved) {
  const std::string cases[] = {
      "Content-Length: 5\r\n\r\nhello",
      "Content-Length: -5\r\n\r\n{}",
      "Content-Length: 99999999999999999999999\r\n\r\n{}",
      "Content-Length: " + std::to_string(kMostMessageBytes + 1) + "\r\n\r\n{}",
      "Content-Length: 0\r\n\r\n",
      "Nonsense: 2\r\n\r\n{}",
      std::string(5000, 'x'),
      std::string(5000, 'x') + "\r\n\r\n",
      framed("[]"),
      framed("{}"),
      framed(R"({"id":2,"result":1})"),
      framed(R"({"id":"1","result":1})"),
      framed(R"({"id":1})"),
      framed(R"({"id":1,"error":{"message":"boom"}})"),
      framed(R"({"id":1,"error":7})"),
      framed("{\"id\":1,\"result\":\"\xff\"}"),
      framed(std::string(100'000, '[')),
  };
  for (const std::string& bytes : cases) {
    say(bytes);
    EXPECT_TRUE(ask().starts_with("failure: ")) << bytes.substr(0, 60);
    while (true) {
      char rest[65536];
      if (::read(our_output_.get(), rest, sizeof rest) <= 0) break;
    }
  }
}

TEST_F(Scripted, IsNotWaitedForBeyondTheDeadline) {
  deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  say("Content-Length: 50\r\n\r\n{");
  EXPECT_EQ(ask(), "failure: the type checker took too long");
}

TEST_F(Scripted, IsLeftWhenAskedTo) {
  const std::uint64_t one = 1;
  ASSERT_EQ(::write(stop_.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  EXPECT_EQ(ask(), "failure: the type checker is being closed");
}

TEST_F(Scripted, MayEnd) {
  their_output_.reset();
  EXPECT_EQ(ask(), "failure: the type checker ended");
}

TEST_F(Scripted, MayStopReading) {
  their_input_.reset();
  EXPECT_EQ(ask(), "failure: the type checker ended");
}

}  // namespace
}  // namespace glovebox::check
