// HTTP servers that are broken, slow or lying.
#include "mcp/client/http_client_transport.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "mcp/client/client.h"
#include "net/scripted_server.h"

namespace glovebox::mcp {
namespace {

using net::testing::Connection;
using net::testing::ScriptedServer;

// Reads one request with its body.
std::string read_request(Connection& connection) {
  const std::string head = connection.read_request_head();
  const std::size_t at = head.find("Content-Length: ");
  const std::string body = at == head.npos ? "" : connection.read_exactly(std::stoul(head.substr(at + 16)));
  return head + body;
}

std::string json_response(const std::string& body, const std::string& status = "200 OK",
                          const std::string& fields = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

constexpr const char* kEventsHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

class HttpClientSide : public testing::Test {
 protected:
  // The result of a call of the 2026 era to a server that answers like this.
  Result<std::string, RequestFailure> call(const ScriptedServer& server,
                                           RequestOptions options = {.timeout = std::chrono::seconds(60)}) {
    auto transport =
        HttpClientTransport::open(loop.get_executor(), http, {.url = server.url("/mcp"), .max_message_bytes = 1 << 16});
    EXPECT_TRUE(transport.ok());
    // The era is fixed without a handshake, so that the first request is the call.
    auto client = Client::create(loop.get_executor(), std::move(transport).value(),
                                 {.info = {"t", "1", {}},
                                  .capabilities = R"({"elicitation":{}})",
                                  .on_question = [](std::string_view, std::string_view, AnswerCallback answer) {
                                    answer(std::string(R"({"action":"decline"})"));
                                  }});
    Result<std::string, RequestFailure> outcome = RequestFailure{};
    bool done = false;
    client->call("tools/call", R"({"name":"x"})", std::move(options), [&](Result<CallReply, RequestFailure> reply) {
      if (reply) {
        outcome = std::string(reply->result());
      } else {
        outcome = reply.failure();
      }
      done = true;
    });
    const auto guard = boost::asio::make_work_guard(loop);
    while (!done) loop.run_one();
    client->close();
    return outcome;
  }
  static ScriptedServer::Script answering(std::string response) {
    return [response = std::move(response)](Connection& connection) {
      while (!read_request(connection).empty())
        if (!connection.send(response)) return;
    };
  }

  boost::asio::io_context loop;
  std::unique_ptr<net::HttpClient> client_side = net::make_http_client();  // ends before the loop
  net::HttpClient& http = *client_side;
};

TEST_F(HttpClientSide, TakesJsonAndEvents) {
  const std::string answer = R"({"jsonrpc":"2.0","id":1,"result":{"a":1}})";
  const ScriptedServer json(answering(json_response(answer)));
  EXPECT_EQ(call(json).value(), R"({"a":1})");
  const ScriptedServer events(answering(
      kEventsHead + std::string(": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\ndata: ") +
      answer + "\n\n"));
  EXPECT_EQ(call(events).value(), R"({"a":1})");
}

TEST_F(HttpClientSide, SaysWhatWentWrong) {
  const auto kind = [&](const std::string& response) {
    const ScriptedServer server([response](Connection& connection) {
      read_request(connection);
      connection.send(response);
    });
    return call(server).failure().kind;
  };
  EXPECT_EQ(kind(json_response("{}", "500 Oops")), RequestFailureKind::kHttp);
  EXPECT_EQ(kind(json_response("{}", "401 No")), RequestFailureKind::kUnauthorized);
  EXPECT_EQ(kind(json_response("not json")), RequestFailureKind::kProtocol);
  EXPECT_EQ(kind(json_response("")), RequestFailureKind::kProtocol);
  EXPECT_EQ(kind(json_response(R"({"jsonrpc":"2.0","id":77,"result":{}})")), RequestFailureKind::kProtocol);
  EXPECT_EQ(kind(json_response(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"m"}})", "400 Bad")),
            RequestFailureKind::kAnswered);
  EXPECT_EQ(kind(json_response(std::string(1 << 17, 'x'))), RequestFailureKind::kTooLarge);
  EXPECT_EQ(kind(kEventsHead + ("data: " + std::string(1 << 17, 'x'))), RequestFailureKind::kTooLarge);
  EXPECT_EQ(kind(kEventsHead + std::string("data: {]\n\n")), RequestFailureKind::kProtocol);
  EXPECT_EQ(kind(kEventsHead), RequestFailureKind::kClosed);
  EXPECT_EQ(kind("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), RequestFailureKind::kUnreachable);
  EXPECT_EQ(kind(""), RequestFailureKind::kUnreachable);
}

// Each message is shorter than the limit, and none of them ends.
TEST_F(HttpClientSide, DoesNotKeepABeginningForEachCall) {
  const ScriptedServer server([](Connection& connection) {
    read_request(connection);
    connection.send(kEventsHead + ("data: " + std::string(50'000, 'x')));
    connection.wait_until_closed();
  });
  auto transport =
      HttpClientTransport::open(loop.get_executor(), http, {.url = server.url("/mcp"), .max_message_bytes = 1 << 16});
  auto client = Client::create(loop.get_executor(), std::move(transport).value(), {.info = {"t", "1", {}}});
  std::vector<RequestFailureKind> ended;
  for (int i = 0; i < 8; ++i) {
    client->call("tools/call", R"({"name":"x"})", {.timeout = std::chrono::seconds(60)},
                 [&](const Result<CallReply, RequestFailure>& reply) { ended.push_back(reply.failure().kind); });
  }
  const auto guard = boost::asio::make_work_guard(loop);
  while (ended.size() < 3) loop.run_one();
  EXPECT_EQ(ended, std::vector<RequestFailureKind>(3, RequestFailureKind::kTooLarge));
  EXPECT_EQ(client->calls_under_way(), 5u) << "as many as there is room for";
  client->close();
}

// A server need not end a stream that has failed, and what it still sends there would be read by no one.
TEST_F(HttpClientSide, ClosesAStreamThatHasFailed) {
  const auto guard = boost::asio::make_work_guard(loop);
  for (const std::string& event : {std::string("data: {]\n\n"), "data: " + std::string(1 << 17, 'x')}) {
    std::atomic<bool> is_closed = false;
    const ScriptedServer server([&](Connection& connection) {
      read_request(connection);
      connection.send(kEventsHead + event);
      is_closed = connection.wait_until_closed();
    });
    auto transport =
        HttpClientTransport::open(loop.get_executor(), http, {.url = server.url("/mcp"), .max_message_bytes = 1 << 16});
    auto client = Client::create(loop.get_executor(), std::move(transport).value(), {.info = {"t", "1", {}}});
    bool has_failed = false;
    client->call("tools/call", R"({"name":"x"})", {.timeout = std::chrono::seconds(60)},
                 [&](const Result<CallReply, RequestFailure>& reply) { has_failed = !reply.ok(); });
    while (!has_failed) loop.run_one();
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_closed && std::chrono::steady_clock::now() < until) loop.run_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(is_closed) << "while its client goes on: " << event.substr(0, 10);
    client->close();
  }
}

TEST_F(HttpClientSide, GivesUpOnSilence) {
  const ScriptedServer server([](Connection& connection) {
    read_request(connection);
    connection.wait_until_closed();
  });
  EXPECT_EQ(call(server, {.timeout = std::chrono::milliseconds(50)}).failure().kind, RequestFailureKind::kTimeout);
}

// A server that ends the stream for its own messages at once, and wants it opened again without a pause.
TEST_F(HttpClientSide, IsNotHurried) {
  std::atomic<int> streams = 0;
  const ScriptedServer server([&streams](Connection& connection) {
    const std::string request = read_request(connection);
    if (request.find("\"initialize\"") != request.npos) {
      connection.send(
          json_response(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})",
                        "200 OK", "Connection: close\r\n"));
    } else if (request.rfind("GET", 0) == 0) {
      ++streams;
      connection.send(kEventsHead + std::string("retry: 0\ndata:\n\n"));
    } else {
      connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
  });
  auto transport = HttpClientTransport::open(loop.get_executor(), http, {.url = server.url("/mcp")});
  auto client = Client::create(loop.get_executor(), std::move(transport).value(),
                               {.info = {"t", "1", {}}, .era = EraChoice::kLegacy});
  client->connect([](const Result<ServerDescription, RequestFailure>& connected) { EXPECT_TRUE(connected.ok()); });
  const auto guard = boost::asio::make_work_guard(loop);
  while (streams < 1) loop.run_one_for(std::chrono::milliseconds(10));
  const auto began = std::chrono::steady_clock::now();
  while (streams < 4) loop.run_one_for(std::chrono::milliseconds(10));
  EXPECT_GE(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(200));
  client->close();
}

TEST_F(HttpClientSide, TakesABrokenStreamUpAgain) {
  const ScriptedServer server([](Connection& connection) {
    const std::string request = read_request(connection);
    if (request.rfind("POST", 0) == 0 && request.find("\"initialize\"") != request.npos)
      connection.send(
          json_response(R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})",
                        "200 OK", "Mcp-Session-Id: s\r\nConnection: close\r\n"));
    else if (request.find("notifications/") != request.npos)
      connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    else if (request.rfind("POST", 0) == 0)
      connection.send(kEventsHead + std::string("id: e1\nretry: 10\ndata: \n\n"));
    else if (request.find("Last-Event-ID: e1") != request.npos && request.find("Mcp-Session-Id: s") != request.npos)
      connection.send(kEventsHead +
                      std::string("data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resumed\":true}}\n\n"));
    else
      connection.send("HTTP/1.1 405 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  auto transport = HttpClientTransport::open(loop.get_executor(), http, {.url = server.url("/mcp")});
  auto client = Client::create(loop.get_executor(), std::move(transport).value(),
                               {.info = {"t", "1", {}}, .era = EraChoice::kLegacy});
  std::string result;
  client->connect([&](Result<ServerDescription, RequestFailure> connected) {
    ASSERT_TRUE(connected.ok()) << connected.failure().message;
    client->call("tools/call", "", {}, [&](Result<CallReply, RequestFailure> reply) {
      ASSERT_TRUE(reply.ok()) << reply.failure().message;
      result = std::string(reply->result());
    });
  });
  const auto guard = boost::asio::make_work_guard(loop);
  while (result.empty()) loop.run_one();
  EXPECT_EQ(result, R"({"resumed":true})");
  client->close();
}

TEST(GrantFor, NamesHostAndPort) {
  EXPECT_EQ(grant_for("https://a.x/mcp").value(), "a.x:443");
  EXPECT_EQ(grant_for("http://a.x:81").value(), "a.x:81");
  EXPECT_EQ(grant_for("http://[::1]/x").value(), "[::1]:80");
  EXPECT_FALSE(grant_for("ftp://a.x").ok());
  EXPECT_FALSE(grant_for("http:///x").ok());
}

}  // namespace
}  // namespace glovebox::mcp
