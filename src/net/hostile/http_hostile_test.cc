// Hostile servers and names: groups F02 to F08 of the attacks. The client can reach only a network of the test's own.
#include <fstream>

#include "base/sanitized.h"
#include "net/compressed_samples.h"
#include "net/hostile/hostile_network_fixture.h"

namespace glovebox::net {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using Kind = FetchError::Kind;

// --- F01, F02: where a name or an address leads

TEST(HostileNetwork, NothingIsReachedWithoutAGrant) {
  ScriptedServer server(always(ok_response("secret")));
  std::atomic<int> lookups = 0;
  const auto client = make_http_client({.look_up = [&](const std::string&) -> Result<Addresses> {
    ++lookups;
    return Addresses{ip("127.0.0.1")};
  }});
  const auto session = client->open(policy::NetGrants());
  const auto by_address = fetch_all(*session, {.url = server.url()});
  EXPECT_EQ(by_address.failure().kind, Kind::kDenied);
  EXPECT_EQ(by_address.failure().message, "Requires net access to \"" + server.target() + "\"");
  const auto by_name = fetch_all(*session, {.url = "https://api.example.com/x"});
  EXPECT_EQ(by_name.failure().message, "Requires net access to \"api.example.com:443\"");
  EXPECT_EQ(by_name.failure().target, "api.example.com:443");
  EXPECT_EQ(lookups, 0) << "a lookup is a message to the operator of the name server";
  EXPECT_EQ(server.connections(), 0);
}

TEST(HostileNetwork, EverySpellingOfLoopbackIsTheSameAddress) {
  ScriptedServer server(always(ok_response("secret")));
  const auto client = make_http_client({.look_up = always_at("127.0.0.1")});
  const auto all_names = client->open(grants({"*"}));
  for (const char* host : {"127.0.0.1", "localhost", "LOCALHOST.", "127.1", "0x7f.1", "2130706433", "017700000001",
                           "0x7f000001", "127.0.0.1.nip.io", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.255.0.7"}) {
    const auto response = fetch_all(*all_names, {.url = "http://" + std::string(host) + ":" + port_of(server) + "/"});
    ASSERT_FALSE(response.ok()) << host;
    EXPECT_EQ(response.failure().kind, Kind::kDenied) << host << response.failure().message;
    EXPECT_NE(response.failure().message.find("a loopback address"), std::string::npos) << response.failure().message;
  }
  const auto zero = fetch_all(*all_names, {.url = "http://0:" + port_of(server) + "/"});
  EXPECT_EQ(zero.failure().kind, Kind::kDenied) << "the kernel takes 0.0.0.0 for this machine";
  const auto v6 = fetch_all(*all_names, {.url = "http://[::1]:" + port_of(server) + "/"});
  EXPECT_EQ(v6.failure().kind, Kind::kDenied);
  EXPECT_EQ(server.connections(), 0);

  const auto literally = client->open(grants({server.target()}));
  for (const char* host : {"127.0.0.1", "0x7f.1", "2130706433"}) {
    EXPECT_TRUE(fetch_all(*literally, {.url = "http://" + std::string(host) + ":" + port_of(server) + "/"}).ok())
        << host;
  }
  EXPECT_EQ(fetch_all(*literally, {.url = "http://127.0.0.1:1/"}).failure().kind, Kind::kDenied) << "another port";
}

TEST(HostileNetwork, NamesThatLeadInsideAreRefused) {
  for (const char* inside : {"127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254",
                             "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fd00::1", "fe80::1",
                             "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::"}) {
    const auto client = make_http_client({.look_up = always_at(inside)});
    const auto session = client->open(grants({"granted.example"}));
    const auto response = fetch_all(*session, {.url = "http://granted.example/"});
    ASSERT_FALSE(response.ok()) << inside;
    EXPECT_EQ(response.failure().kind, Kind::kDenied) << inside << ": " << response.failure().message;
    EXPECT_TRUE(response.failure().message.starts_with("Requires net access to \"" + ip(inside).unmapped().host_text() +
                                                       ":80\". The name \"granted.example\" resolves to "))
        << response.failure().message;
  }
}

TEST(HostileNetwork, TheOwnerMayAllowPrivateAddresses) {
  ScriptedServer server(always(ok_response("inside")));
  const auto client = make_http_client({.look_up = always_at("127.0.0.1")});
  const std::string url = "http://granted.example:" + port_of(server) + "/";
  EXPECT_TRUE(fetch_all(*client->open(grants({"granted.example"}, true)), {.url = url}).ok());
  EXPECT_TRUE(fetch_all(*client->open(grants({"granted.example", "127.0.0.1"})), {.url = url}).ok());
  EXPECT_FALSE(fetch_all(*client->open(grants({"granted.example", "127.0.0.2"})), {.url = url}).ok());
  EXPECT_FALSE(fetch_all(*client->open(grants({"other.example"}, true)), {.url = url}).ok());
}

// --- F03: rebinding

TEST(HostileNetwork, RebindingIsCaughtWhenConnecting) {
  ScriptedServer outside(
      [](Connection& connection) {
        connection.read_request_head();
        connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      },
      kPublicAddress);
  ScriptedServer inside(always(ok_response("secret")), "127.0.0.1", outside.port());
  const auto client = make_http_client({.look_up = answers({{ip(kPublicAddress)}, {ip("127.0.0.1")}})});
  const auto session = client->open(grants({"rebinding.example"}));
  const std::string url = "http://rebinding.example:" + port_of(outside) + "/";
  ASSERT_TRUE(fetch_all(*session, {.url = url}).ok()) << "public the first time";
  EXPECT_EQ(fetch_all(*session, {.url = url}).failure().kind, Kind::kDenied) << "loopback the second time";
  EXPECT_EQ(inside.connections(), 0);
}

TEST(HostileNetwork, OfManyAddressesOnlyPublicOnesAreTried) {
  ScriptedServer outside(always(ok_response("outside")), kPublicAddress);
  ScriptedServer inside(always(ok_response("secret")), "127.0.0.1", outside.port());
  const std::string url = "http://many.example:" + port_of(outside) + "/";
  {
    const auto client =
        make_http_client({.look_up = answers({{ip("127.0.0.1"), ip("::1"), ip("10.0.0.1"), ip(kPublicAddress)}})});
    const auto response = fetch_all(*client->open(grants({"many.example"})), {.url = url});
    ASSERT_TRUE(response.ok()) << response.failure().message;
    EXPECT_EQ(response.value().body, "outside");
  }
  {
    // The public address does not answer, and the other must not be used instead.
    const auto client = make_http_client({.look_up = answers({{ip(kOtherPublicAddress), ip("127.0.0.1")}})});
    EXPECT_EQ(fetch_all(*client->open(grants({"many.example"})), {.url = url}).failure().kind, Kind::kNetwork);
  }
  EXPECT_EQ(inside.connections(), 0);
}

TEST(HostileNetwork, WhatOneRunMayReachIsNotKeptForAnother) {
  ScriptedServer server(always(ok_response("inside")));
  const auto client = make_http_client({.look_up = always_at("127.0.0.1")});
  const std::string url = "http://granted.example:" + port_of(server) + "/";
  const auto trusted = client->open(grants({"granted.example"}, true));
  ASSERT_TRUE(fetch_all(*trusted, {.url = url}).ok());
  const auto other = client->open(grants({"granted.example"}));
  EXPECT_EQ(fetch_all(*other, {.url = url}).failure().kind, Kind::kDenied);
  EXPECT_EQ(server.connections(), 1);
}

// --- F05: injection

TEST(HostileNetwork, NothingCanBeInjectedIntoARequest) {
  ScriptedServer server(always(ok_response("x")));
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const std::string url = server.url();
  for (HttpRequest request :
       {HttpRequest{.method = "GET / HTTP/1.1\r\nX: y", .url = url}, HttpRequest{.method = "CONNECT", .url = url},
        HttpRequest{.url = url + " HTTP/1.1\r\nX: y"},
        HttpRequest{.url = url, .headers = {{"X", "y\r\n\r\nGET /second HTTP/1.1"}}},
        HttpRequest{.url = url, .headers = {{"X: y\r\nZ", "y"}}},
        HttpRequest{.url = "http://" + std::string("evil\0.", 6) + server.target()},
        HttpRequest{.url = "http://granted@" + server.target()}}) {
    const auto response = fetch_all(*session, std::move(request));
    ASSERT_FALSE(response.ok());
    EXPECT_EQ(response.failure().kind, Kind::kInvalid) << response.failure().message;
    EXPECT_EQ(response.failure().message.find('\r'), std::string::npos);
  }
  EXPECT_EQ(server.connections(), 0);
}

// --- F06: proxies, upgrades

TEST(HostileNetwork, TheEnvironmentNamesNoProxy) {
  ScriptedServer proxy(always(ok_response("proxied")));
  ScriptedServer server(always(ok_response("direct")), kPublicAddress);
  for (const char* name : {"http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"})
    ::setenv(name, proxy.url().c_str(), 1);
  const auto client = make_http_client({.look_up = always_at(kPublicAddress)});
  const auto response =
      fetch_all(*client->open(grants({"*"})), {.url = "http://some.example:" + port_of(server) + "/"});
  for (const char* name : {"http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"}) ::unsetenv(name);
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().body, "direct");
  EXPECT_EQ(proxy.connections(), 0);
}

TEST(HostileNetwork, AServerCannotChangeTheProtocolOrTheRules) {
  ScriptedServer upgrade(always("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"));
  const auto client = make_http_client();
  EXPECT_EQ(fetch_all(*client->open(grants({upgrade.target()})), {.url = upgrade.url()}).failure().kind,
            Kind::kNetwork);

  ScriptedServer other(always(ok_response("other")));
  std::vector<std::string> requests;
  ScriptedServer server([&](Connection& connection) {
    for (std::string head; !(head = connection.read_request_head()).empty();) {
      requests.push_back(head);
      connection.send(ok_response("x", "Set-Cookie: a=b\r\nStrict-Transport-Security: max-age=9999\r\nAlt-Svc: h2=\":" +
                                           port_of(other) + "\"\r\n"));
    }
  });
  const auto session = client->open(grants({server.target(), other.target()}));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(fetch_all(*session, {.url = server.url()}).ok());
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0], requests[1]) << "nothing of the first response is remembered";
  EXPECT_EQ(other.connections(), 0);
}

