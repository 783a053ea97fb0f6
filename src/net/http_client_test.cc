#include "net/http_client.h"

#include <gtest/gtest.h>

#include <set>

#include "net/compressed_samples.h"
#include "net/fetch_sync.h"
#include "net/own_network.h"
#include "net/scripted_server.h"

namespace glovebox::net {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)

std::string header(const ResponseHead& head, std::string_view name) {
  std::string all;
  for (const Header& header : head.headers) {
    if (header.name == name) all += (all.empty() ? "" : ", ") + header.value;
  }
  return all;
}

// Answers each request with its own text, and keeps the connection.
void echo(Connection& connection) {
  while (true) {
    const std::string head = connection.read_request_head();
    if (head.empty() || !connection.send(ok_response(head))) return;
  }
}

TEST(HttpClient, FetchesAndReads) {
  ScriptedServer server(always("HTTP/1.1 201 Made It\r\nContent-Length: 5\r\nX-A: 1\r\nx-a: 2\r\nEmpty:\r\n\r\nhello"));
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.url = server.url("/path?q#f")});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().head.status, 201);
  EXPECT_EQ(response.value().head.status_text, "Made It");
  EXPECT_EQ(response.value().head.url, server.url("/path?q"));
  EXPECT_FALSE(response.value().head.redirected);
  EXPECT_EQ(response.value().head.headers,
            (Headers{{"Content-Length", "5"}, {"X-A", "1"}, {"x-a", "2"}, {"Empty", ""}}));
  EXPECT_EQ(response.value().body, "hello");
}

TEST(HttpClient, SendsWhatItIsGivenAndLittleElse) {
  ScriptedServer server(echo);
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.method = "delete",
                                             .url = server.url("/a%20b?c=d"),
                                             .headers = {{"X-Key", "v"}, {"X-Empty", ""}, {"Host", "evil.com"}}});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().body, "DELETE /a%20b?c=d HTTP/1.1\r\nHost: " + server.target() +
                                       "\r\nAccept: */*\r\nX-Key: v\r\nX-Empty:\r\n"
                                       "Accept-Encoding: gzip, deflate, br, zstd\r\nUser-Agent: glovebox\r\n\r\n");
}

TEST(HttpClient, KeepsAConnectionWithinASessionOnly) {
  ScriptedServer server(echo);
  const auto client = make_http_client();
  const auto first = client->open(grants({server.target()}));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(fetch_all(*first, {.url = server.url()}).ok());
  EXPECT_EQ(server.connections(), 1);
  const auto second = client->open(grants({server.target()}));
  ASSERT_TRUE(fetch_all(*second, {.url = server.url()}).ok());
  EXPECT_EQ(server.connections(), 2) << "another run makes connections of its own";
}

TEST(HttpClient, ClosesConnectionsWithTheirSession) {
  std::promise<void> closed;
  ScriptedServer server([&](Connection& connection) {
    connection.read_request_head();
    connection.send(ok_response("x"));
    if (connection.wait_until_closed()) closed.set_value();
  });
  const auto client = make_http_client();
  auto session = client->open(grants({server.target()}));
  ASSERT_TRUE(fetch_all(*session, {.url = server.url()}).ok());
  session.reset();
  closed.get_future().get();
}

TEST(HttpClient, KnowsResponsesWithoutABody) {
  const char* responses[] = {
      "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n"};
  for (const char* text : responses) {
    ScriptedServer server(always(text));
    const auto client = make_http_client();
    const auto session = client->open(grants({server.target()}));
    const auto response = fetch_all(*session, {.url = server.url()});
    ASSERT_TRUE(response.ok()) << text << response.failure().message;
    EXPECT_EQ(response.value().body, "");
    ASSERT_TRUE(fetch_all(*session, {.url = server.url()}).ok());
    EXPECT_EQ(server.connections(), 1) << "the connection is good for another request after " << text;
  }
  ScriptedServer server(always("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nContent-Encoding: gzip\r\n\r\n"));
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.method = "HEAD", .url = server.url()});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(header(response.value().head, "Content-Length"), "1000");
  EXPECT_EQ(header(response.value().head, "Content-Encoding"), "gzip");
  EXPECT_EQ(response.value().body, "");
}

