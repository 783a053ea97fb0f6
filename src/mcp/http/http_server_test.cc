#include "mcp/http/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <thread>

#include "mcp/http/http_rules.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

using boost::asio::ip::tcp;

const std::string kHttpMeta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                              R"("io.modelcontextprotocol/clientCapabilities":{}})";
const std::string kModernFields = "MCP-Protocol-Version: 2026-07-28\r\n";

class Http : public testing::Test {
 protected:
  template <typename Action>
  auto on_loop(Action action) {
    std::packaged_task<decltype(action())()> task(std::move(action));
    auto future = task.get_future();
    boost::asio::post(loop, [&task] { task(); });
    return future.get();
  }

  ~Http() override {
    on_loop([this] {
      server.reset();
      core.reset();
    });
    guard.reset();
    thread.join();
  }

  void start(HttpServerOptions options = {.access = OpenOnLoopback{}}) {
    thread = std::thread([this] { loop.run(); });
    on_loop([&] {
      core = std::make_unique<ServerCore>(ServerOptions{.info = {"test", "1", {}}});
      EXPECT_TRUE(core->add_tool({.name = "greet"}, [](const auto& call) { call->reply_text("hello"); }).ok());
      EXPECT_TRUE(core->add_tool({.name = "wait"},
                                 [this](const std::shared_ptr<ServerCall>& call) {
                                   held = call;
                                   waiting.set_value();
                                   call->on_cancel([this] { cancelled.set_value(); });
                                 })
                      .ok());
      auto started = HttpServer::start(*core, loop.get_executor(), std::move(options));
      ASSERT_TRUE(started.ok()) << started.failure().message;
      server = std::move(started).value();
    });
  }

  tcp::socket connect() {
    tcp::socket socket(client_loop);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), server->port()});
    return socket;
  }

  static std::string read_all(tcp::socket& socket) {
    std::string text;
    boost::system::error_code error;
    boost::asio::read(socket, boost::asio::dynamic_buffer(text), error);
    return text;
  }

  // The whole response to these bytes; the server closes at the end.
  std::string exchange(const std::string& bytes) {
    tcp::socket socket = connect();
    boost::system::error_code error;
    boost::asio::write(socket, boost::asio::buffer(bytes), error);
    return read_all(socket);
  }

  static std::string post_text(const std::string& body, const std::string& fields = "",
                               const std::string& host = "localhost") {
    return "POST /mcp HTTP/1.1\r\nHost: " + host +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: "
           "close\r\n" +
           fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  std::string post(const std::string& body, const std::string& fields = "", const std::string& host = "localhost") {
    return exchange(post_text(body, fields, host));
  }
  std::string call_modern(const std::string& tool) {
    return post_text(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + "\"," + kHttpMeta + "}}",
        kModernFields + "Mcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n");
  }
  std::string open_session() {
    const std::string answer = post(kInitialize);
    const std::size_t at = answer.find("Mcp-Session-Id: ");
    EXPECT_NE(at, std::string::npos) << answer;
    return answer.substr(at, answer.find("\r\n", at) - at + 2);
  }
  static int status(const std::string& answer) { return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0; }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  const std::string kInitialize =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})";
  boost::asio::io_context loop;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  std::thread thread;
  std::unique_ptr<ServerCore> core;
  std::unique_ptr<HttpServer> server;
  std::shared_ptr<ServerCall> held;
  std::promise<void> waiting;
  std::promise<void> cancelled;
  boost::asio::io_context client_loop;
};

