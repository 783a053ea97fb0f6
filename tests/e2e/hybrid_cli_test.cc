// Two gateways: one in the role of a server, which has some tools, and one on its user's machine, which has others.
// Both have real servers.
#include <gtest/gtest.h>
#include <signal.h>

#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

std::string everything_as(const std::string& name) {
  return "\"" + name + R"(":{"command":")" + kNode + R"(","args":[")" + kEverything + R"("]})";
}

// The first answer that will do, of those of two minutes; or the last one, which the caller refuses and prints.
std::string ask_until(const std::function<bool(const std::string&)>& will_do, const std::function<std::string()>& ask) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  for (;;) {
    std::string answer = ask();
    if (will_do(answer) || std::chrono::steady_clock::now() >= until) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

class Hybrid : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"/office", "/home", "/bare"}) fs::create_directory(folder.path() + name);
    folder.write("office/glovebox.json", R"({"http":{"token":"a-token-of-the-office"},)"
                                         R"("permissions":{"allow":["every:echo","sum:up"]},"mcpServers":{)" +
                                             everything_as("every") + "}}");
    office.folder(folder.path() + "/office").start();
    const std::string url = office.read_address();
    const std::string reached =
        R"("office":{"url":")" + url + R"(","headers":{"Authorization":"Bearer a-token-of-the-office"}})";
    configure_home = [this, reached](const std::string& permissions) {
      folder.write("home/glovebox.json", R"({"remote":"office","permissions":{)" + permissions + R"(},"mcpServers":{)" +
                                             reached + "," + everything_as("desk") + "}}");
    };
    configure_home(R"("allow":["desk:echo","every:echo"])");
    folder.write("bare/glovebox.json", R"({"permissions":{"allow":["*"]},"mcpServers":{)" + reached + "}}");
  }
  void TearDown() override {
    office.signal(SIGTERM);
    office.finish();
  }
  json::value at(const std::string& place, std::vector<std::string> arguments, int code) {
    arguments.push_back("--json");
    const Ended ended = Command(std::move(arguments)).folder(folder.path() + "/" + place).run();
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    boost::system::error_code error;
    json::value document = json::parse(ended.out, error);
    EXPECT_FALSE(error) << ended.out;
    return document;
  }
  json::value send(const std::string& code, int exit_code) {
    return at("home", {"exec", "--config=glovebox.json", "--remote", "-e", code}, exit_code);
  }
  // The office's runs. A run that it has handed over is reported in parallel to the answer, and so perhaps later.
  json::value reported_runs() {
    const auto all_ended = [](const std::string& runs) { return runs.find(R"("status":"running")") == runs.npos; };
    const std::string listed = ask_until(all_ended, [&] { return json::serialize(at("office", {"runs", "ls"}, 0)); });
    EXPECT_TRUE(all_ended(listed)) << listed;
    return json::parse(listed);
  }
  // The office's record of the run that it handed over last.
  json::value handed_over() {
    const json::value listed = reported_runs();
    for (const json::value& one : listed.at("runs").as_array()) {
      const std::string client(one.at("client").as_string());
      const json::value shown = at("office", {"runs", "show", std::string(one.at("id").as_string())}, 0);
      const std::string text = json::serialize(shown);
      if (text.find("reportedBy") != text.npos) return shown;
    }
    ADD_FAILURE() << "the office was told of no run: " << json::serialize(listed);
    return {};
  }

  TemporaryFolder folder;
  Command office{{"serve", "--role", "server", "--http", "127.0.0.1:0"}};
  std::function<void(const std::string& permissions)> configure_home;
};

TEST_F(Hybrid, CodeRunsWhereItsToolsAre) {
  // The office has everything that is needed.
  const json::value there = send("return await mcp.every.echo({ message: 'a' })", 0);
  EXPECT_EQ(there.at("result"), "Echo: a") << there;
  EXPECT_EQ(at("home", {"runs", "ls"}, 0).at("runs").as_array().size(), 0u);

  // A tool of this machine is needed, so the code comes back. The office's own tool is still called there.
  const json::value both = send(
      "// for ann@example.org, which the office would not tell an agent\n"
      "const a = await mcp.desk.echo({ message: 'b' });\nreturn await mcp.every.echo({ message: a })",
      0);
  EXPECT_EQ(both.at("result"), "Echo: Echo: b") << both;
  const std::string handed = json::serialize(handed_over());
  EXPECT_NE(handed.find("Echo: Echo: b"), handed.npos) << handed;
  EXPECT_NE(handed.find("desk.echo"), handed.npos) << handed;

  // TypeScript that runs here may call what only the office has; a name that is misspelt is a mistake all the same.
  const auto run_here = [&](const std::string& code, int exit_code) {
    return at("home", {"exec", "--config=glovebox.json", "-e", code}, exit_code);
  };
  EXPECT_EQ(run_here("return await mcp.every.echo({ message: await mcp.desk.echo({ message: 'd' }) })", 0).at("result"),
            "Echo: Echo: d");
  // A check that runs out of time on a busy machine is repeated; one that is not installed is not.
  const auto is_checked = [](const std::string& answer) {
    return answer.find("CHECK_UNAVAILABLE") == answer.npos || answer.find("not installed") != answer.npos;
  };
  const std::string misspelt = ask_until(is_checked, [&] {
    return Command({"exec", "--config=glovebox.json", "--json", "-e", "return await mcp.dessk.echo({ message: 'd' })"})
        .folder(folder.path() + "/home")
        .run()
        .out;
  });
  EXPECT_NE(misspelt.find(R"("TYPE_CHECK_FAILED")"), misspelt.npos) << misspelt;

  // What needs approval there waits there, and a command without a terminal reports that.
  const json::value waits = send("return await mcp.every['get-sum']({ a: 1, b: 2 })", 6);
  EXPECT_EQ(waits.at("error").at("code"), "REMOTE_APPROVAL_REQUIRED") << waits;

  // What the rules here forbid does not happen, and the office gets a report.
  configure_home(R"("allow":["every:echo"],"deny":["desk:echo"])");
  const json::value denied = send("return await mcp.desk.echo({ message: 'c' })", 7);
  EXPECT_EQ(denied.at("error").at("code"), "PERMISSION_DENIED") << denied;
  const std::string of_it = json::serialize(reported_runs());
  EXPECT_NE(of_it.find("\"failed\""), of_it.npos) << of_it;
}

