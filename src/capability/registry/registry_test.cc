#include "capability/registry/registry.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>

#include "base/unique_fd.h"
#include "capability/limits.h"
#include "capability/scratch_state.h"
#include "mcp/json/json_tree.h"
#include "net/scripted_server.h"

namespace glovebox::capability {
namespace {

using net::testing::always;
using net::testing::Connection;
using net::testing::ok_response;
using net::testing::ScriptedServer;
using testing::kCode;
using testing::kName;
using testing::metadata_of;
using testing::metadata_text;

class RegistryTest : public testing::ScratchState {
 protected:
  Result<Published> fetch(const std::string& address, std::chrono::milliseconds time = std::chrono::seconds(60)) {
    auto registry = make_registry(io.get_executor(), {address, time, "client_0123456789"});
    if (!registry) return registry.failure();
    std::optional<Result<Published>> outcome;
    (*registry)->fetch(Fqdn::parse(kName).value(),
                       [&](Result<Published> published) { outcome = std::move(published); });
    EXPECT_FALSE(outcome);
    while (!outcome) io.run_one();
    return std::move(*outcome);
  }
  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{io.get_executor()};
};

std::string with_code(const std::string& code) {
  return metadata_text(kName, kCode, ",\"code\":" + boost::json::serialize(boost::json::string(code)));
}

TEST_F(RegistryTest, IsAFolder) {
  EXPECT_EQ(fetch(root + "/registry").failure().code, ErrorCode::kNotFound);
  ASSERT_TRUE(publish(root + "/registry", metadata_of(kName, kCode), kCode).ok());
  const auto published = fetch(root + "/registry/");
  ASSERT_TRUE(published.ok()) << published.failure().message;
  EXPECT_EQ(published->code, kCode);
  EXPECT_EQ(published->metadata.canonical(), metadata_of(kName, kCode).canonical());
  EXPECT_FALSE(publish(root + "/registry", metadata_of(kName, kCode), kCode + ";").ok());

  write("registry/mcp/" + kName, with_code(kCode + ";"));
  EXPECT_EQ(fetch(root + "/registry").failure().code, ErrorCode::kProtocol);
  write("registry/mcp/" + kName, metadata_text(kName, kCode, R"(,"code_url":"../../secret")"));
  write("secret", kCode);
  EXPECT_EQ(fetch(root + "/registry").failure().code, ErrorCode::kProtocol);
  write("registry/mcp/" + kName, metadata_text(kName, kCode, R"(,"code_url":"code/add.ts")"));
  write("registry/mcp/code/add.ts", kCode);
  EXPECT_TRUE(fetch(root + "/registry").ok());
}

TEST_F(RegistryTest, IsAServer) {
  ScriptedServer* seen = nullptr;
  ScriptedServer server([&](Connection& connection) {
    for (std::string head = connection.read_request_head(); !head.empty(); head = connection.read_request_head()) {
      seen->record(head.substr(0, head.find("\r\n")));
      seen->record(head);
      const bool code = head.starts_with("GET /r/mcp/add.ts ");
      if (!connection.send(ok_response(code ? kCode : metadata_text(kName, kCode, R"(,"code_url":"add.ts")")))) return;
    }
  });
  seen = &server;
  const auto published = fetch(server.url("/r/"));
  ASSERT_TRUE(published.ok()) << published.failure().message;
  EXPECT_EQ(published->code, kCode);
  ASSERT_FALSE(server.records().empty());
  EXPECT_EQ(server.records()[0], "GET /r/mcp/" + kName + " HTTP/1.1");
  EXPECT_NE(server.records()[1].find("Glovebox-Client-Id: client_0123456789\r\n"), std::string::npos);
}

TEST_F(RegistryTest, GivesWhatTheOwnerExpectsAndNothingElse) {
  const std::string digest = Integrity::of(metadata_of(kName, kCode).canonical()).text();
  const auto fetch_expecting = [&](const std::string& address, ExpectedDigests digests) {
    auto registry =
        make_registry(io.get_executor(), {address, std::chrono::seconds(60), "", std::move(digests)}).value();
    std::optional<Result<Published>> outcome;
    registry->fetch(Fqdn::parse(kName).value(), [&](Result<Published> published) { outcome = std::move(published); });
    while (!outcome) io.run_one();
    return outcome->ok() ? outcome->value().code : outcome->failure().message;
  };
  ASSERT_TRUE(publish(root + "/registry", metadata_of(kName, kCode), kCode).ok());
  EXPECT_EQ(fetch_expecting(root + "/registry", {{kName, digest}}), kCode);
  EXPECT_EQ(fetch_expecting(root + "/registry", {}),
            "registryDigests of the config does not name " + kName + ". It has " + digest);
  const std::string other = Integrity::of("other").text();
  EXPECT_EQ(fetch_expecting(root + "/registry", {{kName, other}}),
            kName + " is not the one that registryDigests of the config names: that is " + other +
                ", and the registry has " + digest);
  // An attacker on the network cannot choose what is accepted.
  EXPECT_FALSE(make_registry(io.get_executor(), {"http://registry.example", std::chrono::seconds(1)}).ok());
  EXPECT_TRUE(make_registry(io.get_executor(),
                            {"http://registry.example", std::chrono::seconds(1), "", ExpectedDigests{{kName, digest}}})
                  .ok());
}

TEST_F(RegistryTest, ThatLiesIsRefused) {
  const struct {
    std::string response;
    ErrorCode code;
    std::string word;
  } cases[] = {
      {ok_response(with_code(kCode + "//")), ErrorCode::kProtocol, "does not match its metadata"},
      {ok_response("<!doctype html><p>Sign in"), ErrorCode::kProtocol, "web page"},
      {ok_response("not json"), ErrorCode::kProtocol, "cannot be read"},
      {ok_response(metadata_text("acme.tools.math.sub.a7f3", kCode, R"(,"code":"x")")), ErrorCode::kProtocol,
       "asked for"},
      {ok_response(metadata_text(kName, kCode)), ErrorCode::kProtocol, "neither code"},
      {ok_response(metadata_text(kName, kCode, R"(,"code_url":"http://127.0.0.2:1/x")")), ErrorCode::kProtocol,
       "its code"},
      {ok_response(std::string(kMostMetadataBytes + 1, ' ')), ErrorCode::kProtocol, "too large"},
      {"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", ErrorCode::kNotFound, "no such capability"},
      {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", ErrorCode::kSystem, "status 500"},
      {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:1/\r\nContent-Length: 0\r\n\r\n", ErrorCode::kProtocol,
       "could not be reached"},
  };
  for (const auto& one : cases) {
    ScriptedServer server(always(one.response));
    const auto published = fetch("http://" + server.target());
    ASSERT_FALSE(published.ok()) << one.word;
    EXPECT_EQ(published.failure().code, one.code) << published.failure().message;
    EXPECT_NE(published.failure().message.find(one.word), std::string::npos) << published.failure().message;
  }
}

TEST_F(RegistryTest, ThatIsDownOrSlowSaysSo) {
  // Bound, so that no other process can listen there, but not listening itself.
  const base::UniqueFd taken(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  ASSERT_EQ(::bind(taken.get(), reinterpret_cast<sockaddr*>(&name), size), 0);
  ASSERT_EQ(::getsockname(taken.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);
  const std::string down = "http://127.0.0.1:" + std::to_string(ntohs(name.sin_port));
  EXPECT_EQ(fetch(down).failure().code, ErrorCode::kSystem);
  // One that sends a byte and then nothing.
  ScriptedServer slow([](Connection& connection) {
    connection.read_request_head();
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
    connection.wait_until_closed();
  });
  const auto late = fetch("http://" + slow.target(), std::chrono::milliseconds(300));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.failure().code, ErrorCode::kSystem);
  EXPECT_NE(late.failure().message.find("in time"), std::string::npos) << late.failure().message;
}

TEST_F(RegistryTest, HasAnAddress) {
  for (const std::string bad :
       {"", "relative/folder", "ftp://example.org", "http://", "https://a/?b", "http://registry.example"})
    EXPECT_FALSE(make_registry(io.get_executor(), {bad, std::chrono::seconds(1)}).ok()) << bad;
}

}  // namespace
}  // namespace glovebox::capability
