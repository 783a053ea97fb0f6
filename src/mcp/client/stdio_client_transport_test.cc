// Servers that are broken, slow, chatty or lying: each affects only its own calls, with the reason reported.
#include "mcp/client/stdio_client_transport.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "mcp/client/client.h"

namespace glovebox::mcp {
namespace {

constexpr const char* kGreeting =
    R"(read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},)"
    R"("serverInfo":{"name":"s","version":"1"}}}'; read line; )";

class Stdio : public testing::Test {
 protected:
  // A server that is a shell script, after its part of the handshake.
  void start(const std::string& script, std::size_t max_message_bytes = 1 << 20) {
    auto spawned = StdioClientTransport::spawn(loop.get_executor(), {.words = {"bash", "-c", kGreeting + script},
                                                                     .environment = {"PATH=/usr/bin:/bin"},
                                                                     .max_message_bytes = max_message_bytes});
    ASSERT_TRUE(spawned.ok()) << spawned.failure().message;
    transport = spawned->get();
    client = Client::create(loop.get_executor(), std::move(spawned).value(),
                            {.info = {"test", "1", {}},
                             .era = EraChoice::kLegacy,
                             .on_notification = [this](std::string_view, std::string_view) { ++notifications; }});
    bool connected = false;
    client->connect([&](Result<ServerDescription, RequestFailure> server) {
      EXPECT_TRUE(server.ok()) << server.failure().message;
      connected = true;
    });
    run_until(connected);
  }

  void run_until(const bool& done) {
    while (!done && loop.run_one() > 0) {
    }
    ASSERT_TRUE(done);
  }

  Result<std::string, RequestFailure> call(std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
    Result<std::string, RequestFailure> outcome = RequestFailure{};
    bool done = false;
    client->call("tools/call", R"({"name":"x"})", {.timeout = timeout}, [&](Result<CallReply, RequestFailure> reply) {
      if (reply) {
        outcome = std::string(reply->result());
      } else {
        outcome = reply.failure();
      }
      done = true;
    });
    run_until(done);
    return outcome;
  }

  boost::asio::io_context loop;
  StdioClientTransport* transport = nullptr;
  std::shared_ptr<Client> client;
  int notifications = 0;
};

// JSON allows line breaks between tokens, and a server over stdio reads lines: what is on a line of its own would be
// another message, which has not been checked.
TEST_F(Stdio, ArgumentsWithLineBreaksAreOneMessage) {
  start(R"(read first; read -t 1 second; )"
        R"(printf '{"jsonrpc":"2.0","id":2,"result":{"second":"%s"}}\n' "$second"; sleep 100)");
  Result<std::string, RequestFailure> outcome = RequestFailure{};
  bool done = false;
  client->call("tools/call", "{\"name\":\"x\",\"arguments\":{\"a\":\n{\"id\":9}\r\n\r}}", {},
               [&](Result<CallReply, RequestFailure> reply) {
                 if (reply) outcome = std::string(reply->result());
                 done = true;
               });
  run_until(done);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value(), R"({"second":""})");
}

// Whatever a server says of itself, it must not end the gateway.
TEST_F(Stdio, InstructionsThatAreNoTextAreNone) {
  for (const std::string said : {"1", "null", "true", "{}", "[]"}) {
    const std::string script =
        R"(read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("serverInfo":{"name":"s","version":"1"},"instructions":)" +
        said + "}}'; cat >/dev/null";
    auto spawned = StdioClientTransport::spawn(
        loop.get_executor(),
        {.words = {"bash", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}, .max_message_bytes = 1 << 20});
    ASSERT_TRUE(spawned.ok()) << spawned.failure().message;
    client = Client::create(loop.get_executor(), std::move(spawned).value(),
                            {.info = {"test", "1", {}}, .era = EraChoice::kLegacy});
    std::string instructions = "nothing came";
    bool connected = false;
    client->connect([&](Result<ServerDescription, RequestFailure> server) {
      if (server) instructions = server->instructions;
      connected = true;
    });
    run_until(connected);
    EXPECT_EQ(instructions, "") << said;
    client->close();
  }
}

TEST_F(Stdio, GivesTheResultAsItCame) {
  start(R"(read line; echo '{"jsonrpc":"2.0","id":2,"result":{"a" : 1.0e2 }}'; cat >/dev/null)");
  EXPECT_EQ(call().value(), R"({"a" : 1.0e2 })");
}

// Node writes its version below the error, Python writes nothing.
TEST_F(Stdio, SaysTheLineWithTheError) {
  start(
      "read line; printf 'node:internal/x:1\\n  throw err;\\n\\nError: Cannot find module y\\n    at "
      "a\\n}\\n\\nNode.js v20\\n'"
      " >&2; exit 1");
  EXPECT_EQ(call().failure().message, "the server ended with exit code 1: Error: Cannot find module y");
}

TEST_F(Stdio, SaysThatTheServerEnded) {
  start("read line; echo 'no disk' >&2; exit 3");
  const auto outcome = call();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.failure().kind, RequestFailureKind::kClosed);
  EXPECT_EQ(outcome.failure().message, "the server ended with exit code 3: no disk");
  EXPECT_TRUE(client->closed());
  // Later calls get the same failure.
  EXPECT_EQ(call().failure().kind, RequestFailureKind::kClosed);
}

