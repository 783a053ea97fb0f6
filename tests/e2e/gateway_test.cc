// Upstream servers as their owner uses them at the command line: real ones from npm, and one that lies.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

const std::string kServers = base::source_folder() + "/tests/e2e/node_modules/@modelcontextprotocol/";

class Gateway : public testing::Test {
 protected:
  Ended run(std::vector<std::string> arguments) const {
    return Command(std::move(arguments)).folder(folder.path()).run();
  }
  json::value run_json(std::vector<std::string> arguments, int code) const {
    arguments.push_back("--json");
    const Ended ended = run(std::move(arguments));
    EXPECT_EQ(ended.code, code) << ended.err;
    boost::system::error_code error;
    json::value document = json::parse(ended.out, error);
    EXPECT_FALSE(error) << ended.out;
    EXPECT_EQ(ended.out.find('\n'), ended.out.size() - 1);
    return document;
  }
  json::value call(const std::string& tool, const std::string& arguments, int code = 0) const {
    return run_json({"tools", "call", tool, "--args", arguments}, code);
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path() + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
};

TEST_F(Gateway, RealServersAreAddedTestedAndCalled) {
  folder.write("glovebox.json", "{\n  // our servers\n  \"mcpServers\": {} // none yet\n}\n");
  fs::create_directory(folder.path() + "/data");
  ASSERT_EQ(run({"server", "add", "every", "--", kNode, kServers + "server-everything/dist/index.js"}).code, 0);
  ASSERT_EQ(run({"server", "add", "files", "--", kNode, kServers + "server-filesystem/dist/index.js", "./data"}).code,
            0);
  ASSERT_EQ(run({"server", "add", "memory", "--env", "MEMORY_FILE_PATH=" + folder.path() + "/memory.json", "--", kNode,
                 kServers + "server-memory/dist/index.js"})
                .code,
            0);
  EXPECT_NE(text("glovebox.json").find("// our servers"), std::string::npos);
  EXPECT_NE(text("glovebox.json").find("// none yet"), std::string::npos);
  EXPECT_EQ(run({"config", "validate"}).code, 0);

  const json::value tested = run_json({"server", "test"}, 0);
  ASSERT_EQ(tested.at("servers").as_array().size(), 3u);
  for (const json::value& server : tested.at("servers").as_array()) {
    EXPECT_EQ(server.at("state"), "ready");
    EXPECT_GT(server.at("tools").to_number<int>(), 5);
    EXPECT_EQ(server.at("revision"), "2025-11-25");
  }

  EXPECT_EQ(call("every.echo", R"({"message":"hi"})").at("result"), "Echo: hi");
  EXPECT_EQ(call("every.getSum", R"({"a":2,"b":3})").at("result"), "The sum of 2 and 3 is 5.");
  EXPECT_TRUE(call("every.get-structured-content", R"({"location":"Chicago"})").at("result").is_object());
  EXPECT_TRUE(call("every.get-tiny-image", "{}").at("result").is_array());

  const json::value types = run_json({"tools", "types", "files.readText*", "--compact"}, 0);
  EXPECT_NE(
      json::value_to<std::string>(types.at("declarations")).find("read_text_file(args: { path: string; tail?: number"),
      std::string::npos);
  const json::value stubs = run_json({"tools", "types", "files", "--python"}, 0);
  EXPECT_NE(
      json::value_to<std::string>(stubs.at("declarations")).find("def write_file(self, *, path: str, content: str)"),
      std::string::npos);

  const std::string file = folder.path() + "/data/a.txt";
  call("files.write_file", R"({"path":")" + file + R"(","content":"line\n"})");
  EXPECT_EQ(text("data/a.txt"), "line\n");
  EXPECT_EQ(call("files.read_text_file", R"({"path":")" + file + R"("})").at("result").at("content"), "line\n");
  const json::value outside = call("files.read_text_file", R"({"path":"/etc/passwd"})", 5);
  EXPECT_EQ(outside.at("error").at("code"), "TOOL_ERROR");
  EXPECT_EQ(outside.at("error").at("toolName"), "files.read_text_file");

  // Two processes in turn, one graph.
  call("memory.create_entities", R"({"entities":[{"name":"ada","entityType":"person","observations":["counts"]}]})");
  const json::value graph = call("memory.read_graph", "{}").at("result");
  EXPECT_EQ(graph.at("entities").at(0).at("name"), "ada");

  // The environment of a server has nothing that it does not need.
  const json::value environment = call("every.get-env", "{}").at("result");
  for (const auto& entry : environment.as_object())
    EXPECT_TRUE(entry.key() == "PATH" || entry.key() == "XDG_STATE_HOME") << entry.key();

  ASSERT_EQ(run({"server", "rm", "memory"}).code, 0);
  const json::value left = run_json({"server", "ls"}, 0);
  EXPECT_EQ(left.at("servers").as_array().size(), 2u);
  EXPECT_EQ(text(".glovebox/mcp.lock").find("memory."), std::string::npos);
  EXPECT_NE(text(".glovebox/mcp.lock").find("\"every.echo\""), std::string::npos);
}

TEST_F(Gateway, SaysWhatWentWrongAndExitsWithIt) {
  ASSERT_EQ(run({"server", "add", "liar", "--", kLiar}).code, 0);
  ASSERT_EQ(run({"server", "add", "gone", "--", "/no/such/program"}).code, 0);
  ASSERT_EQ(run({"server", "add", "web", "--url", "http://127.0.0.1:1/mcp"}).code, 0);
  const struct {
    std::vector<std::string> arguments;
    int code;
    const char* says;
  } cases[] = {
      {{"server", "test", "gone"}, 4, "could not be started: No such file or directory"},
      {{"server", "test", "web"}, 4, "web: "},
      {{"server", "test", "lia"}, 2, "did you mean liar?"},
      {{"server", "add", "liar", "--", "x"}, 2, "the server liar already exists"},
      {{"server", "add", "a b", "--", "x"}, 2, "did you mean a_b?"},
      {{"server", "add", "c"}, 2, "give either --url URL or"},
      {{"server", "add", "__proto__", "--", "x"}, 2, "is reserved in code"},
      {{"server", "rm", "none"}, 2, "there is no server none"},
      {{"server"}, 2, "subcommand"},
      {{"tools", "call", "liar"}, 2, "is not SERVER.TOOL"},
      {{"tools", "call", "liar.nothing"}, 2, "TOOL_NOT_FOUND"},
      {{"tools", "call", "none.echo"}, 2, "SERVER_NOT_FOUND"},
      {{"tools", "call", "liar.echo", "--args", "{"}, 2, "INVALID_ARGUMENTS"},
      {{"tools", "call", "liar.echo", "--args", R"({"n":"x"})"}, 2, "INVALID_ARGUMENTS"},
      {{"tools", "call", "liar.error"}, 5, "TOOL_ERROR: it did not work"},
      {{"tools", "call", "liar.exit"}, 4, "exit code 3: out of patience"},
      {{"tools", "call", "liar.garbage"}, 4, "PROTOCOL_ERROR"},
      {{"tools", "call", "liar.slow", "--timeout", "200ms"}, 8, "RPC_TIMEOUT"},
      {{"tools", "types", "none"}, 2, "there is no server none"},
      {{"tools", "types", "liar.nothing"}, 2, "there is no tool liar.nothing"},
      {{"tools", "types", "liar.echo(n=1)"}, 2, "does not name tools"},
      {{"tools", "ls", "--server", "gone"}, 4, "No such file or directory"},
      {{"tools", "ls", "--config", "/none.json"}, 2, "/none.json"},
      {{"tools", "ls", "--workspace", "/none"}, 2, "/none"},
  };
  for (const auto& item : cases) {
    const Ended ended = run(item.arguments);
    EXPECT_EQ(ended.code, item.code) << item.says << "\n" << ended.err;
    EXPECT_NE(ended.err.find(item.says), std::string::npos) << ended.err;
  }
  // The broken ones do not affect the others.
  const json::value tools = run_json({"tools", "ls"}, 4);
  EXPECT_EQ(tools.at("tools").as_array().size(), 22u);
  EXPECT_EQ(tools.at("failures").as_array().size(), 2u);
  EXPECT_NE(run({"server", "logs", "liar"}).out.find("out of patience"), std::string::npos);
}

TEST_F(Gateway, AChangedDefinitionWaitsForApproval) {
  const std::string tools =
      folder.write("tools.json", R"([{"name":"greet","description":"Greets.","inputSchema":{}}])");
  ASSERT_EQ(run({"server", "add", "s", "--", kLiar, "--tools", tools}).code, 0);
  EXPECT_EQ(call("s.greet", "{}").at("result"), "greet");
  folder.write("tools.json", R"([{"name":"greet","description":"Greets.\u001b[2J Tells all.","inputSchema":{}}])");
  EXPECT_EQ(call("s.greet", "{}", 7).at("error").at("code"), "TOOL_QUARANTINED");

  const Ended shown = run({"tools", "approve", "s.greet"});
  EXPECT_EQ(shown.code, 6);
  EXPECT_NE(shown.out.find("-  Greets.\n+  Greets."), std::string::npos) << shown.out;
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(call("s.greet", "{}", 7).at("ok"), false);
  const Ended yes = Command({"tools", "approve", "s", "--json"}).at_terminal().folder(folder.path()).run();
  EXPECT_EQ(json::parse(yes.out).at("tools").at(0).at("approved"), true) << yes.err;
  EXPECT_NE(run({"audit", "--json"}).out.find(R"("event":"tool.approved")"), std::string::npos);
  EXPECT_EQ(call("s.greet", "{}").at("result"), "greet");
}

TEST_F(Gateway, AnApprovedRunIsResumedByNameAndByNobodyElse) {
  folder.write("glovebox.json", R"({"mcpServers": {"liar": {"command": ")" + kLiar + R"("}},
                                    "permissions": {"ask": ["liar"]}})");
  const std::string config = "--config=glovebox.json";
  const Ended waits = run({"exec", config, "-e", "return await mcp.liar.echo({ n: 5 })"});
  EXPECT_EQ(waits.code, 6) << waits.err;
  const json::value listed = run_json({"runs", "ls"}, 0).at("runs").at(0);
  const std::string id = json::value_to<std::string>(listed.at("id"));
  EXPECT_NE(waits.err.find("glovebox runs resume " + id), std::string::npos) << waits.err;

  // Without an answer it asks again, and ends.
  EXPECT_EQ(run_json({"runs", "resume", id}, 6).at("status"), "approval_required");
  const json::value waiting = run_json({"approvals", "ls"}, 0).at("approvals");
  ASSERT_EQ(waiting.as_array().size(), 1u);
  const std::string approval = json::value_to<std::string>(waiting.at(0).at("id"));
  ASSERT_EQ(Command({"approvals", "approve", approval}).at_terminal().folder(folder.path()).run().code, 0);

  EXPECT_EQ(run({"exec", config, "-e", "return 1 + 3"}).out, "4\n");
  EXPECT_EQ(run_json({"runs", "show", id}, 0).at("outcome"), nullptr);
  const Ended resumed = run({"runs", "resume", id});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.out.find("5"), std::string::npos) << resumed.out;
  const json::value ended = run_json({"runs", "resume", id}, 0);
  EXPECT_NE(json::serialize(ended.at("result")).find("5"), std::string::npos);
  EXPECT_EQ(run({"runs", "resume", "run_none"}).code, 2);
}