TEST_F(Http, RefusesForeignHostsAndOrigins) {
  start();
  EXPECT_EQ(status(post(kInitialize, "", "localhost")), 200);
  EXPECT_EQ(status(post(kInitialize, "", "127.0.0.1:80")), 200);
  EXPECT_EQ(status(post(kInitialize, "", "[::1]:80")), 200);
  EXPECT_EQ(status(post(kInitialize, "", "evil.example.com")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "localhost.evil.com")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "")), 403);
  EXPECT_EQ(status(post(kInitialize, "Host: localhost\r\n", "evil.com")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "localhost:1.evil.com")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "localhost:")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "localhost:70000")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "[::1].evil.com")), 403);
  EXPECT_EQ(status(post(kInitialize, "", "[::1")), 403);
  const std::string port = std::to_string(server->port());
  EXPECT_EQ(status(post(kInitialize, "Origin: http://localhost:" + port + "\r\n")), 200);
  EXPECT_EQ(status(post(kInitialize, "Origin: http://127.0.0.1:" + port + "\r\n")), 200);
  // A page from another port of this machine is not ours.
  EXPECT_EQ(status(post(kInitialize, "Origin: http://localhost:1\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: https://localhost:" + port + "\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: http://localhost:" + port + "@evil.com\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: http://localhost:x@evil.com\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: http://evil.example.com\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: null\r\n")), 403);
  EXPECT_EQ(status(post(kInitialize, "Origin: http://localhost@evil.com\r\n")), 403);
}

TEST_F(Http, WantsTheToken) {
  start({.access = BearerToken{"0123456789abcdef"}});
  const std::string refused = post(kInitialize);
  EXPECT_EQ(status(refused), 401);
  EXPECT_TRUE(has(refused, "WWW-Authenticate: Bearer"));
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer 0123456789abcdeX\r\n")), 401);
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer 0123456789abcdef0\r\n")), 401);
  EXPECT_EQ(status(post(kInitialize, "Authorization: Basic 0123456789abcdef\r\n")), 401);
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer 0123456789abcdef\r\n")), 200);
}

TEST_F(Http, OtherTokensOpenWhatTheirKeeperSays) {
  std::atomic<bool> revoked = false;
  std::atomic<int> prepared = 0;
  start({.access = BearerToken{"0123456789abcdef"},
         .find_caller = [&](std::string_view token) -> std::optional<Caller> {
           if (token == "an-agents" && !revoked) return Caller{.principal = "http:a", .speaks_mcp = true};
           if (token == "a-viewers") return Caller{.principal = "http:v", .watches = true};
           return std::nullopt;
         },
         .prepare =
             [&](std::string_view, std::function<void()> then) {
               // At once, or later.
               if (++prepared % 2 == 0) return then();
               boost::asio::post(loop, std::move(then));
             },
         .resource_metadata = R"({"resource":"us"})",
         .resource_metadata_url = "https://gw.example/.well-known/us"});
  on_loop([&] {
    server->set_other_paths([](const PlainRequest& request) { return PlainResponse{200, request.caller.principal}; });
  });
  const auto get = [&](const std::string& path, const std::string& fields = "") {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + fields + "\r\n");
  };
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer an-agents\r\n")), 200);
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer a-viewers\r\n")), 403);
  EXPECT_TRUE(has(get("/other", "Authorization: Bearer a-viewers\r\n"), "http:v"));
  const std::string refused = post(kInitialize, "Authorization: Bearer nobodys\r\n");
  EXPECT_EQ(status(refused), 401);
  EXPECT_TRUE(has(refused, "WWW-Authenticate: Bearer resource_metadata=\"https://gw.example/.well-known/us\"\r\n"));
  revoked = true;
  EXPECT_EQ(status(post(kInitialize, "Authorization: Bearer an-agents\r\n")), 401);
  EXPECT_EQ(prepared, 5);
  // Where tokens can be had is no secret.
  EXPECT_TRUE(has(get("/.well-known/oauth-protected-resource"), R"({"resource":"us"})"));
  EXPECT_TRUE(has(get("/.well-known/oauth-protected-resource/mcp"), R"({"resource":"us"})"));
  EXPECT_EQ(status(get("/.well-known/oauth-protected-resource/x")), 401);
}