TEST_F(Hybrid, AnAgentAsksItsOwnGateway) {
  Command home({"serve", "--http", "127.0.0.1:0", "--open"});
  home.folder(folder.path() + "/home").start();
  const std::string url = home.read_address();
  folder.write("bare/glovebox.json", R"({"mcpServers":{"home":{"url":")" + url + R"("}}})");
  const auto execute = [&](const std::string& code) {
    const json::value arguments = {{"code", code}, {"at", "remote"}};
    const json::value called =
        at("bare", {"tools", "call", "home.execute_code", "--args", json::serialize(arguments)}, 0);
    return json::serialize(called);
  };
  const std::string here = execute("return await mcp.desk.echo({ message: 'e' })");
  EXPECT_NE(here.find("Echo: e"), here.npos) << here;
  EXPECT_NE(json::serialize(handed_over()).find("Echo: e"), std::string::npos);
  // The report of the home gateway has passed its filter.
  execute("return await mcp.desk.echo({ message: 'ann' + '@example.org' })");
  const std::string reported = json::serialize(handed_over());
  EXPECT_EQ(reported.find("ann@example.org"), reported.npos) << reported;
  EXPECT_NE(reported.find("<EMAIL_"), reported.npos) << reported;
  const std::string there = execute("return await mcp.every.echo({ message: 'f' })");
  EXPECT_NE(there.find("Echo: f"), there.npos) << there;
  EXPECT_NE(there.find(R"("gateway":"office")"), there.npos) << there;
  EXPECT_EQ(there.find("executionTimeMs"), there.npos) << "as lean as what runs here: " << there;
  // Its artifacts are kept at the office, and read through the home gateway if its rules allow that.
  const std::string emitted = execute("await mcp.every.echo({ message: 'g' }); emit('a.csv', 'x,y'); return 1");
  const std::size_t begin = emitted.find("mcp://office/glovebox://runs/");
  ASSERT_NE(begin, emitted.npos) << emitted;
  const std::string uri = emitted.substr(begin, emitted.find_first_of("\"\\", begin) - begin);
  const json::value wish = {{"uri", uri}};
  EXPECT_EQ(at("bare", {"tools", "call", "home.$read", "--args", json::serialize(wish)}, 5).at("ok"), false);
  configure_home(R"("allow":["desk:echo","every:echo","office:$read"])");
  // The home gateway reads its new rules soon.
  const auto is_read = [](const std::string& answer) { return answer.find("x,y") != answer.npos; };
  const std::string read = ask_until(is_read, [&] {
    return Command({"tools", "call", "home.$read", "--args", json::serialize(wish), "--json"})
        .folder(folder.path() + "/bare")
        .run()
        .out;
  });
  EXPECT_TRUE(is_read(read)) << read;
  home.signal(SIGTERM);
  home.finish();
}

TEST_F(Hybrid, WithoutAGatewayTheCallerIsTold) {
  const auto call = [&](const std::string& tool, const json::value& arguments, int code) {
    const Ended ended = Command({"tools", "call", "office." + tool, "--args", json::serialize(arguments), "--json"})
                            .folder(folder.path() + "/bare")
                            .run();
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    return ended.out + ended.err;
  };
  const std::string code = "return await mcp.desk.echo({ message: 'b' })";
  const std::string refused = call("execute_code", {{"code", code}}, 5);
  EXPECT_NE(refused.find("CLIENT_TOOLS_REQUIRE_PACKAGE"), refused.npos) << refused;
  EXPECT_NE(refused.find("desk:echo"), refused.npos) << refused;
  // Nor can it report the outcome of a run.
  call("report_run", {{"workflow_id", "run_x"}, {"outcome", {{"result", 1}}}}, 5);
  // The server does for every client what it can do alone.
  const std::string done = call("execute_code", {{"code", "return await mcp.every.echo({ message: 'd' })"}}, 0);
  EXPECT_NE(done.find("Echo: d"), done.npos) << done;
}

}  // namespace
}  // namespace glovebox::e2e