// --- F07: too much, too slow, false claims

// A body that never ends.
void endless(Connection& connection) {
  connection.read_request_head();
  connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n");
  const std::string piece(1 << 20, 'x');
  while (connection.send(piece)) {
  }
}

TEST(HostileNetwork, AResponseOf10GiBIsCut) {
  ScriptedServer server(endless);
  const auto client = make_http_client();
  SessionLimits limits;
  limits.max_response_bytes = 8 << 20;
  const auto session = client->open(grants({server.target()}), limits);
  auto started = start(*session, {.url = server.url()});
  ASSERT_TRUE(started.head.get().ok());
  std::size_t received = 0;
  while (true) {
    auto chunk = read(*started.exchange);
    if (!chunk) {
      EXPECT_EQ(chunk.failure().kind, Kind::kLimit) << chunk.failure().message;
      break;
    }
    ASSERT_FALSE(chunk->done);
    received += chunk->bytes.size();
  }
  EXPECT_LE(received, limits.max_response_bytes);
  EXPECT_EQ(read(*started.exchange).failure().kind, Kind::kLimit) << "and stays so";
}

std::size_t peak_memory_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  }
  return 0;
}

TEST(HostileNetwork, BombsUnfoldNoFurtherThanTheyAreRead) {
  for (const auto& [coding, data] : {std::pair<const char*, std::string>("br", brotli_of_zeros()),
                                     {"zstd", zstd_of_zeros(std::size_t{1} << 30)},
                                     {"gzip", gzip_of(std::string(64 << 20, '\0'))}}) {
    ScriptedServer server(always(ok_response(data, std::string("Content-Encoding: ") + coding + "\r\n")));
    const auto client = make_http_client();
    SessionLimits limits;
    limits.max_response_bytes = 40 << 20;
    const auto session = client->open(grants({server.target()}), limits);
    const std::size_t before = peak_memory_kb();
    std::vector<Started> all;
    for (int i = 0; i < 10; ++i) {
      all.push_back(start(*session, {.url = server.url()}));
      ASSERT_TRUE(all.back().head.get().ok());
      ASSERT_EQ(read(*all.back().exchange).value().bytes.size(), kReadBytes) << coding;
    }
    auto last = FetchResult<Chunk>(Chunk{});
    std::size_t received = 0;
    while ((last = read(*all.back().exchange)).ok()) received += last->bytes.size();
    EXPECT_EQ(last.failure().kind, Kind::kLimit) << coding << last.failure().message;
    EXPECT_LE(received, limits.max_response_bytes);
    // Ten of them hold a window each (16 MB for brotli), not their decompressed size.
    if (!base::is_sanitized()) EXPECT_LT(peak_memory_kb() - before, 220u << 10) << coding;
  }
}

