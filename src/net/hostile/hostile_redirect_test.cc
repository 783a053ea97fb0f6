// Redirects that lead elsewhere, and what goes with them.
#include "net/hostile/hostile_network_fixture.h"

namespace glovebox::net {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using Kind = FetchError::Kind;

// --- F04: redirects

TEST(HostileNetwork, RedirectsAreCheckedAtEveryHop) {
  ScriptedServer inside(always(ok_response("secret")));
  ScriptedServer other(always(ok_response("other")), kOtherPublicAddress);
  const struct {
    std::string location;
    Kind kind;
    std::string message;
  } rows[] = {
      {inside.url(), Kind::kDenied, "Requires net access to \"" + inside.target() + "\""},
      {other.url(), Kind::kDenied, "Requires net access to \"" + other.target() + "\""},
      {"//169.254.169.254/latest/meta-data", Kind::kDenied, "Requires net access to \"169.254.169.254:80\""},
      {"https://evil.example/", Kind::kDenied, "Requires net access to \"evil.example:443\""},
      {"http://[::1]/", Kind::kDenied, "Requires net access to \"[::1]:80\""},
      {"file:///etc/passwd", Kind::kNetwork, "Url scheme 'file' not supported"},
      {"data:text/plain,hello", Kind::kNetwork, "Url scheme 'data' not supported"},
      {"gopher://127.0.0.1/", Kind::kNetwork, "Url scheme 'gopher' not supported"},
      {"http://granted.example\\@127.0.0.1/", Kind::kNetwork, "backslash"},
      {"http://granted.example@127.0.0.1/", Kind::kNetwork, "user name"},
      {"http:///x", Kind::kNetwork, "host is missing"},
  };
  for (const auto& row : rows) {
    ScriptedServer first(always(redirect_to(row.location)), kPublicAddress);
    const auto client = make_http_client();
    const auto session = client->open(grants({first.target()}));
    const auto response = fetch_all(*session, {.url = first.url()});
    ASSERT_FALSE(response.ok()) << row.location;
    EXPECT_EQ(response.failure().kind, row.kind) << row.location;
    EXPECT_NE(response.failure().message.find(row.message), std::string::npos) << response.failure().message;
  }
  EXPECT_EQ(inside.connections() + other.connections(), 0);
}

TEST(HostileNetwork, ARedirectToAGrantedNameIsCheckedByAddress) {
  ScriptedServer inside(always(ok_response("secret")));
  ScriptedServer first(always(redirect_to("http://second.example:" + port_of(inside) + "/")), kPublicAddress);
  const auto client = make_http_client({.look_up = always_at("127.0.0.1")});
  const auto session = client->open(grants({first.target(), "second.example"}));
  EXPECT_EQ(fetch_all(*session, {.url = first.url()}).failure().kind, Kind::kDenied);
  EXPECT_EQ(inside.connections(), 0);
}

TEST(HostileNetwork, RedirectsAreFollowedToTheirEnd) {
  ScriptedServer last(always(ok_response("there")), kOtherPublicAddress);
  ScriptedServer first(always(redirect_to(last.url("/end"), 308)), kPublicAddress);
  const auto client = make_http_client();
  const auto session = client->open(grants({first.target(), last.target()}));
  const auto response = fetch_all(*session, {.url = first.url()});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().body, "there");
  EXPECT_EQ(response.value().head.url, last.url("/end"));
  EXPECT_TRUE(response.value().head.redirected);

  const auto manual = fetch_all(*session, {.url = first.url(), .redirect = RedirectMode::kManual});
  EXPECT_EQ(manual.value().head.status, 308);
  EXPECT_FALSE(manual.value().head.redirected);
  EXPECT_EQ(fetch_all(*session, {.url = first.url(), .redirect = RedirectMode::kError}).failure().kind, Kind::kNetwork);
}

TEST(HostileNetwork, RedirectLoopsEnd) {
  ScriptedServer server(always(redirect_to("/again")));
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.url = server.url()});
  EXPECT_NE(response.failure().message.find("too many redirects"), std::string::npos) << response.failure().message;
  EXPECT_EQ(server.connections(), 1) << "on one connection";
}

