// How servers start, fail, stop and come back, over stdio and over HTTP.
#include <signal.h>

#include <map>

#include "catalog/catalog_fixture.h"
#include "mcp/http/http_server.h"
#include "mcp/server/server_call.h"

namespace glovebox::catalog {
namespace {

TEST_F(CatalogTest, StartsAServerWithItsFirstUse) {
  open({liar("a"), liar("b")});
  EXPECT_EQ(catalog->servers(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(health("a").state, ServerHealth::State::kIdle);
  EXPECT_TRUE(catalog->known_tools().empty());
  EXPECT_EQ(call("a", "echo", R"({"n":5})"), R"({"n":5})");
  EXPECT_EQ(health("a").state, ServerHealth::State::kReady);
  EXPECT_EQ(health("a").era, "legacy");
  EXPECT_EQ(health("b").state, ServerHealth::State::kIdle);
  EXPECT_EQ(call("a", "structured"), R"({"a":[1,2,{"b":null}]})");
  EXPECT_EQ(call("a", "rpcError"), "TOOL_ERROR: no such luck");  // the alias of rpc_error
}

TEST_F(CatalogTest, SpeaksToServersThatEndAtWhatTheyDoNotKnow) {
  open({liar("a", {"--ends-at-discover"})});
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(health("a").era, "legacy");
  // The era is remembered, so the next start does not try the other one first.
  open({liar("a", {"--ends-at-discover"})});
  EXPECT_EQ(call("a", "echo"), "{}");
  const std::string log = read(".glovebox/logs/a.log");
  EXPECT_EQ(log.find("to negotiate another protocol version"), log.rfind("to negotiate another protocol version"));
}

TEST_F(CatalogTest, StartsThatLeadNowhereEnd) {
  ServerSpec silent = liar("silent", {"--silent"});
  silent.start_timeout = milliseconds(300);
  open({silent, liar("banner", {"--banner"}), liar("pages", {"--endless-pages"})});
  EXPECT_EQ(call("silent", "echo"), "SERVER_UNAVAILABLE: silent: the server was not ready within 0.3 s");
  EXPECT_EQ(call("banner", "echo").substr(0, 15), "PROTOCOL_ERROR:");
  EXPECT_EQ(call("pages", "echo").substr(0, 10), "PROTOCOL_E");
}

class BackingOff : public CatalogTest {
 protected:
  // False: the machine is too busy to check anything within such a pause.
  bool backs_off(milliseconds pause) {
    options.limits.most_failures = 4;
    options.limits.first_pause = pause;
    open({liar("a", {"--fails"})});
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto fails = [&] { return call("a", "echo"); };
    EXPECT_EQ(fails().find("retried"), std::string::npos);
    EXPECT_EQ(health("a").state, ServerHealth::State::kIdle);
    const auto second = now();
    fails();
    const auto state = health("a").state;
    const int restarts = health("a").restarts;
    const std::string refused = fails();
    const int restarts_then = health("a").restarts;
    if (now() - second >= pause) return false;
    EXPECT_EQ(state, ServerHealth::State::kBackingOff);
    EXPECT_NE(refused.find("next attempt in"), std::string::npos) << refused;
    EXPECT_EQ(restarts_then, restarts);
    wait_until([&] { return health("a").retry_in.count() == 0; });
    const auto third = now();
    fails();
    const auto retry_in = health("a").retry_in;
    if (now() - third >= pause) return false;
    EXPECT_EQ(health("a").restarts, restarts + 1);
    EXPECT_GT(retry_in, pause);
    wait_until([&] { return health("a").retry_in.count() == 0; });
    fails();
    EXPECT_EQ(health("a").state, ServerHealth::State::kBroken);
    EXPECT_NE(fails().find("has failed 4 times"), std::string::npos);
    catalog->retry("a");
    EXPECT_EQ(fails().find("has failed"), std::string::npos);
    return true;
  }
};

TEST_F(BackingOff, FromAServerThatKeepsFailing) {
  milliseconds pause(200);
  while (!backs_off(pause)) {
    pause *= 5;
    ASSERT_LT(pause, std::chrono::minutes(2));
  }
}

TEST_F(CatalogTest, StopsAnIdleServerAndStartsItAgain) {
  ServerSpec spec = liar("a");
  spec.idle_timeout = milliseconds(100);
  open({spec});
  const std::string pid = call("a", "pid");
  wait_until([&] { return health("a").state == ServerHealth::State::kIdle; });
  wait_until([&] { return ::kill(std::stoi(pid.substr(1)), 0) != 0; });
  EXPECT_EQ(catalog->known_tools().size(), 22u);
  EXPECT_NE(call("a", "pid"), pid);
  EXPECT_EQ(health("a").error, "");
}

bool runs(const std::string& name) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "comm");
    std::string line;
    if (std::getline(file, line) && line == name) return true;
  }
  return false;
}

TEST_F(CatalogTest, LeavesNothingBehind) {
  open({liar("a")});
  std::string orphan = call("a", "orphan");
  orphan = orphan.substr(1, orphan.size() - 2);
  EXPECT_TRUE(runs(orphan));
  const int pid = std::stoi(call("a", "pid").substr(1));
  catalog->close();
  wait_until([&] { return ::kill(pid, 0) != 0 && !runs(orphan); });
}

TEST_F(CatalogTest, AChangedConfigTouchesOnlyWhatDiffers) {
  const ServerSpec before = liar("b", {"--ledger", root + "/ledger"});
  open({liar("a"), before, liar("c")});
  const std::string a = call("a", "pid");
  const std::string b = call("b", "pid");
  std::string ended;
  catalog->call(TestCalls::approved(find("b", "slow").value(), "{}"), {},
                [&](Result<ToolResult, CallFailure> result) { ended = result ? "" : result.failure().message; });
  wait_for_calls("pid\nslow\n");
  ServerSpec other = before;
  other.env["X"] = "1";
  catalog->set_servers({liar("d"), other, liar("a")});
  EXPECT_EQ(ended, "b: the connection was closed");
  EXPECT_EQ(catalog->servers(), (std::vector<std::string>{"d", "b", "a"}));
  EXPECT_EQ(call("a", "pid"), a);
  EXPECT_NE(call("b", "pid"), b);
  EXPECT_EQ(call("c", "pid").substr(0, 17), "SERVER_NOT_FOUND:");
  EXPECT_EQ(call("d", "echo"), "{}");
}

// --- over HTTP

class CatalogOverHttp : public CatalogTest {
 protected:
  CatalogOverHttp() {
    (void)core.add_tool({.name = "where", .description = "says it"},
                        [this](const std::shared_ptr<mcp::ServerCall>& call) {
                          ++calls;
                          call->reply_text("here");
                        });
  }
  void serve() {
    auto started = mcp::HttpServer::start(core, loop.get_executor(), {.port = port, .access = access});
    // When it restarts, some other connection may have taken the port for a moment.
    for (int i = 0; i < 6'000 && !started && port != 0; ++i) {
      wait_for(milliseconds(10));
      started = mcp::HttpServer::start(core, loop.get_executor(), {.port = port, .access = access});
    }
    ASSERT_TRUE(started.ok()) << started.failure().message;
    server = std::move(started).value();
    port = server->port();
  }
  ServerSpec spec() const {
    ServerSpec spec;
    spec.name = "web";
    spec.url = "http://127.0.0.1:" + std::to_string(port) + "/mcp";
    return spec;
  }
  void TearDown() override {
    catalog.reset();
    server.reset();
    CatalogTest::TearDown();
  }

