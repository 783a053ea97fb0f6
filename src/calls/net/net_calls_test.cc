#include "calls/net/net_calls.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <deque>

#include "broker/call_desk.h"
#include "net/fetch_sync.h"
#include "net/scripted_server.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

using net::testing::Connection;
using net::testing::ok_response;
using net::testing::ScriptedServer;

// A desk with only the network behind it; the test plays the guest.
class NetCallsTest : public testing::Test {
 protected:
  struct Reply {
    std::string json;
    std::string bytes;  // that came before it
  };

  ~NetCallsTest() override {
    if (desk_) end();
  }

  void grant(std::vector<std::string> texts, net::SessionLimits limits = {},
             std::chrono::milliseconds time = std::chrono::hours(1)) {
    broker::CallDesk::Links links;
    links.send = [this](OutgoingBytes bytes) { sent(bytes.bytes.substr(wire::kPrefixBytes)); };
    links.unsent_bytes = [] { return std::size_t{0}; };
    links.now_ms = [] { return 1000; };
    links.blocked = [this](std::string message) { blocked_.push_back(std::move(message)); };
    links.pause_reading = [this](bool pause) { paused_ = pause; };
    links.violation = [this](std::string why) { violation_ = std::move(why); };
    desk_ = std::make_shared<broker::CallDesk>(std::move(links));
    const auto open = [this, texts, limits]() -> Result<std::unique_ptr<net::HttpSession>> {
      if (fails_to_open_) return Failure{ErrorCode::kProtocol, "no session today"};
      return client_->open(net::testing::grants(texts), limits);
    };
    desk_->add("net", std::make_unique<NetCalls>(io_, open, std::chrono::steady_clock::now() + time));
  }

  std::uint64_t call(const std::string& op, const std::string& arguments_json, std::string_view bytes = {}) {
    const std::uint64_t id = ++last_id_;
    simdjson::dom::object arguments;
    parsers_.emplace_back();
    EXPECT_EQ(parsers_.back().parse(arguments_json).get(arguments), simdjson::SUCCESS) << arguments_json;
    desk_->open({id, op, CallArguments(arguments), bytes.size()});
    while (!bytes.empty()) {
      run_until([this] { return !paused_; });
      desk_->data({id, 0, bytes.substr(0, wire::kMaxDataBytes)});
      bytes.remove_prefix(std::min(bytes.size(), wire::kMaxDataBytes));
    }
    return id;
  }
  std::uint64_t fetch(const std::string& url, const std::string& more = R"("method":"GET","body":"none")",
                      std::string_view bytes = {}) {
    return call("net.fetch", R"({"url":")" + url + R"(","headers":[],"redirect":"follow",)" + more + "}", bytes);
  }
  std::uint64_t read(std::int64_t stream) { return call("net.read", R"({"stream":)" + std::to_string(stream) + "}"); }

  Reply reply(std::uint64_t id) {
    run_until([&] { return replies_.contains(id); });
    return replies_[id];
  }
  std::string read_all(std::int64_t stream) {
    std::string body;
    while (true) {
      const Reply next = reply(read(stream));
      if (next.json.find(R"({"done":true})") != std::string::npos) return body;
      if (next.bytes.empty()) return next.json;
      body += next.bytes;
    }
  }
  template <typename Condition>
  void run_until(Condition condition) {
    while (!condition()) {
      io_->restart();
      io_->run_one();
    }
  }
  void end() {
    bool ended = false;
    std::exchange(desk_, nullptr)->end([&ended] { ended = true; });
    run_until([&] { return ended; });
  }

  std::unique_ptr<net::HttpClient> client_ = net::make_http_client();
  std::shared_ptr<boost::asio::io_context> io_ = std::make_shared<boost::asio::io_context>(1);
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_->get_executor()};
  std::shared_ptr<broker::CallDesk> desk_;
  std::deque<simdjson::dom::parser> parsers_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, Reply> replies_;
  std::map<std::uint64_t, std::string> data_;
  std::vector<std::string> blocked_;
  std::string violation_;
  bool paused_ = false;
  bool fails_to_open_ = false;

 private:
  void sent(std::string_view payload) {
    if (const auto piece = wire::read_data(payload); wire::is_data(payload) && piece) {
      data_[piece->call_id] += piece->bytes;
      return;
    }
    const auto at = payload.find("\"id\":") + 5;
    const std::uint64_t id = std::stoul(std::string(payload.substr(at, 20)));
    replies_[id] = {std::string(payload), std::move(data_[id])};
  }
};