TEST(HostileNetwork, TheBodyOfARedirectIsNotReadForEver) {
  ScriptedServer server([](Connection& connection) {
    const std::string head = connection.read_request_head();
    if (head.starts_with("GET /end")) {
      connection.send(ok_response("there"));
      return;
    }
    connection.send("HTTP/1.1 302 Elsewhere\r\nLocation: /end\r\nTransfer-Encoding: chunked\r\n\r\n");
    while (connection.send("1000\r\n" + std::string(0x1000, 'x') + "\r\n")) {
    }
  });
  const auto client = make_http_client();
  const auto session = client->open(grants({server.target()}));
  const auto response = fetch_all(*session, {.url = server.url()});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  EXPECT_EQ(response.value().body, "there");
}

// --- F08: secrets

TEST(HostileNetwork, SecretsStayWithTheirOrigin) {
  std::vector<std::string> seen;
  ScriptedServer other(
      [&](Connection& connection) {
        seen.push_back(connection.read_request_head());
        connection.send(ok_response("x"));
      },
      kOtherPublicAddress);
  ScriptedServer first(
      [&](Connection& connection) {
        for (std::string head; !(head = connection.read_request_head()).empty();) {
          seen.push_back(head);
          connection.send(redirect_to(head.starts_with("GET /1") ? "/2" : other.url()));
        }
      },
      kPublicAddress);
  const auto client = make_http_client();
  const auto session = client->open(grants({first.target(), other.target()}));
  const auto response = fetch_all(*session, {.url = first.url("/1"),
                                             .headers = {{"Authorization", "Bearer SECRET"},
                                                         {"Cookie", "SECRET"},
                                                         {"X-Api-Key", "SECRET"},
                                                         {"Proxy-Authorization", "SECRET"},
                                                         {"Accept", "text/plain"}}});
  ASSERT_TRUE(response.ok()) << response.failure().message;
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NE(seen[0].find("X-Api-Key: SECRET"), std::string::npos);
  EXPECT_EQ(seen[0].find("Proxy-"), std::string::npos);
  EXPECT_NE(seen[1].find("Authorization: Bearer SECRET"), std::string::npos) << "the same origin";
  EXPECT_EQ(seen[2].find("SECRET"), std::string::npos) << seen[2];
  EXPECT_NE(seen[2].find("Accept: text/plain"), std::string::npos) << seen[2];
}

TEST(HostileNetwork, BodiesFollowOnlyWhereTheStandardSendsThem) {
  std::vector<std::string> seen;
  const auto redirecting = [&seen](int status) {
    return [&seen, status](Connection& connection) {
      for (std::string head; !(head = connection.read_request_head()).empty();) {
        std::string body;
        if (const auto at = head.find("Content-Length: "); at != std::string::npos) {
          body = connection.read_exactly(std::stoul(head.substr(at + 16)));
        }
        if (head.find("chunked") != std::string::npos) body = connection.read_until("0\r\n\r\n");
        seen.push_back(head.substr(0, head.find(' ')) + " " + body);
        connection.send(head.find(" /end") != std::string::npos ? ok_response("end") : redirect_to("/end", status));
      }
    };
  };
  for (const auto& [status, expected] :
       {std::pair(303, "GET "), {302, "GET "}, {307, "POST data"}, {308, "POST data"}}) {
    seen.clear();
    ScriptedServer server(redirecting(status));
    const auto client = make_http_client();
    const auto session = client->open(grants({server.target()}));
    const auto response = fetch_all(*session, {.method = "POST", .url = server.url(), .body = "data"});
    ASSERT_TRUE(response.ok()) << response.failure().message;
    EXPECT_EQ(seen, (std::vector<std::string>{"POST data", expected})) << status;
  }
  for (const int status : {303, 307}) {
    ScriptedServer server(redirecting(status));
    const auto client = make_http_client();
    const auto session = client->open(grants({server.target()}));
    auto started = start(*session, {.method = "POST", .url = server.url(), .body = StreamedBody{}});
    ASSERT_TRUE(write(*started.exchange, "data", true).ok());
    const auto head = started.head.get();
    EXPECT_EQ(head.ok(), status == 303) << "a stream cannot be sent twice";
  }
}

}  // namespace
}  // namespace glovebox::net