  mcp::ServerCore core{{.info = {"web", "1", {}}}};
  std::unique_ptr<mcp::HttpServer> server;
  std::variant<mcp::BearerToken, mcp::OpenOnLoopback> access = mcp::OpenOnLoopback{};
  std::uint16_t port = 0;
  int calls = 0;
};

TEST_F(CatalogOverHttp, CallsAndReconnects) {
  serve();
  open({spec()});
  EXPECT_EQ(call("web", "where"), R"("here")");
  EXPECT_EQ(health("web").era, "modern");
  EXPECT_EQ(health("web").transport, "http");
  server.reset();
  EXPECT_EQ(call("web", "where").substr(0, 19), "SERVER_UNAVAILABLE:");
  wait_until([&] { return health("web").state == ServerHealth::State::kIdle; });
  serve();
  EXPECT_EQ(call("web", "where"), R"("here")");
}

TEST_F(CatalogOverHttp, SaysThatItMayNot) {
  access = mcp::BearerToken{"a-long-s3cret-token"};
  serve();
  open({spec()});
  EXPECT_EQ(call("web", "where").substr(0, 13), "UNAUTHORIZED:");
  ServerSpec with_token = spec();
  with_token.headers = {{"authorization", "Bearer a-long-s3cret-token"}};
  catalog->set_servers({with_token});
  EXPECT_EQ(call("web", "where"), R"("here")");
}

TEST_F(CatalogOverHttp, ResumesALostSession) {
  serve();
  // A server that is known to be of the 2025 era gets a handshake, and starts a session.
  keep_listing(options.state_folder, spec(), {"legacy", {}});
  open({spec()});
  EXPECT_EQ(call("web", "where"), R"("here")");
  EXPECT_EQ(health("web").era, "legacy");
  server.reset();
  serve();
  EXPECT_EQ(call("web", "where"), R"("here")");
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(health("web").restarts, 1);
}

}  // namespace
}  // namespace glovebox::catalog