TEST_F(Http, TellsClientsApartByAHeaderField) {
  const auto named = [](const std::string& value) {
    return with_client_name("http", "client-name", [&](std::string_view field) -> std::optional<std::string> {
      return field == "client-name" ? std::optional(value) : std::nullopt;
    });
  };
  EXPECT_EQ(named("client_0123456789"), "http client_0123456789");
  for (const std::string& odd : {std::string(), std::string("short"), std::string("client_0123456 89"),
                                 std::string("client_0123456789\n"), std::string(201, 'a')})
    EXPECT_EQ(named(odd), "http") << odd;
  EXPECT_EQ(
      with_client_name("http", "", [](std::string_view) { return std::optional<std::string>("client_0123456789"); }),
      "http");
  // A session belongs to its client.
  start({.access = OpenOnLoopback{}, .client_field = "client-name"});
  const std::string ann = "Client-Name: client_aaaaaaaaaa\r\n";
  const std::string bob = "Client-Name: client_bbbbbbbbbb\r\n";
  const std::string begun = post(kInitialize, ann);
  const std::size_t at = begun.find("Mcp-Session-Id: ");
  ASSERT_NE(at, begun.npos) << begun;
  const std::string session = begun.substr(at, begun.find("\r\n", at) + 2 - at);
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  EXPECT_EQ(status(post(ping, session + ann)), 200);
  EXPECT_EQ(status(post(ping, session + bob)), 404);
  EXPECT_EQ(status(post(ping, session)), 404);
}

TEST_F(Http, IsNotOpenBeyondLoopback) {
  start();
  on_loop([&] {
    EXPECT_FALSE(
        HttpServer::start(*core, loop.get_executor(), {.address = "0.0.0.0", .access = OpenOnLoopback{}}).ok());
    EXPECT_FALSE(HttpServer::start(*core, loop.get_executor(), {.access = BearerToken{"short"}}).ok());
    EXPECT_FALSE(
        HttpServer::start(*core, loop.get_executor(), {.access = OpenOnLoopback{}, .certificate_file = "x"}).ok());
    EXPECT_FALSE(
        HttpServer::start(*core, loop.get_executor(), {.address = "nowhere", .access = OpenOnLoopback{}}).ok());
  });
}

TEST_F(Http, BoundsWhatItReads) {
  start();
  EXPECT_EQ(status(post(kInitialize, "X: " + std::string(kMaxHeaderBytes, 'x') + "\r\n")), 431);
  const std::string announced =
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ";
  EXPECT_EQ(status(exchange(announced + std::to_string(kMaxRequestBytes + 1) + "\r\n\r\n")), 413);
  const std::string deep = R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":)" + std::string(100000, '[') +
                           std::string(100000, ']') + "}}";
  EXPECT_EQ(status(post(deep)), 400);
  EXPECT_EQ(status(exchange("GARBAGE\r\n\r\n")), 400);
}