TEST(HttpClient, PassesOverInterimResponses) {
  ScriptedServer server(
      always("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok_response("x")));
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.url = server.url()});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().head.status, 200);
  EXPECT_EQ(header(response.value().head, "Link"), "");
}

TEST(HttpClient, DecompressesAndSaysSo) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
  const struct {
    const char* coding;
    std::string data;
    std::string expected;
  } rows[] = {
      {"gzip", gzip_of(text), text},
      {"deflate", gzip_of(text, 15), text},
      {"br", from_hex("1b1200f88d946ede44095286966c2c6f114f24d07100"), "hello, hello, hello"},
      {"zstd", zstd_of_zeros(1'000'000), std::string(1'000'000, '\0')},
  };
  for (const auto& row : rows) {
    ScriptedServer server(always(ok_response(row.data, std::string("Content-Encoding: ") + row.coding + "\r\n")));
    const auto client = make_http_client();
    const auto session = client->open(grants({server.target()}));
    const auto response = fetch_all(*session, {.url = server.url()});
    ASSERT_TRUE(response.ok()) << response.failure().message;
    EXPECT_TRUE(response.value().body == row.expected) << row.coding;
    EXPECT_EQ(response.value().head.headers, Headers{}) << "neither length nor coding is that of what is read";
  }
  ScriptedServer unknown(always(ok_response("raw", "Content-Encoding: rot13\r\n")));
  const auto client = make_http_client();
  const auto session = client->open(grants({unknown.target()}));
  const auto response = fetch_all(*session, {.url = unknown.url()});
  EXPECT_EQ(response.value().body, "raw");
  EXPECT_EQ(header(response.value().head, "Content-Encoding"), "rot13");
}