// A few bytes ask for a window of megabytes, which stays until the response is read to its end or cancelled.
TEST(HostileNetwork, WindowsOfOpenResponsesHaveATotal) {
  ScriptedServer server(always(ok_response(zstd_of_zeros(64 << 20), "Content-Encoding: zstd\r\n")));
  const auto client = make_http_client();
  SessionLimits limits;
  limits.max_decoder_bytes = 6 << 20;  // two windows of 2 MB, with what belongs to them
  const auto session = client->open(grants({server.target()}), limits);
  std::vector<Started> all;
  const auto read_one_more = [&] {
    all.push_back(start(*session, {.url = server.url()}));
    EXPECT_TRUE(all.back().head.get().ok());
    return read(*all.back().exchange);
  };
  EXPECT_TRUE(read_one_more().ok());
  EXPECT_TRUE(read_one_more().ok());
  const auto third = read_one_more();
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.failure().kind, Kind::kLimit) << third.failure().message;
  EXPECT_TRUE(read(*all.front().exchange).ok()) << "those under way go on";
  all.clear();
  EXPECT_TRUE(read_one_more().ok()) << "those that are gone make room";
}

TEST(HostileNetwork, SlowDripsMeetTheDeadline) {
  const auto drip = [](std::string_view first, std::string_view then) {
    return [first = std::string(first), then = std::string(then)](Connection& connection) {
      connection.read_request_head();
      connection.send(first);
      while (connection.send(then)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
  };
  const ScriptedServer::Script scripts[] = {
      drip("HTTP/1.1 200 OK\r\n", "A: b\r\n"),
      drip("", "HTTP/1.1 100 Continue\r\n\r\n"),
      drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x"),
      drip("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
      [](Connection& connection) { connection.wait_until_closed(); },
  };
  for (const auto& script : scripts) {
    ScriptedServer server(script);
    const auto client = make_http_client();
    const auto session = client->open(grants({server.target()}));
    const auto response = fetch_all(
        *session, {.url = server.url(), .deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(150)});
    ASSERT_FALSE(response.ok());
    EXPECT_EQ(response.failure().kind, Kind::kTimeout) << response.failure().message;
  }
}

TEST(HostileNetwork, LookupsMeetTheDeadlineToo) {
  auto gate = std::make_shared<std::promise<void>>();
  const auto opened = gate->get_future().share();
  const auto client = make_http_client({.look_up = [opened](const std::string&) -> Result<Addresses> {
    opened.wait();
    return Failure{ErrorCode::kNotFound, "too late"};
  }});
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(fetch_all(*client->open(grants({"*"})), {.url = "http://slow.example/", .deadline = soon}).failure().kind,
            Kind::kTimeout);
  SessionLimits limits;
  limits.connect_timeout = std::chrono::milliseconds(50);
  EXPECT_EQ(fetch_all(*client->open(grants({"*"}), limits), {.url = "http://slow.example/"}).failure().kind,
            Kind::kNetwork);
  gate->set_value();
}

TEST(HostileNetwork, HeadersAreBounded) {
  const auto with_headers = [](std::string_view line, int count) {
    return [line = std::string(line), count](Connection& connection) {
      connection.read_request_head();
      connection.send("HTTP/1.1 200 OK\r\n");
      for (int i = 0; i < count; ++i) {
        if (!connection.send(line)) return;
      }
      connection.send("Content-Length: 0\r\n\r\n");
    };
  };
  const struct {
    ScriptedServer::Script script;
    bool good;
  } rows[] = {
      {with_headers("A: b\r\n", 900), true},
      {with_headers("A: b\r\n", 100'000), false},
      {with_headers("A: " + std::string(90'000, 'x') + "\r\n", 2), true},
      {with_headers("A: " + std::string(90'000, 'x') + "\r\n", 10), false},
      {with_headers("A: " + std::string(10 << 20, 'x') + "\r\n", 1), false},
      {with_headers("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n", 100'000), false},
  };
  for (const auto& row : rows) {
    ScriptedServer server(row.script);
    const auto client = make_http_client();
    const auto response = fetch_all(*client->open(grants({server.target()})), {.url = server.url()});
    EXPECT_EQ(response.ok(), row.good) << &row - rows;
  }
}

TEST(HostileNetwork, LiesAboutLengthsAreErrors) {
  const char* lies[] = {
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nshort",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nx\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n\xcf\xff",
      "HTTP/1.1 200 OK\r\n folded: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 2000 OK\r\n\r\n",
      "HTTP/0.9 200 OK\r\n\r\nx",
      "just text",
      "",
  };
  for (const char* lie : lies) {
    ScriptedServer server([lie](Connection& connection) {
      connection.read_request_head();
      connection.send(lie);
    });
    const auto client = make_http_client();
    const auto response = fetch_all(*client->open(grants({server.target()})), {.url = server.url()});
    ASSERT_FALSE(response.ok()) << lie;
    EXPECT_EQ(response.failure().kind, Kind::kNetwork) << lie << response.failure().message;
  }
}

TEST(HostileNetwork, AResponseCannotSpillIntoTheNext) {
  std::atomic<int> requests = 0;
  ScriptedServer server([&](Connection& connection) {
    while (!connection.read_request_head().empty()) {
      ++requests;
      connection.send(ok_response("real") + ok_response("smuggled"));
    }
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fetch_all(*session, {.url = server.url()}).value().body, "real");
  EXPECT_EQ(requests, 3);
}

}  // namespace
}  // namespace glovebox::net