// Responds with what it was sent.
void mirror(Connection& connection) {
  while (true) {
    const std::string head = connection.read_request_head();
    if (head.empty()) return;
    std::string body;
    if (head.find("chunked") != std::string::npos) {
      body = connection.read_until("0\r\n\r\n");
    } else if (const auto at = head.find("Content-Length: "); at != std::string::npos) {
      body = connection.read_exactly(std::stoul(head.substr(at + 16)));
    }
    connection.send(ok_response(head + body));
  }
}

TEST_F(NetCallsTest, AnswersWithTheHeadAndThenWithBytes) {
  ScriptedServer server(
      net::testing::always("HTTP/1.1 201 M\xe4"
                           "de\r\nX-A: \xfc\r\nContent-Length: 5\r\n\r\nhello"));
  grant({server.target()});
  const Reply head = reply(fetch(server.url("/p")));
  EXPECT_NE(
      head.json.find(R"("ok":true,"body":0,"value":{"status":201,"statusText":"Mäde","url":")" + server.url("/p") +
                     R"(","redirected":false,"headers":[["X-A","ü"],["Content-Length","5"]],"stream":1})"),
      std::string::npos)
      << head.json;
  const Reply bytes = reply(read(1));
  EXPECT_EQ(bytes.bytes, "hello");
  EXPECT_NE(bytes.json.find(R"("body":5,"value":null)"), std::string::npos) << bytes.json;
  EXPECT_NE(reply(read(1)).json.find(R"("value":{"done":true})"), std::string::npos);
  EXPECT_NE(reply(read(1)).json.find("BadResource"), std::string::npos) << "it is over";
}

TEST_F(NetCallsTest, DeniesInDenosWordsAndOnTheRecord) {
  grant({"granted.example"});
  const Reply denied = reply(fetch("https://api.example.com/x"));
  EXPECT_NE(denied.json.find(
                R"("name":"PermissionDenied","code":"","message":"Requires net access to \"api.example.com:443\"")"),
            std::string::npos)
      << denied.json;
  EXPECT_EQ(blocked_, std::vector<std::string>{"Requires net access to \"api.example.com:443\""});
  EXPECT_NE(reply(fetch("ftp://granted.example/")).json.find(R"("name":"TypeError")"), std::string::npos);
  const auto trace = desk_->take_trace().take();
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace[0].target, "GET https://api.example.com/x");
  EXPECT_EQ(trace[0].outcome, TraceEntry::Outcome::kDenied);
}

TEST_F(NetCallsTest, TellsNoBodyFromAnEmptyOne) {
  ScriptedServer server([](Connection& connection) {
    for (std::string head; !(head = connection.read_request_head()).empty();) {
      connection.send(head.starts_with("HEAD") ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
                                               : "HTTP/1.1 204 No Content\r\n\r\n");
    }
  });
  grant({server.target()});
  EXPECT_NE(reply(fetch(server.url())).json.find(R"("stream":null)"), std::string::npos);
  EXPECT_NE(reply(fetch(server.url(), R"("method":"HEAD","body":"none")")).json.find(R"("stream":null)"),
            std::string::npos);
  EXPECT_NE(reply(fetch(server.url())).json.find(R"("stream":null)"), std::string::npos);
  EXPECT_EQ(server.connections(), 1) << "such a response leaves its connection to the next request";
}