TEST(HttpClient, SendsBodies) {
  ScriptedServer server([](Connection& connection) {
    const std::string head = connection.read_request_head();
    std::string body;
    if (head.find("chunked") != std::string::npos) {
      body = connection.read_until("\r\n0\r\n\r\n");
    } else if (const auto at = head.find("Content-Length: "); at != std::string::npos) {
      body = connection.read_exactly(std::stoul(head.substr(at + 16)));
    }
    connection.send(ok_response(head + body));
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto sent = [&](HttpRequest request) {
    request.url = server.url();
    const auto response = fetch_all(*session, std::move(request));
    return response.ok() ? response.value().body : response.failure().message;
  };
  const std::string posted = sent({.method = "POST", .headers = {{"Content-Type", "text/x"}}, .body = "hello"});
  EXPECT_TRUE(posted.starts_with("POST / HTTP/1.1\r\n"));
  EXPECT_NE(posted.find("Content-Length: 5\r\n"), std::string::npos) << posted;
  EXPECT_NE(posted.find("Content-Type: text/x\r\n"), std::string::npos) << posted;
  EXPECT_EQ(posted.find("Expect"), std::string::npos);
  EXPECT_TRUE(posted.ends_with("\r\n\r\nhello"));
  EXPECT_TRUE(sent({.method = "PATCH", .body = "x"}).starts_with("PATCH "));
  EXPECT_NE(sent({.method = "POST"}).find("Content-Length: 0\r\n"), std::string::npos);
  EXPECT_NE(sent({.method = "PUT", .body = ""}).find("Content-Length: 0\r\n"), std::string::npos);
  EXPECT_EQ(sent({.method = "OPTIONS"}).find("Content-Length"), std::string::npos);
  EXPECT_EQ(sent({.method = "GET", .body = "x"}), "Request with GET/HEAD method cannot have body");

  auto started = start(*session, {.method = "POST", .url = server.url(), .body = StreamedBody{}});
  EXPECT_TRUE(write(*started.exchange, "one ", false).value());
  EXPECT_TRUE(write(*started.exchange, "", false).value());
  EXPECT_FALSE(write(*started.exchange, "two", true).value());
  EXPECT_FALSE(write(*started.exchange, "three", true).ok());
  ASSERT_TRUE(started.head.get().ok());
  const std::string streamed = read_all(*started.exchange).value();
  EXPECT_NE(streamed.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << streamed;
  EXPECT_NE(streamed.find("4\r\none \r\n"), std::string::npos) << streamed;
  EXPECT_NE(streamed.find("3\r\ntwo\r\n"), std::string::npos) << streamed;

  auto sized = start(*session, {.method = "PUT", .url = server.url(), .body = StreamedBody{6}});
  EXPECT_TRUE(write(*sized.exchange, "one", false).value());
  EXPECT_FALSE(write(*sized.exchange, "two", true).value());
  ASSERT_TRUE(sized.head.get().ok());
  const std::string whole = read_all(*sized.exchange).value();
  EXPECT_NE(whole.find("Content-Length: 6\r\n"), std::string::npos) << whole;
  EXPECT_TRUE(whole.ends_with("\r\n\r\nonetwo")) << whole;

  auto too_long = start(*session, {.method = "PUT", .url = server.url(), .body = StreamedBody{6}});
  EXPECT_EQ(write(*too_long.exchange, "one two", true).failure().kind, FetchError::Kind::kInvalid);
  EXPECT_EQ(too_long.head.get().failure().kind, FetchError::Kind::kInvalid);
}

// A body of 64 MB in both directions at once, through buffers of a few hundred kilobytes.
TEST(HttpClient, StreamsBothWays) {
  constexpr std::size_t kTotal = 64 << 20;
  ScriptedServer server([](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kTotal) + "\r\n\r\n");
    for (std::size_t sent = 0; sent < kTotal;) {
      const std::string size = connection.read_until("\r\n");
      if (size.empty()) return;
      const std::size_t count = std::stoul(size, nullptr, 16);
      if (count == 0) return;
      if (!connection.send(connection.read_exactly(count + 2).substr(0, count))) return;
      sent += count;
    }
    connection.wait_until_closed();
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  auto started = start(*session, {.method = "POST", .url = server.url(), .body = StreamedBody{}});
  std::thread writer([&] {
    for (std::size_t sent = 0; sent < kTotal;) {
      std::string piece(kMaxWriteBytes, static_cast<char>('a' + sent / kMaxWriteBytes % 26));
      sent += piece.size();
      EXPECT_TRUE(write(*started.exchange, std::move(piece), sent == kTotal).ok());
    }
  });
  ASSERT_TRUE(started.head.get().ok());
  std::size_t received = 0;
  while (true) {
    auto chunk = read(*started.exchange);
    ASSERT_TRUE(chunk.ok()) << chunk.failure().message;
    if (chunk->done) break;
    ASSERT_LE(chunk->bytes.size(), kReadBytes);
    for (const char c : {chunk->bytes.front(), chunk->bytes.back()}) {
      EXPECT_TRUE(c >= 'a' && c <= 'z');
    }
    EXPECT_EQ(chunk->bytes.front(), static_cast<char>('a' + received / kMaxWriteBytes % 26));
    received += chunk->bytes.size();
  }
  EXPECT_EQ(received, kTotal);
  writer.join();
}

TEST(HttpClient, ReceivesNothingThatNobodyReads) {
  std::atomic<std::size_t> sent = 0;
  ScriptedServer server([&](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
    const std::string piece(65536, 'x');
    while (connection.send(piece)) sent = connection.sent_bytes();
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  auto started = start(*session, {.url = server.url()});
  ASSERT_TRUE(started.head.get().ok());
  // The kernel's buffers fill up, and then the server blocks.
  std::size_t before = 1;
  for (int quiet = 0; quiet < 10;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    quiet = sent == before ? quiet + 1 : 0;
    before = sent;
  }
  EXPECT_LT(before, 16u << 20);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(read(*started.exchange).ok());
  started.exchange.reset();
}

TEST(HttpClient, HoldsTheNumberOfRequestsAtOneTime) {
  std::atomic<int> at_once = 0, most = 0;
  ScriptedServer server([&](Connection& connection) {
    while (!connection.read_request_head().empty()) {
      const int now = ++at_once;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --at_once;
      connection.send(ok_response("x"));
    }
  });
  const auto client = make_http_client({.max_concurrent = 6});
  SessionLimits limits;
  limits.max_concurrent = 4;
  const auto one = client->open(grants({server.target()}), limits),
             two = client->open(grants({server.target()}), limits);
  std::vector<Started> all;
  for (int i = 0; i < 100; ++i) all.push_back(start(i % 2 ? *one : *two, {.url = server.url()}));
  for (Started& started : all) ASSERT_TRUE(started.head.get().ok());
  EXPECT_LE(most, 6);
  EXPECT_GT(most, 1);
}

TEST(HttpClient, ServesManyAtOnce) {
  ScriptedServer server(echo);
  const auto client = make_http_client();
  std::vector<std::unique_ptr<HttpSession>> sessions;
  std::vector<Started> all;
  for (int run = 0; run < 20; ++run) {
    sessions.push_back(client->open(grants({server.target()})));
    for (int i = 0; i < 50; ++i) {
      all.push_back(start(*sessions.back(), {.url = server.url("/" + std::to_string(run) + "/" + std::to_string(i))}));
    }
  }
  std::set<std::string> bodies;
  for (Started& started : all) {
    ASSERT_TRUE(started.head.get().ok());
    bodies.insert(read_all(*started.exchange).value());
  }
  EXPECT_EQ(bodies.size(), 1000u);
}

TEST(HttpClient, LimitsOpenResponses) {
  ScriptedServer server(echo);
  const auto client = make_http_client();
  SessionLimits limits;
  limits.max_open = 3;
  const auto session = client->open(grants({server.target()}), limits);
  std::vector<Started> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(start(*session, {.url = server.url()}));
    ASSERT_TRUE(all.back().head.get().ok());
  }
  auto fourth = start(*session, {.url = server.url()});
  EXPECT_EQ(fourth.head.get().failure().kind, FetchError::Kind::kLimit);
  all.pop_back();
  EXPECT_TRUE(fetch_all(*session, {.url = server.url()}).ok()) << "one that is gone makes room";
}

TEST(HttpClient, SaysWhyItFailed) {
  const auto client = make_http_client({.look_up = [](const std::string&) -> Result<Addresses> {
    return Failure{ErrorCode::kNotFound, "Name or service not known"};
  }});
  const auto session = client->open(grants({"*", "127.0.0.1"}));
  const auto unknown = fetch_all(*session, {.url = "http://nowhere.example/x"});
  EXPECT_EQ(unknown.failure().kind, FetchError::Kind::kNetwork);
  EXPECT_EQ(unknown.failure().message,
            "error sending request for url (http://nowhere.example/x): client error (Connect): dns error: failed to "
            "lookup address information: Name or service not known");
  const auto closed = fetch_all(*session, {.url = "http://127.0.0.1:1/"});
  EXPECT_EQ(
      closed.failure().message,
      "error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect error: Connection "
      "refused (os error 111)");
  ScriptedServer silent([](Connection& connection) { connection.read_request_head(); });
  EXPECT_EQ(fetch_all(*session, {.url = silent.url()}).failure().message,
            "error sending request for url (" + silent.url() + "): connection closed before message completed");
  ScriptedServer short_body([](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
  });
  auto started = start(*session, {.url = short_body.url()});
  ASSERT_TRUE(started.head.get().ok());
  EXPECT_EQ(read(*started.exchange).value().bytes, "short") << "what came is not lost";
  EXPECT_EQ(read(*started.exchange).failure().message, "error reading a body from connection");
}

TEST(HttpClient, ReadsOneAtATime) {
  ScriptedServer server([](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    connection.wait_until_closed();
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  auto started = start(*session, {.url = server.url()});
  ASSERT_TRUE(started.head.get().ok());
  std::promise<FetchResult<Chunk>> first;
  started.exchange->read([&](FetchResult<Chunk> chunk) { first.set_value(std::move(chunk)); });
  EXPECT_EQ(read(*started.exchange).failure().kind, FetchError::Kind::kInvalid);
  EXPECT_EQ(write(*started.exchange, "x", true).failure().kind, FetchError::Kind::kInvalid);
  started.exchange->cancel();
  EXPECT_EQ(first.get_future().get().failure().kind, FetchError::Kind::kCancelled);
}

}  // namespace
}  // namespace glovebox::net
