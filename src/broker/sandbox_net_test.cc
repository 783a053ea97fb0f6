// fetch end to end: a program in a sealed guest, and the test's own servers.
#include <gtest/gtest.h>

#include "glovebox/sandbox.h"
#include "net/compressed_samples.h"
#include "net/scripted_server.h"

namespace glovebox {
namespace {

using net::testing::always;
using net::testing::Connection;
using net::testing::ok_response;
using net::testing::ScriptedServer;

class SandboxNet : public testing::Test {
 protected:
  Outcome run(std::string code, std::vector<std::string> allow_net, SandboxConfig config = {}) {
    config.allow_net = std::move(allow_net);
    // Unless a test is about the timeout: as long as a busy machine may need.
    if (config.timeout == SandboxConfig().timeout) config.timeout = std::chrono::minutes(10);
    return box_.run({.code = std::move(code), .config = std::move(config)});
  }
  static std::string result(const Outcome& outcome) {
    return outcome.ok() ? outcome.result_json() : outcome.error()->code.text() + ": " + outcome.error()->message;
  }
  Sandbox box_;
};

TEST_F(SandboxNet, FetchesWhatIsGranted) {
  ScriptedServer server(always(ok_response(R"({"answer":42})", "Content-Type: application/json\r\n")));
  EXPECT_EQ(
      result(run("const r = await fetch('" + server.url("/x") + "'); return [r.status, r.url, (await r.json()).answer]",
                 {server.target()})),
      "[200,\"" + server.url("/x") + "\",42]");
}

TEST_F(SandboxNet, DeniesWhatIsNot) {
  ScriptedServer server(always(ok_response("secret")));
  const Outcome caught = run("try { await fetch('" + server.url() + R"(') } catch (e) {
    return [e instanceof Deno.errors.PermissionDenied, e instanceof Deno.errors.NotCapable, e.message] })",
                             {});
  EXPECT_EQ(result(caught), "[true,true,\"Requires net access to \\\"" + server.target() + "\\\"\"]");
  ASSERT_EQ(caught.trace.size(), 1u);
  EXPECT_EQ(caught.trace[0].outcome, TraceEntry::Outcome::kDenied);
  const Outcome uncaught = run("await fetch('" + server.url() + "')", {"example.com"});
  EXPECT_TRUE(std::holds_alternative<Denied>(uncaught.ending));
  EXPECT_EQ(uncaught.error()->code.text(), "PERMISSION_DENIED");
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(SandboxNet, ANameThatLeadsInsideNeedsMore) {
  ScriptedServer server(always(ok_response("inside")));
  const std::string port = std::to_string(server.port());
  const std::string code = "return await (await fetch('http://localhost:" + port + "/')).text()";
  const Outcome denied = run(code, {"localhost"});
  ASSERT_TRUE(std::holds_alternative<Denied>(denied.ending)) << result(denied);
  EXPECT_NE(denied.error()->message.find("The name \"localhost\" resolves to a loopback address"), std::string::npos);
  EXPECT_EQ(server.connections(), 0);
  SandboxConfig config;
  config.allow_net_private = true;
  EXPECT_EQ(result(run(code, {"localhost"}, config)), "\"inside\"");
}

TEST_F(SandboxNet, StreamsBothWays) {
  ScriptedServer server([](Connection& connection) {
    connection.read_request_head();
    const std::string body = connection.read_until("0\r\n\r\n");
    connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 100; ++i) connection.send("2710\r\n" + std::string(10'000, 'x') + "\r\n");
    connection.send("0\r\n\r\n");
  });
  const std::string code =
      "let left = 50;"
      "const body = new ReadableStream({ pull(c) { left-- > 0 ? c.enqueue(new Uint8Array(100000)) : c.close() } });"
      "const response = await fetch('" +
      server.url() +
      "', { method: 'POST', body, duplex: 'half' });"
      "let count = 0;"
      "for await (const piece of response.body) count += piece.length;"
      "return count";
  EXPECT_EQ(result(run(code, {server.target()})), "1000000");
}

TEST_F(SandboxNet, ReadsABodyOf50Megabytes) {
  const std::string large(50 << 20, 'x');
  ScriptedServer server(always(ok_response(large)));
  EXPECT_EQ(
      result(run("return (await (await fetch('" + server.url() + "')).arrayBuffer()).byteLength", {server.target()})),
      "52428800");
}

TEST_F(SandboxNet, HoldsTheLimitOfAResponse) {
  ScriptedServer server(always(ok_response(net::testing::brotli_of_zeros(), "Content-Encoding: br\r\n")));
  SandboxConfig config;
  config.max_fetch_bytes = 1 << 20;
  const Outcome outcome =
      run("return (await (await fetch('" + server.url() + "')).arrayBuffer()).byteLength", {server.target()}, config);
  EXPECT_NE(result(outcome).find("larger than 1048576 bytes"), std::string::npos) << result(outcome);
}

TEST_F(SandboxNet, AbortsAndTimesOut) {
  ScriptedServer server([](Connection& connection) { connection.wait_until_closed(); });
  EXPECT_EQ(result(run("try { await fetch('" + server.url() +
                           "', { signal: AbortSignal.timeout(50) }) } catch (e) { return e.name }",
                       {server.target()})),
            "\"TimeoutError\"");
  SandboxConfig config;
  config.timeout = std::chrono::milliseconds(200);
  const Outcome outcome = run("await fetch('" + server.url() + "')", {server.target()}, config);
  EXPECT_EQ(outcome.error()->type, ErrorType::kTimeoutError) << result(outcome);
}

TEST_F(SandboxNet, NetworkErrorsAreTypeErrors) {
  EXPECT_EQ(
      result(run("try { await fetch('http://127.0.0.1:1/') } catch (e) { return [e.name, e.message] }", {"127.0.0.1"})),
      "[\"TypeError\",\"error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect "
      "error: "
      "Connection refused (os error 111)\"]");
}

TEST_F(SandboxNet, ManyAtOnce) {
  ScriptedServer server(always(ok_response("x")));
  EXPECT_EQ(result(run("const all = await Promise.all(Array.from({ length: 300 }, () => fetch('" + server.url() +
                           "'))); return (await Promise.all(all.map((r) => r.text()))).join('').length",
                       {server.target()})),
            "300");
}

TEST_F(SandboxNet, RefusesNonsenseAsAGrant) {
  const Outcome outcome = run("return 1", {"https://example.com"});
  EXPECT_EQ(outcome.error()->code.text(), "INVALID_REQUEST");
  EXPECT_NE(outcome.error()->message.find("write the host alone"), std::string::npos) << outcome.error()->message;
}

}  // namespace
}  // namespace glovebox