// Its exit is known before all of its last words are read.
TEST_F(Stdio, SaysTheLastOfManyWords) {
  start("read line; seq 1 12000 >&2; echo 'no disk' >&2; exit 3");
  EXPECT_EQ(call().failure().message, "the server ended with exit code 3: no disk");
}

TEST_F(Stdio, SaysThatTheServerWasKilled) {
  start("read line; kill -9 $$");
  EXPECT_EQ(call().failure().message, "the server was killed by signal 9");
}

TEST_F(Stdio, EndsWithAServerThatSpeaksNoJson) {
  start("read line; echo 'Server ready!'; cat >/dev/null");
  EXPECT_EQ(call().failure().kind, RequestFailureKind::kProtocol);
}

TEST_F(Stdio, GivesUpOnSilence) {
  start("cat >/dev/null");
  const auto outcome = call(std::chrono::milliseconds(50));
  EXPECT_EQ(outcome.failure().kind, RequestFailureKind::kTimeout);
  EXPECT_EQ(outcome.failure().message, "no answer to tools/call within 0.05 s");
  EXPECT_EQ(client->calls_under_way(), 0u);
}

TEST_F(Stdio, TakesNoAnswerUnderAWrongId) {
  start(R"(read line; for id in 1 3 99 '"2"' null; do echo '{"jsonrpc":"2.0","id":'$id',"result":{}}'; done; cat )"
        R"(>/dev/null)");
  const auto outcome = call(std::chrono::milliseconds(100));
  // A response with the id null is not a valid message.
  EXPECT_TRUE(outcome.failure().kind == RequestFailureKind::kTimeout ||
              outcome.failure().kind == RequestFailureKind::kProtocol);
}

TEST_F(Stdio, TakesTheFirstOfTwoAnswers) {
  start(R"(read line; for n in 1 2; do echo '{"jsonrpc":"2.0","id":2,"result":{"n":'$n'}}'; done; cat >/dev/null)");
  EXPECT_EQ(call().value(), R"({"n":1})");
}

TEST_F(Stdio, EndsWithAMessageBeyondTheLimit) {
  start("read line; head -c 100000000 /dev/zero | tr '\\0' x; cat >/dev/null", 1 << 16);
  EXPECT_EQ(call().failure().kind, RequestFailureKind::kTooLarge);
}

TEST_F(Stdio, LivesThroughAFloodOfNotifications) {
  start(R"(read line; i=0; while [ $i -lt 20000 ]; do echo '{"jsonrpc":"2.0","method":"n"}'; i=$((i+1)); done; )"
        R"(echo '{"jsonrpc":"2.0","id":2,"result":{}}'; cat >/dev/null)");
  EXPECT_TRUE(call().ok());
  EXPECT_EQ(notifications, 20000);
}

TEST_F(Stdio, KeepsTheEndOfTheLog) {
  start(R"(read line; head -c 3000000 /dev/zero | tr '\0' x >&2; echo last >&2; )"
        R"(echo '{"jsonrpc":"2.0","id":2,"result":{}}'; cat >/dev/null)");
  EXPECT_TRUE(call().ok());
  while (transport->log().find("last") == std::string::npos) loop.run_one();
  EXPECT_LE(transport->log().size(), 2 * kMaxServerLogBytes);
}

TEST_F(Stdio, RefusesQuestionsThatWeDoNotOffer) {
  start(R"(read call; echo '{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}'; read answer; )"
        R"(echo '{"jsonrpc":"2.0","id":2,"result":{"told":'$answer'}}'; cat >/dev/null)");
  const std::string answer = call().value();
  EXPECT_NE(answer.find("-32601"), std::string::npos) << answer;
}

TEST_F(Stdio, TellsTheServerOfACancellation) {
  start(R"(read call; read cancelled; echo "$cancelled" >&2; cat >/dev/null)");
  bool ended = false;
  const CallId id = client->call("tools/call", "", {}, [&](Result<CallReply, RequestFailure> reply) {
    EXPECT_EQ(reply.failure().kind, RequestFailureKind::kCancelled);
    ended = true;
  });
  for (int i = 0; i < 3; ++i) loop.poll();
  client->cancel(id);
  EXPECT_TRUE(ended);
  while (transport->log().find("notifications/cancelled") == std::string::npos) loop.run_one();
}

TEST_F(Stdio, KillsAServerThatStays) {
  start("trap '' TERM HUP INT; echo $$ >&2; while :; do sleep 1; done");
  while (transport->log().find('\n') == std::string::npos) loop.run_one();
  const pid_t pid = static_cast<pid_t>(std::stol(transport->log()));
  client->close();
  client.reset();
  loop.run();
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST(StdioClientTransport, SaysWhatCannotBeStarted) {
  boost::asio::io_context loop;
  EXPECT_EQ(StdioClientTransport::spawn(loop.get_executor(), {.words = {"no-such-program"}}).failure().code,
            ErrorCode::kNotFound);
  EXPECT_FALSE(StdioClientTransport::spawn(loop.get_executor(), {.words = {}}).ok());
  EXPECT_FALSE(StdioClientTransport::spawn(loop.get_executor(), {.words = {"/bin/true"}, .folder = "/nowhere"}).ok());
}

}  // namespace
}  // namespace glovebox::mcp