TEST_F(NetCallsTest, SendsSmallBodiesLargeOnesAndStreams) {
  ScriptedServer server(mirror);
  grant({server.target()});
  reply(fetch(server.url(), R"("method":"POST","body":"bytes")", "small"));
  const std::string small = read_all(1);
  EXPECT_NE(small.find("Content-Length: 5\r\n"), std::string::npos) << small;
  EXPECT_TRUE(small.ends_with("\r\n\r\nsmall"));

  reply(fetch(server.url(), R"("method":"POST","body":"bytes")"));
  EXPECT_NE(read_all(2).find("Content-Length: 0\r\n"), std::string::npos);

  const std::string large(5 * wire::kMiB + 7, 'x');
  reply(fetch(server.url(), R"("method":"PUT","body":"bytes")", large));
  const std::string mirrored = read_all(3);
  EXPECT_NE(mirrored.find("Content-Length: " + std::to_string(large.size())), std::string::npos);
  EXPECT_TRUE(mirrored.ends_with(large));

  const std::uint64_t id = fetch(server.url(), R"("method":"POST","body":"stream")");
  const std::string of = R"({"fetch":)" + std::to_string(id);
  EXPECT_NE(reply(call("net.send", of + R"(,"last":false})", "one")).json.find("\"value\":true"), std::string::npos);
  EXPECT_NE(reply(call("net.send", of + R"(,"last":false})", std::string(net::kMaxWriteBytes, 'y')))
                .json.find("\"value\":true"),
            std::string::npos);
  reply(call("net.send", of + R"(,"last":true})"));
  reply(id);
  const std::string streamed = read_all(4);
  EXPECT_NE(streamed.find("3\r\none\r\n"), std::string::npos);
  EXPECT_NE(reply(call("net.send", of + R"(,"last":true})")).json.find("\"value\":false"), std::string::npos)
      << "it is over";
  EXPECT_EQ(violation_, "");
}

TEST_F(NetCallsTest, BytesOfADeniedRequestGoNowhere) {
  grant({"granted.example"});
  const std::uint64_t id =
      fetch("http://other.example/", R"("method":"PUT","body":"bytes")", std::string(3 * wire::kMiB, 'x'));
  EXPECT_NE(reply(id).json.find("PermissionDenied"), std::string::npos);
  EXPECT_FALSE(desk_->awaits_data());
}

// What cannot be sent is not kept either: a body that has room is kept for redirects, one that has none is not.
TEST_F(NetCallsTest, ARequestWithoutASessionHoldsNothing) {
  ScriptedServer server([](Connection& connection) {
    for (std::string head; !(head = connection.read_request_head()).empty();) {
      const auto at = head.find("Content-Length: ");
      const std::string body = at == head.npos ? "" : connection.read_exactly(std::stoul(head.substr(at + 16)));
      connection.send(head.find("/again") == head.npos
                          ? "HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n"
                          : ok_response(body));
    }
  });
  fails_to_open_ = true;
  grant({server.target()});
  const std::string body(wire::kMaxKeptBodyBytes, 'x');
  for (std::size_t sent = 0; sent < 2 * wire::kMaxHeldBodyBytes; sent += body.size()) {
    const Reply failed = reply(fetch(server.url(), R"("method":"POST","body":"bytes")", body));
    EXPECT_NE(failed.json.find("no session today"), std::string::npos) << failed.json;
  }
  fails_to_open_ = false;
  reply(fetch(server.url(), R"("method":"POST","body":"bytes")", "small"));
  EXPECT_EQ(read_all(1), "small");
}

TEST_F(NetCallsTest, CancelsRequestsAndResponses) {
  ScriptedServer server([](Connection& connection) {
    const std::string head = connection.read_request_head();
    if (head.find("/body") != std::string::npos) connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");
    connection.wait_until_closed();
  });
  grant({server.target()});
  const std::uint64_t waiting = fetch(server.url());
  EXPECT_NE(reply(call("net.cancel", R"({"fetch":)" + std::to_string(waiting) + "}")).json.find("\"value\":null"),
            std::string::npos);
  EXPECT_NE(reply(waiting).json.find(R"("name":"Interrupted","code":"ECANCELED")"), std::string::npos);
  reply(fetch(server.url("/body")));
  const std::uint64_t reading = read(1);
  reply(call("net.cancel", R"({"stream":1})"));
  EXPECT_NE(reply(reading).json.find("ECANCELED"), std::string::npos);
  for (const char* over : {R"({"stream":1})", R"({"stream":99})", R"({"stream":null})", R"({"fetch":1})", "{}"}) {
    EXPECT_NE(reply(call("net.cancel", over)).json.find("\"value\":null"), std::string::npos) << over;
  }
  EXPECT_EQ(violation_, "");
}