TEST_F(Http, RefusesABodyOfUnknownLength) {
  start();
  const std::string head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  EXPECT_EQ(status(exchange(head + "Transfer-Encoding: gzip\r\n\r\n")), 501);
  EXPECT_EQ(status(exchange(head + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}")), 501);
}

// More half-sent requests from unauthenticated peers than there are places for: complete requests are still served.
TEST_F(Http, SilentStrangersShutNobodyOut) {
  start({.access = BearerToken{"0123456789abcdef"}});
  const std::string token = "Authorization: Bearer 0123456789abcdef\r\n";
  std::vector<tcp::socket> unknown;
  for (std::size_t i = 0; i < 2 * kMaxUnknownOfOneAddress; ++i) {
    unknown.push_back(connect());
    boost::system::error_code ignored;
    boost::asio::write(unknown.back(), boost::asio::buffer("POST /mcp HT", 12), ignored);
  }
  EXPECT_EQ(status(post(kInitialize, token)), 200);
  EXPECT_LE(on_loop([this] { return server->connection_count(); }), kMaxUnknownOfOneAddress + 2);
}

TEST_F(Http, RefusesWhatIsNoMessage) {
  start();
  EXPECT_EQ(status(post("{")), 400);
  EXPECT_EQ(status(post("[]")), 400);
  EXPECT_EQ(status(exchange("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: "
                            "2\r\nConnection: close\r\n\r\n{}")),
            415);
  EXPECT_EQ(status(exchange("PUT /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")), 405);
  EXPECT_EQ(status(exchange("GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")), 404);
}

TEST_F(Http, KeepsSessionsOf2025) {
  start();
  const std::string session = open_session();
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  EXPECT_EQ(status(post(ping)), 400);
  EXPECT_EQ(status(post(ping, "Mcp-Session-Id: unknown\r\n")), 404);
  EXPECT_EQ(status(post(ping, session)), 200);
  EXPECT_EQ(status(post(ping, session + "MCP-Protocol-Version: 2025-03-26\r\n")), 200);
  EXPECT_EQ(status(post(ping, session + "MCP-Protocol-Version: 1999-01-01\r\n")), 400);
  EXPECT_EQ(status(post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session)), 202);
  EXPECT_EQ(status(exchange("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + session + "\r\n")),
            200);
  EXPECT_EQ(status(post(ping, session)), 404);
}

TEST_F(Http, BoundsSessions) {
  start();
  const std::string oldest = open_session();
  const std::string next = open_session();
  for (std::size_t i = 2; i < kMaxSessionsOfOneToken; ++i) ASSERT_EQ(status(post(kInitialize)), 200);
  EXPECT_EQ(on_loop([this] { return server->session_count(); }), kMaxSessionsOfOneToken);
  const std::string ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
  EXPECT_EQ(status(post(ping, oldest)), 200);
  // The session that has been idle for the longest time is evicted, which is no longer the oldest.
  EXPECT_EQ(status(post(kInitialize)), 200);
  EXPECT_EQ(on_loop([this] { return server->session_count(); }), kMaxSessionsOfOneToken);
  EXPECT_EQ(status(post(ping, oldest)), 200);
  EXPECT_EQ(status(post(ping, next)), 404);
}

// More than the kernel takes from us for a client that does not read.
TEST_F(Http, BoundsAnswersThatAClientDoesNotRead) {
  constexpr std::size_t kLarge = std::size_t{16} << 20;
  start({.access = OpenOnLoopback{}, .max_answer_bytes = kLarge + kLarge / 2});
  on_loop([this] {
    EXPECT_TRUE(
        core->add_tool({.name = "large"}, [](const auto& call) { call->reply_text(std::string(kLarge, 'x')); }).ok());
  });
  tcp::socket silent = connect();
  boost::asio::write(silent, boost::asio::buffer(call_modern("large")));
  std::string begun(12, ' ');
  boost::asio::read(silent, boost::asio::buffer(begun));
  EXPECT_EQ(begun, "HTTP/1.1 200");
  EXPECT_EQ(status(exchange(call_modern("large"))), 503);
  EXPECT_EQ(status(exchange(call_modern("greet"))), 200);
  read_all(silent);
  EXPECT_EQ(status(exchange(call_modern("large"))), 200);
}

// Events wait in our memory as well, those behind the one that is being written among them.
TEST_F(Http, BoundsEventsThatAClientDoesNotRead) {
  constexpr std::size_t kEvents = 64;
  constexpr std::size_t kEventBytes = std::size_t{1} << 20;
  start({.access = OpenOnLoopback{}, .max_answer_bytes = (kEvents + 8) * kEventBytes});
  on_loop([this] {
    server->set_other_paths([](const PlainRequest&) { return PlainResponse{404, ""}; });
    server->set_streams([](const PlainRequest&, const std::shared_ptr<HttpReply>& reply, std::function<void()>&) {
      for (std::size_t i = 0; i < kEvents; ++i) reply->add(std::string(kEventBytes, 'x'));
      reply->finish();
      return true;
    });
  });
  const std::string get = "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  tcp::socket silent = connect();
  boost::asio::write(silent, boost::asio::buffer(get));
  std::string begun(12, ' ');
  boost::asio::read(silent, boost::asio::buffer(begun));
  EXPECT_EQ(begun, "HTTP/1.1 200");
  EXPECT_EQ(exchange(get), "") << "there is no room for a second one";
  read_all(silent);
  EXPECT_EQ(status(exchange(get)), 200);
}

TEST_F(Http, KeepsNothingOf2026) {
  start();
  const std::string answer = exchange(call_modern("greet"));
  EXPECT_EQ(status(answer), 200);
  EXPECT_TRUE(has(answer, "hello"));
  EXPECT_FALSE(has(answer, "Mcp-Session-Id"));
  EXPECT_EQ(
      status(exchange("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nConnection: close\r\n" +
                      kModernFields + "\r\n")),
      405);
}

TEST_F(Http, CancelsWhenTheClientOf2026HangsUp) {
  start();
  {
    tcp::socket socket = connect();
    boost::asio::write(socket, boost::asio::buffer(call_modern("wait")));
    waiting.get_future().wait();
  }
  cancelled.get_future().wait();
  on_loop([this] { held.reset(); });
}

TEST_F(Http, WorksOnForAClientOf2025ThatComesBack) {
  start();
  const std::string session = open_session();
  {
    tcp::socket socket = connect();
    boost::asio::write(
        socket,
        boost::asio::buffer(post_text(
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait","_meta":{"progressToken":1}}})",
            session)));
    waiting.get_future().wait();
    on_loop([this] { held->progress(1, 2); });
    // The stream has begun: an event to come back to.
    std::string text;
    while (!has(text, "id: 2-1")) {
      char piece[512];
      text.append(piece, socket.read_some(boost::asio::buffer(piece)));
    }
  }
  on_loop([this] { held->reply_text("finally"); });
  const std::string resumed =
      exchange("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nConnection: close\r\n" + session +
               "Last-Event-ID: 2-1\r\n\r\n");
  EXPECT_EQ(status(resumed), 200);
  EXPECT_TRUE(has(resumed, "finally")) << resumed;
  EXPECT_FALSE(has(resumed, "notifications/progress")) << "that was heard before";
  for (const char* unknown : {"9-1", "x", "2-", "-1-1", "99999999999999999999-1"})
    EXPECT_EQ(
        status(exchange("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nConnection: close\r\n" +
                        session + "Last-Event-ID: " + unknown + "\r\n\r\n")),
        400)
        << unknown;
}

TEST_F(Http, ServesOtherPathsAfterTheSameChecks) {
  start();
  on_loop([this] {
    server->set_other_paths([](const PlainRequest& request) {
      return PlainResponse{200, request.target, "text/plain"};
    });
  });
  EXPECT_TRUE(
      has(exchange("GET /approvals?x=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), "/approvals?x=1"));
  EXPECT_EQ(status(exchange("GET /approvals HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n")), 403);
  const auto post_of_type = [&](const std::string& type) {
    return status(exchange("POST /approvals/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " +
                           type + "\r\nContent-Length: 2\r\n\r\n{}"));
  };
  EXPECT_EQ(post_of_type("application/json"), 200);
  EXPECT_EQ(post_of_type("text/plain"), 415);
}

TEST_F(Http, SpeaksTls) {
  const std::string folder = std::filesystem::temp_directory_path() / ("glovebox-tls-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -keyout " +
      folder + "/key.pem -out " + folder + "/cert.pem 2>/dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "no openssl program";
  start({.access = OpenOnLoopback{}, .certificate_file = folder + "/cert.pem", .key_file = folder + "/key.pem"});
  boost::asio::ssl::context context(boost::asio::ssl::context::tls_client);
  context.load_verify_file(folder + "/cert.pem");
  boost::asio::ssl::stream<tcp::socket> tls{this->connect(), context};
  tls.set_verify_mode(boost::asio::ssl::verify_peer);
  tls.handshake(boost::asio::ssl::stream_base::client);
  boost::asio::write(tls, boost::asio::buffer(call_modern("greet")));
  std::string text;
  boost::system::error_code error;
  boost::asio::read(tls, boost::asio::dynamic_buffer(text), error);
  EXPECT_TRUE(has(text, "hello")) << text;
  // Plain HTTP gets no answer there.
  EXPECT_FALSE(has(exchange(call_modern("greet")), "hello"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::mcp
