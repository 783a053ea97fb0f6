#include "catalog/catalog.h"

#include <signal.h>

#include "catalog/catalog_fixture.h"
#include "catalog/listing_file.h"

namespace glovebox::catalog {
namespace {

// A server that asks a person about each call of `ask`, and never answers `slow`.
constexpr const char* kAskingServer = R"py(
import json, sys
def say(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
waiting = None
for line in sys.stdin:
    message = json.loads(line)
    if "method" not in message:
        said = "answered" if "result" in message else "refused"
        say({"id": waiting, "result": {"content": [{"type": "text", "text": said}]}})
    elif "id" not in message:
        pass
    elif message["method"] == "initialize":
        say({"id": message["id"], "result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                             "serverInfo": {"name": "asking", "version": "1"}}})
    elif message["method"] == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ["ask", "slow"]]
        say({"id": message["id"], "result": {"tools": tools}})
    elif message["method"] != "tools/call":
        say({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
    elif message["params"]["name"] == "ask":
        waiting = message["id"]
        say({"id": "q", "method": "elicitation/create",
             "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}})
)py";

TEST_F(CatalogTest, AsksNoClientAboutTheCallOfAnother) {
  ServerSpec spec = liar("a");
  spec.command = "python3";
  spec.args = {write("asking.py", kAskingServer)};
  options.capabilities = R"({"elicitation":{}})";
  open({spec});
  std::map<std::string, int> asked;
  const auto caller = [&](const std::string& name) {
    CallOptions one;
    one.caller.id = "run_" + name;
    one.caller.principal = name;
    one.on_question = [&asked, name](std::string_view, std::string_view, const AnswerQuestion& answer) {
      ++asked[name];
      answer(std::string(R"({"action":"decline"})"));
    };
    return one;
  };
  const auto slow = find("a", "slow");
  ASSERT_TRUE(slow.ok());
  std::optional<Result<ToolResult, CallFailure>> ended;
  const auto cancel = catalog->call(TestCalls::approved(*slow, "{}"), caller("ann"),
                                    [&](Result<ToolResult, CallFailure> result) { ended = std::move(result); });
  EXPECT_EQ(call("a", "ask", "{}", caller("bob")), R"("refused")");
  // The server need not heed a cancellation: what it asks next may still be about that call.
  cancel();
  (void)wait(ended);
  EXPECT_EQ(call("a", "ask", "{}", caller("bob")), R"("refused")");
  EXPECT_EQ(call("a", "ask", "{}", caller("ann")), R"("answered")");
  EXPECT_EQ(asked, (std::map<std::string, int>{{"ann", 1}}));
}

TEST_F(CatalogTest, GivesACleanEnvironmentAndAFolder) {
  ::setenv("GLOVEBOX_SECRET_OF_OURS", "x", 1);
  ServerSpec spec = liar("a");
  spec.env = {{"TOKEN", "t"}};
  open({spec});
  const std::string env = call("a", "env");
  EXPECT_NE(env.find("TOKEN=t"), std::string::npos);
  EXPECT_EQ(env.find("GLOVEBOX_SECRET"), std::string::npos);
  EXPECT_EQ(call("a", "cwd"), "\"" + fs::canonical(root).string() + "\"");
}

TEST_F(CatalogTest, ChecksArgumentsBeforeTheyLeave) {
  open({liar("a", {"--ledger", root + "/ledger"})});
  EXPECT_EQ(call("a", "echo", R"({"n":"five"})"),
            "INVALID_ARGUMENTS: a.echo does not take these arguments: /n must be integer");
  EXPECT_FALSE(sent);
  EXPECT_EQ(call("a", "echo", "[]").substr(0, 18), "INVALID_ARGUMENTS:");
  EXPECT_EQ(call("a", "echo", R"({"n":1,"n":2})").substr(0, 18), "INVALID_ARGUMENTS:");
  EXPECT_FALSE(fs::exists(root + "/ledger"));
  EXPECT_EQ(call("a", "echo", ""), "{}");
  EXPECT_EQ(read("ledger"), "echo\n");
}

TEST_F(CatalogTest, ExplainsWhatIsNotThere) {
  ServerSpec off = liar("off");
  off.disabled = true;
  ServerSpec wrong = liar("wrong");
  wrong.problem = "the variable TOKEN is not set";
  ServerSpec missing = liar("missing");
  missing.command = "no-such-program-anywhere";
  open({liar("github"), off, wrong, missing, liar("fails", {"--fails"})});
  EXPECT_EQ(call("githb", "x"), "SERVER_NOT_FOUND: there is no server githb; did you mean github?");
  EXPECT_EQ(call("github", "ecko"), "TOOL_NOT_FOUND: github has no tool ecko; did you mean echo?");
  EXPECT_NE(call("slack", "x").find("there is no server slack; there are "), std::string::npos);
  EXPECT_NE(call("github", "cat").find("github has no tool cat; search_tools finds what it has"), std::string::npos);
  EXPECT_EQ(call("GitHub", "Rpc-Error"), "TOOL_ERROR: no such luck");  // case and separators do not count
  EXPECT_EQ(call("off", "echo"), "SERVER_DISABLED: off is disabled in the config");
  EXPECT_EQ(call("wrong", "echo"), "SERVER_UNAVAILABLE: wrong: the variable TOKEN is not set");
  EXPECT_EQ(health("wrong").state, ServerHealth::State::kBroken);
  EXPECT_EQ(call("missing", "echo"),
            "SERVER_UNAVAILABLE: missing: there is no program no-such-program-anywhere in PATH");
  EXPECT_EQ(call("fails", "echo"),
            "SERVER_UNAVAILABLE: fails: the server ended with exit code 7: cannot find my config");
  EXPECT_NE(read(".glovebox/logs/fails.log").find("cannot find my config\n"), std::string::npos);
}

TEST_F(CatalogTest, ToolsMayFail) {
  open({liar("a")});
  EXPECT_EQ(call("a", "error"), "TOOL_ERROR: it did not work");
  EXPECT_EQ(call("a", "rpc_error"), "TOOL_ERROR: no such luck");
  EXPECT_EQ(call("a", "no_content").substr(0, 15), "PROTOCOL_ERROR:");
  EXPECT_TRUE(sent);
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(health("a").restarts, 0);
}

TEST_F(CatalogTest, ALyingServerCostsItsOwnCalls) {
  options.limits.most_notifications = 6'000;  // which any machine receives within ten seconds
  open({liar("a"), liar("b")});
  const std::string pid = call("b", "pid");
  const CallOptions hasty{.timeout = milliseconds(300)};
  EXPECT_EQ(call("a", "garbage").substr(0, 15), "PROTOCOL_ERROR:");
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(health("a").restarts, 1);
  EXPECT_EQ(call("a", "huge").substr(0, 17), "RESULT_TOO_LARGE:");
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(call("a", "exit"), "SERVER_UNAVAILABLE: a: the server ended with exit code 3: out of patience");
  EXPECT_TRUE(sent);
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(call("a", "wrong_id", "{}", hasty).substr(0, 12), "RPC_TIMEOUT:");
  EXPECT_EQ(call("a", "slow", "{}", hasty).substr(0, 12), "RPC_TIMEOUT:");
  EXPECT_EQ(call("a", "twice"), R"("first")");
  EXPECT_EQ(call("a", "flood", R"({"n":5000})"), R"("done")");
  EXPECT_EQ(call("a", "flood", R"({"n":100000})").substr(0, 19), "SERVER_UNAVAILABLE:");
  EXPECT_EQ(call("a", "stderr_flood", R"({"n":20000})"), R"("done")");
  EXPECT_LE(fs::file_size(root + "/.glovebox/logs/a.log"), std::size_t{1} << 20);
  EXPECT_EQ(call("b", "pid"), pid);
}

TEST_F(CatalogTest, LargeResultsPass) {
  open({liar("a")});
  EXPECT_EQ(call("a", "big", R"({"n":10})").size(), (std::size_t{10} << 20) + 2);
}

TEST_F(CatalogTest, CancelsCalls) {
  open({liar("a", {"--ledger", root + "/ledger"})});
  const Tool slow = find("a", "slow").value();
  std::vector<std::string> ended;
  const auto start = [&] {
    return catalog->call(TestCalls::approved(slow, "{}"), {}, [&](Result<ToolResult, CallFailure> result) {
      ended.push_back(result ? "value" : result.failure().code.text());
    });
  };
  const auto early = start();
  early();
  wait_until([&] { return ended.size() == 1; });
  const auto handle = start();
  wait_for_calls("slow\n");
  EXPECT_EQ(health("a").calls_under_way, 1u);
  handle();
  handle();
  wait_until([&] { return ended.size() == 2; });
  EXPECT_EQ(ended, (std::vector<std::string>{"CANCELLED", "CANCELLED"}));
  EXPECT_EQ(call("a", "echo"), "{}");
  // Calls in progress at the end are reported, too.
  start();
  wait_for_calls("slow\necho\nslow\n");
  catalog->close();
  EXPECT_EQ(ended.back(), "SERVER_UNAVAILABLE");
}

TEST_F(CatalogTest, ACallThatIsCancelledAtOnceIsNotSent) {
  open({liar("a", {"--ledger", root + "/ledger"})});
  const Tool slow = find("a", "slow").value();
  std::string ended;
  const auto cancel = catalog->call(TestCalls::approved(slow, "{}"), {}, [&](Result<ToolResult, CallFailure> result) {
    ended = result ? "value" : result.failure().code.text();
  });
  cancel();
  EXPECT_EQ(ended, "");
  wait_until([&] { return !ended.empty(); });
  EXPECT_EQ(ended, "CANCELLED");
  EXPECT_EQ(call("a", "echo"), "{}");
  EXPECT_EQ(read("ledger"), "echo\n");
}

TEST_F(CatalogTest, CallsWaitInLine) {
  options.limits.max_calls_per_server = 2;
  open({liar("a", {"--ledger", root + "/ledger"})});
  const Tool slow = find("a", "slow").value();
  const Tool echo = find("a", "echo").value();
  std::vector<std::string> ended;
  const auto start = [&](const Tool& tool) {
    return catalog->call(TestCalls::approved(tool, "{}"), {},
                         [&, name = tool.name](Result<ToolResult, CallFailure> result) {
                           ended.push_back(name + (result ? "" : " " + result.failure().code.text()));
                         });
  };
  const auto first = start(slow);
  start(slow);
  start(echo);
  wait_for_calls("slow\nslow\n");
  wait_for(milliseconds(50));
  EXPECT_TRUE(ended.empty());
  EXPECT_EQ(read("ledger"), "slow\nslow\n");
  first();
  wait_until([&] { return ended.size() == 2; });
  EXPECT_EQ(ended, (std::vector<std::string>{"slow CANCELLED", "echo"}));
  catalog->close();
  EXPECT_EQ(ended.back(), "slow SERVER_UNAVAILABLE");
}

TEST_F(CatalogTest, TellsProgress) {
  open({liar("a")});
  std::vector<double> reports;
  CallOptions with_progress;
  with_progress.on_progress = [&](double progress, std::optional<double>, std::string_view) {
    reports.push_back(progress);
  };
  EXPECT_EQ(call("a", "progress", "{}", with_progress), R"("done")");
  EXPECT_EQ(reports, (std::vector<double>{1, 2, 3}));
}

TEST_F(CatalogTest, ServersHaveAliasesToo) {
  open({liar("brave-search"), liar("my_files")});
  EXPECT_EQ(catalog->resolve_server("braveSearch"), "brave-search");
  EXPECT_EQ(catalog->resolve_server("my_files"), "my_files");
  EXPECT_EQ(catalog->resolve_server("none"), "");
  EXPECT_EQ(call("braveSearch", "echo"), "{}");
  open({liar("a-b"), liar("a_b")});
  EXPECT_EQ(catalog->resolve_server("aB"), "");
}

}  // namespace
}  // namespace glovebox::catalog
