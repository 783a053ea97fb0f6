// Ending at every stage: by the caller, with its session, with the client. Every callback runs once.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/proving.h"
#include "net/fetch_sync.h"
#include "net/http_client.h"
#include "net/own_network.h"
#include "net/scripted_server.h"

namespace glovebox::net {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using Kind = FetchError::Kind;

enum class Ender { kCancel, kExchange, kSession, kClient };
constexpr Ender kEnders[] = {Ender::kCancel, Ender::kExchange, Ender::kSession, Ender::kClient};

struct Setting {
  explicit Setting(ClientOptions options, std::vector<std::string> granted, SessionLimits limits = {})
      : client(make_http_client(std::move(options))), session(client->open(grants(std::move(granted)), limits)) {}

  void end(Ender ender, Started& started) {
    switch (ender) {
      case Ender::kCancel: return started.exchange->cancel();
      case Ender::kExchange: return started.exchange.reset();
      case Ender::kSession: return session.reset();
      case Ender::kClient: return client.reset();
    }
  }

  std::unique_ptr<HttpClient> client;
  std::unique_ptr<HttpSession> session;
};

TEST(HttpLifetime, EndsWhileANameIsLookedUp) {
  for (const Ender ender : kEnders) {
    auto gate = std::make_shared<std::promise<void>>();
    auto reached = std::make_shared<std::promise<void>>();
    const auto opened = gate->get_future().share();
    Setting setting({.look_up = [opened, reached](const std::string&) -> Result<Addresses> {
                      reached->set_value();
                      opened.wait();
                      return Failure{ErrorCode::kNotFound, "too late"};
                    }},
                    {"*"});
    auto started = start(*setting.session, {.url = "http://slow.example/"});
    reached->get_future().get();
    setting.end(ender, started);
    EXPECT_EQ(started.head.get().failure().kind, Kind::kCancelled);
    gate->set_value();
  }
}

TEST(HttpLifetime, EndsWhileItWaitsInLine) {
  ScriptedServer server([](Connection& connection) { connection.wait_until_closed(); });
  for (const Ender ender : kEnders) {
    SessionLimits limits;
    limits.max_concurrent = 1;
    Setting setting({}, {server.target()}, limits);
    auto first = start(*setting.session, {.url = server.url()});
    auto second = start(*setting.session, {.url = server.url()});
    setting.end(ender, second);
    EXPECT_EQ(second.head.get().failure().kind, Kind::kCancelled);
    setting.end(ender, first);
    EXPECT_EQ(first.head.get().failure().kind, Kind::kCancelled);
  }
}

TEST(HttpLifetime, EndsBeforeTheHead) {
  for (const Ender ender : kEnders) {
    std::promise<void> asked, closed;
    ScriptedServer server([&](Connection& connection) {
      connection.read_request_head();
      asked.set_value();
      if (connection.wait_until_closed()) closed.set_value();
    });
    Setting setting({}, {server.target()});
    auto started = start(*setting.session, {.url = server.url()});
    asked.get_future().get();
    setting.end(ender, started);
    EXPECT_EQ(started.head.get().failure().kind, Kind::kCancelled);
    closed.get_future().get();
  }
}

TEST(HttpLifetime, EndsWhileTheBodyIsRead) {
  for (const Ender ender : kEnders) {
    std::promise<void> closed;
    ScriptedServer server([&](Connection& connection) {
      connection.read_request_head();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome");
      if (connection.wait_until_closed()) closed.set_value();
    });
    Setting setting({}, {server.target()});
    auto started = start(*setting.session, {.url = server.url()});
    ASSERT_TRUE(started.head.get().ok());
    EXPECT_EQ(read(*started.exchange).value().bytes, "some");
    std::promise<FetchResult<Chunk>> reading;
    started.exchange->read([&](FetchResult<Chunk> chunk) { reading.set_value(std::move(chunk)); });
    setting.end(ender, started);
    EXPECT_EQ(reading.get_future().get().failure().kind, Kind::kCancelled);
    closed.get_future().get();
    if (started.exchange) {
      EXPECT_EQ(read(*started.exchange).failure().kind, Kind::kCancelled);
    }
  }
}

TEST(HttpLifetime, EndsWhileNobodyReads) {
  for (const Ender ender : kEnders) {
    std::promise<void> closed;
    ScriptedServer server([&](Connection& connection) {
      connection.read_request_head();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
      const std::string piece(65536, 'x');
      while (connection.send(piece)) {
      }
      closed.set_value();
    });
    Setting setting({}, {server.target()});
    auto started = start(*setting.session, {.url = server.url()});
    ASSERT_TRUE(started.head.get().ok());
    setting.end(ender, started);
    closed.get_future().get();
  }
}

TEST(HttpLifetime, EndsWhileTheBodyIsWritten) {
  for (const Ender ender : kEnders) {
    std::promise<void> asked, ended, closed;
    const auto ended_future = ended.get_future().share();
    ScriptedServer server([&](Connection& connection) {
      connection.read_request_head();
      asked.set_value();
      ended_future.wait();
      if (connection.wait_until_closed()) closed.set_value();
    });
    Setting setting({}, {server.target()});
    auto started = start(*setting.session, {.method = "POST", .url = server.url(), .body = StreamedBody{}});
    // The server reads nothing, so at some point a piece cannot be passed on.
    std::promise<FetchResult<bool>> stuck;
    std::atomic<int> written = 0;
    auto answered = std::make_shared<std::function<void()>>();
    *answered = [&, answered] {
      started.exchange->write(std::string(kMaxWriteBytes, 'x'), false, [&, answered](FetchResult<bool> result) {
        if (!result) return stuck.set_value(std::move(result));
        ++written;
        (*answered)();
      });
    };
    (*answered)();
    asked.get_future().get();
    for (int before = -1; before != written;) {
      before = written;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (ender == Ender::kExchange) {
      started.exchange->cancel();  // the pieces are written by it, so it stays
    } else {
      setting.end(ender, started);
    }
    EXPECT_EQ(stuck.get_future().get().failure().kind, Kind::kCancelled);
    EXPECT_EQ(started.head.get().failure().kind, Kind::kCancelled);
    ended.set_value();
    closed.get_future().get();
    *answered = nullptr;
  }
}

TEST(HttpLifetime, NothingIsAskedOfAClientThatIsGone) {
  ScriptedServer server(always(ok_response("x")));
  auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  auto started = start(*session, {.url = server.url()});
  ASSERT_TRUE(started.head.get().ok());
  client.reset();
  EXPECT_EQ(read(*started.exchange).failure().kind, Kind::kCancelled);
  EXPECT_EQ(write(*started.exchange, "", true).failure().kind, Kind::kCancelled);
  EXPECT_EQ(fetch_all(*session, {.url = server.url()}).failure().kind, Kind::kCancelled);
}

TEST(HttpLifetime, AClientThatIsNotUsedHasNoThread) {
  const auto threads = [] {
    std::set<std::string> ids;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
      ids.insert(entry.path().filename());
    return ids;
  };
  // Threads of earlier tests may still be ending, also those that were joined.
  const std::set<std::string> before = threads();
  const auto client = make_http_client();
  const auto session = client->open(grants({"*"}));
  for (const std::string& id : threads()) EXPECT_TRUE(before.contains(id)) << id;
}

// Bytes that were read stay valid, whatever happens to the connection; late calls are cancelled. Neither may crash.
TEST(HttpLifetime, EndsAtRandomMoments) {
  ScriptedServer server([](Connection& connection) {
    while (!connection.read_request_head().empty()) {
      if (!connection.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n")) return;
      for (int i = 0; i < 30; ++i) {
        if (!connection.send(std::string(10'000, 'x'))) return;
      }
    }
  });
  const auto client = make_http_client();
  const std::size_t rounds = base::random_rounds(300);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto session = client->open(grants({server.target()}));
    std::vector<Started> all;
    for (int i = 0; i < 4; ++i) all.push_back(start(*session, {.url = server.url()}));
    std::this_thread::sleep_for(std::chrono::microseconds(round * 3000 / rounds));
    if (round % 3 == 0) all[1].exchange->cancel();
    if (round % 3 == 1) all[2].exchange.reset();
    if (round % 5 == 0) continue;
    const auto head = all[0].head.get();
    ASSERT_TRUE(head.ok()) << head.failure().message;
    EXPECT_EQ(read_all(*all[0].exchange).value().size(), 300'000u);
  }
}

}  // namespace
}  // namespace glovebox::net