TEST_F(NetCallsTest, SaysWhichLimitWasHit) {
  ScriptedServer server([](Connection& connection) {
    const std::string head = connection.read_request_head();
    if (head.find("/large") != std::string::npos) connection.send(ok_response(std::string(20'000, 'x')));
    connection.wait_until_closed();
  });
  net::SessionLimits limits;
  limits.max_response_bytes = 10'000;
  grant({server.target()}, limits);
  reply(fetch(server.url("/large")));
  EXPECT_NE(read_all(1).find(R"("name":"LimitError","code":"FETCH_LIMIT")"), std::string::npos);
  end();
  grant({server.target()}, limits, std::chrono::milliseconds(300));
  EXPECT_NE(reply(fetch(server.url())).json.find(R"("name":"TimedOut","code":"ETIMEDOUT")"), std::string::npos);
}

TEST_F(NetCallsTest, ReadsOneAtATime) {
  ScriptedServer server([](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
    connection.wait_until_closed();
  });
  grant({server.target()});
  reply(fetch(server.url()));
  const std::uint64_t first = read(1);
  EXPECT_NE(reply(read(1)).json.find(R"("name":"TypeError")"), std::string::npos);
  EXPECT_FALSE(replies_.contains(first)) << "the first goes on waiting";
}

TEST_F(NetCallsTest, KnowsNoOtherCalls) {
  const struct {
    const char* op;
    const char* arguments;
    std::string bytes;
  } rows[] = {
      {"net", "{}", ""},
      {"net.connect", "{}", ""},
      {"net.fetch", "{}", ""},
      {"net.fetch", R"({"url":"http://a.example/","method":"GET","headers":[["a"]],"redirect":"follow","body":"none"})",
       ""},
      {"net.fetch",
       R"({"url":"http://a.example/","method":"GET","headers":[["a","\u0100"]],"redirect":"follow","body":"none"})",
       ""},
      {"net.fetch", R"({"url":"http://a.example/","method":"GET","headers":[],"redirect":"elsewhere","body":"none"})",
       ""},
      {"net.fetch", R"({"url":"http://a.example/","method":"GET","headers":[],"redirect":"follow","body":"some"})", ""},
      {"net.fetch", R"({"url":"http://a.example/","method":"PUT","headers":[],"redirect":"follow","body":"stream"})",
       "x"},
      {"net.fetch", R"({"url":7,"method":"GET","headers":[],"redirect":"follow","body":"none"})", ""},
      {"net.read", "{}", ""},
      {"net.read", R"({"stream":1})", ""},
      {"net.read", R"({"stream":0})", ""},
      {"net.read", R"({"stream":-1})", ""},
      {"net.read", R"({"stream":"1"})", ""},
      {"net.send", "{}", ""},
      {"net.send", R"({"fetch":0,"last":true})", ""},
      {"net.send", R"({"fetch":999999,"last":true})", ""},
      {"net.send", R"({"fetch":1,"last":false})", std::string(net::kMaxWriteBytes + 1, 'x')},
  };
  grant({"*"});
  for (const auto& row : rows) {
    violation_.clear();
    call(row.op, row.arguments, row.bytes);
    EXPECT_NE(violation_, "") << row.op << row.arguments;
  }
}

TEST_F(NetCallsTest, EndsWithTheRun) {
  std::promise<void> asked, closed;
  ScriptedServer server([&](Connection& connection) {
    connection.read_request_head();
    asked.set_value();
    if (connection.wait_until_closed()) closed.set_value();
  });
  grant({server.target()});
  fetch(server.url());
  asked.get_future().get();
  end();
  closed.get_future().get();
  EXPECT_TRUE(replies_.empty());
}

}  // namespace
}  // namespace glovebox::calls
