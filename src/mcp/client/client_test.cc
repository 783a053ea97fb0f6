// A server that says too much, over a transport of the test's own.
#include "mcp/client/client.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

struct WireOfTest {
  std::vector<OutgoingMessage> sent;
  ClientTransport::Events events;
};

class WireTransport final : public ClientTransport {
 public:
  explicit WireTransport(std::shared_ptr<WireOfTest> wire) : wire_(std::move(wire)) {}
  void start(Events events) override { wire_->events = std::move(events); }
  void send(OutgoingMessage message) override { wire_->sent.push_back(std::move(message)); }
  bool forget(const std::string&) override { return true; }
  void close() override {}

 private:
  std::shared_ptr<WireOfTest> wire_;
};

class TalkativeServer : public testing::Test {
 protected:
  TalkativeServer() {
    ConnectionOptions options{.info = {"t", "1", {}}, .capabilities = R"({"elicitation":{}})"};
    options.on_question = [this](std::string_view, std::string_view, AnswerCallback answer) {
      ++questions;
      if (answers) answer(std::string(R"({"action":"decline"})"));
    };
    options.question_timeout = std::chrono::milliseconds(30);
    options.on_notification = [this](std::string_view, std::string_view) { ++notifications; };
    client = Client::create(loop.get_executor(), std::make_unique<WireTransport>(wire), std::move(options));
  }
  ~TalkativeServer() override { client->close(); }

  void run() {
    loop.restart();
    loop.poll();
  }
  void say(std::string text) {
    auto message = Message::parse(std::move(text), {.max_depth = kMaxMessageDepth});
    ASSERT_TRUE(message.ok()) << message.failure().message;
    wire->events.on_message(std::move(message).value());
  }
  void connect_to_2025() {
    client->connect([](const auto&) {});  // of 2026
    run();
    say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id + R"(,"error":{"code":-32601,"message":"no"}})");
    run();
    say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id +
        R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})");
  }
  void connect_to_2026() {
    client->connect([](const auto&) {});
    run();
    say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id +
        R"(,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}})");
  }
  void call(std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
    client->call("tools/call", R"({"name":"x"})", {.timeout = timeout},
                 [this](const Result<CallReply, RequestFailure>& reply) {
                   failed = reply ? "answered" : reply.failure().message;
                 });
    run();
  }
  void wait_for_end() {
    while (failed.empty()) {
      loop.restart();
      loop.run_one();
    }
  }
  static std::string filled(std::size_t bytes) { return R"("more":")" + std::string(bytes, 'x') + '"'; }

  boost::asio::io_context loop;
  std::shared_ptr<WireOfTest> wire = std::make_shared<WireOfTest>();
  std::shared_ptr<Client> client;
  int questions = 0;
  int notifications = 0;
  bool answers = true;
  std::string failed;  // how the call ended
};

// A tree has many times the size of its text, so what is longer than any such message is not parsed.
TEST_F(TalkativeServer, IsNotHeardWhereANoticeIsTooLong) {
  int progress = 0;
  RequestOptions options;
  options.on_progress = [&](double, std::optional<double>, std::string_view) { ++progress; };
  client->call("tools/call", R"({"name":"x"})", std::move(options), [](const auto&) {});
  run();
  ASSERT_EQ(wire->sent.size(), 1u);
  const auto tell = [&](std::size_t bytes) {
    say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + wire->sent[0].id +
        R"(,"progress":1,)" + filled(bytes) + "}}");
    say(R"({"jsonrpc":"2.0","method":"notifications/message","params":{)" + filled(bytes) + "}}");
  };
  tell(10);
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(notifications, 1);
  tell(kMaxServerNoticeBytes);
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(notifications, 1);
}

TEST_F(TalkativeServer, GetsNoAnswerToAQuestionThatIsTooLong) {
  connect_to_2025();
  const auto ask = [&](std::size_t bytes) {
    say(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{)" + filled(bytes) + "}}");
    return wire->sent.back().text;
  };
  EXPECT_NE(ask(10).find("decline"), std::string::npos);
  EXPECT_NE(ask(kMaxServerQuestionBytes).find("too long"), std::string::npos);
  EXPECT_EQ(questions, 1);
}

TEST_F(TalkativeServer, WhoseQuestionsAreTooLongFailsTheCall) {
  connect_to_2026();
  call();
  say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id +
      R"(,"result":{"resultType":"input_required","requestState":"s",)" + filled(kMaxServerQuestionBytes) + "}}");
  run();
  EXPECT_EQ(failed, "the server's questions are too long");
}

// The person, or the client, may be gone.
TEST_F(TalkativeServer, WhoseQuestionNoOneAnswersHoldsUpItsCallsForAWhileOnly) {
  connect_to_2025();
  answers = false;
  call(std::chrono::milliseconds(10));
  say(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}})");
  EXPECT_EQ(questions, 1);
  wait_for_end();
  EXPECT_TRUE(failed.starts_with("no answer to tools/call")) << failed;
}

TEST_F(TalkativeServer, WhoseAnswerIsAQuestionThatNoOneAnswersEndsTheCall) {
  connect_to_2026();
  answers = false;
  call();
  say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id +
      R"(,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}})");
  EXPECT_EQ(questions, 1);
  wait_for_end();
  EXPECT_EQ(failed, "no answer to the server's question in time");
}

TEST_F(TalkativeServer, ListsNoMoreItemsThanThereIsRoomFor) {
  const auto list = [&](std::size_t count) {
    std::string failed = "nothing";
    client->list("tools/list", "tools", std::size_t{16} << 20,
                 [&](const Result<std::vector<std::string>, RequestFailure>& found) {
                   failed = found ? "" : found.failure().message;
                 });
    run();
    std::string items = "0";
    for (std::size_t i = 1; i < count; ++i) items += ",0";
    say(R"({"jsonrpc":"2.0","id":)" + wire->sent.back().id + R"(,"result":{"tools":[)" + items + "]}}");
    run();
    return failed;
  };
  EXPECT_EQ(list(kMaxListItems), "");
  EXPECT_NE(list(kMaxListItems + 1), "");
}

}  // namespace
}  // namespace glovebox::mcp