TEST_F(Gateway, LargeResultsArePrinted) {
  ASSERT_EQ(run({"server", "add", "s", "--", kLiar}).code, 0);
  EXPECT_EQ(call("s.big", R"({"n":10})").at("result").as_string().size(), std::size_t{10} << 20);
}

TEST_F(Gateway, OtherProgramsServersAreImported) {
  const std::string claude = folder.write("claude.json", R"({"mcpServers": {
    "liar": {"command": ")" + kLiar + R"(", "args": [], "autoApprove": ["*"]},
    "my server": {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer abc"}},
    "__proto__": {"command": "x"}}, "globalShortcut": "x"})");
  folder.write("glovebox.json", "// kept\n{\"sandbox\": {\"timeoutMs\": 5}}\n");
  const json::value outcome = run_json({"config", "import", claude}, 0);
  EXPECT_EQ(outcome.at("imported"), (json::array{"liar", "my server"}));
  const std::string notes = json::serialize(outcome.at("notes"));
  EXPECT_NE(notes.find("autoApprove"), std::string::npos);
  EXPECT_NE(notes.find("may be secret"), std::string::npos);
  EXPECT_EQ(text("glovebox.json").find("abc"), std::string::npos);
  EXPECT_NE(notes.find("__proto__: left out"), std::string::npos);
  EXPECT_EQ(text("glovebox.json").substr(0, 8), "// kept\n");
  EXPECT_EQ(run({"config", "validate"}).code, 0);
  EXPECT_EQ(call("liar.json", "{}").at("result"), json::parse(R"({"sum":3})"));
  EXPECT_EQ(run_json({"config", "import", claude}, 0).at("imported"), json::array());
  EXPECT_EQ(run_json({"server", "ls"}, 0).at("servers").at(1).at("name"), "my_server");
  EXPECT_EQ(run({"config", "import", folder.write("x.json", "{}")}).code, 2);
  EXPECT_EQ(run({"config", "import", folder.write("x.json", "{")}).code, 2);
  EXPECT_EQ(run({"config", "import", "/none.json"}).code, 2);
}

TEST_F(Gateway, TheLightProgramKnowsItsNeighboursCommands) {
  const Ended help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"exec", "doctor", "config", "serve", "server", "tools", "approvals"})
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
  EXPECT_NE(run({"server", "--help"}).out.find("test"), std::string::npos);
  // The gateway program knows the commands of the light one, too.
  const Ended exec = Command({"exec", "-e", "1 + 1"}).program(base::program_part("glovebox-gateway")).run();
  EXPECT_EQ(exec.out, "2\n") << exec.err;
  // A copy without its other files reports what is missing.
  const std::string program = folder.copy_program();
  const Ended alone = Command({"tools", "ls", "--json"}).program(program).run();
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("glovebox-gateway: No such file or directory"), std::string::npos) << alone.err;
  fs::remove(folder.path() + "/libglovebox-light.so");
  const Ended without_commands = Command({"exec", "-e", "1"}).program(program).run();
  EXPECT_EQ(without_commands.code, 4);
  EXPECT_NE(without_commands.err.find("libglovebox-light.so"), std::string::npos) << without_commands.err;
}

}  // namespace
}  // namespace glovebox::e2e
