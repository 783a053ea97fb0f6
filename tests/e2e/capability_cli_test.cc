// Capabilities as their owner uses them at the command line: a registry on loopback, real servers as dependencies, and
// registries that lie, stall or are gone.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "command.h"
#include "net/scripted_server.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using net::testing::Connection;
using net::testing::ok_response;
using net::testing::ScriptedServer;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file server, as is put in front of the folder of a registry.
class RegistryServer {
 public:
  explicit RegistryServer(std::string folder)
      : folder_(std::move(folder)), server_([this](Connection& connection) { serve(connection); }) {}
  std::string url() const { return "http://" + server_.target(); }
  std::uint16_t port() const { return server_.port(); }
  std::atomic<bool> stalls = false;
  std::atomic<int> asked = 0;

 private:
  void serve(Connection& connection) {
    for (std::string head = connection.read_request_head(); !head.empty(); head = connection.read_request_head()) {
      ++asked;
      const std::string path = head.substr(4, head.find(' ', 4) - 4);
      const std::string file = folder_ + path;
      if (stalls) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{");
        connection.wait_until_closed();
        return;
      }
      const bool found = path.find("..") == path.npos && fs::is_regular_file(file);
      if (!connection.send(found ? ok_response(text_of(file)) : "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
        return;
    }
  }
  std::string folder_;
  ScriptedServer server_;
};

// A port of loopback where nothing listens any more, and where no other program begins to.
class EmptyPort {
 public:
  explicit EmptyPort(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0) << port;
  }

 private:
  base::UniqueFd socket_;
};

class Capability : public testing::Test {
 protected:
  Capability() { server = std::make_unique<RegistryServer>(folder.path() + "/registry"); }

  void configure(const std::string& permissions) const {
    folder.write("glovebox.json",
                 R"({"registry":")" + server->url() + R"(","permissions":{)" + permissions + R"(},"check":"tools"})");
  }
  Ended run(std::vector<std::string> arguments) const {
    return Command(std::move(arguments)).folder(folder.path()).run();
  }
  json::value run_json(std::vector<std::string> arguments, int code) const {
    arguments.push_back("--json");
    const Ended ended = run(std::move(arguments));
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    boost::system::error_code error;
    json::value document = json::parse(ended.out, error);
    EXPECT_FALSE(error) << ended.out;
    return document;
  }
  // Returns its full name.
  std::string publish(const std::string& name, const std::string& code, std::vector<std::string> more = {}) const {
    folder.write("code.ts", code);
    std::vector<std::string> arguments = {"capability", "publish", name, "code.ts", "--to", "registry"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return std::string(run_json(std::move(arguments), 0).at("fqdn").as_string());
  }

  TemporaryFolder folder;
  std::unique_ptr<RegistryServer> server;
};

TEST_F(Capability, IsPublishedAddedRunAndUpdated) {
  configure("");
  const std::string name = publish("acme.tools.math.add", "return args.a + 1");
  EXPECT_EQ(run_json({"capability", "ls"}, 0).at("capabilities").as_array().size(), 0u);
  EXPECT_EQ(run_json({"capability", "add", name}, 0).at("capability").at("call"), "mcp.math.add");
  const std::string client = text_of(folder.path() + "/.glovebox/client-id");
  EXPECT_EQ(std::string(run_json({"capability", "add", name}, 0).at("clientId").as_string()) + "\n", client);
  EXPECT_EQ(run_json({"capability", "run", name, R"({"a":1})"}, 0).at("result"), 2);
  EXPECT_EQ(run_json({"route", "math:add"}, 0).at("to"), "capability");
  EXPECT_EQ(run_json({"route", "math:sub"}, 1).at("to"), "nothing");

  // Other code under the same name has to be approved, and only that code is.
  const std::string first = text_of(folder.path() + "/registry/mcp/" + name);
  publish(name, "return args.a + 2");
  EXPECT_EQ(run_json({"capability", "run", "math:add", R"({"a":1})"}, 0).at("result"), 2);
  const json::value asked = run_json({"capability", "update"}, 6).at("updates").at(0);
  EXPECT_EQ(asked.at("status"), "approval_required");
  const json::value& approval = asked.at("approval");
  EXPECT_EQ(approval.at("approval_type"), "integrity");
  const std::string diff(approval.at("context").at("need").as_string());
  EXPECT_NE(diff.find("-  return args.a + 1"), std::string::npos) << diff;
  EXPECT_NE(diff.find("+  return args.a + 2"), std::string::npos) << diff;
  const std::string digest(approval.at("context").at("digest").as_string());
  publish(name, "return args.a + 666");
  run_json({"capability", "update", name, "--approve", digest}, 6);
  publish(name, "return args.a + 2");
  EXPECT_EQ(run_json({"capability", "update", name, "--approve", digest}, 0).at("updates").at(0).at("status"),
            "updated");
  EXPECT_EQ(run_json({"capability", "run", name, R"({"a":1})"}, 0).at("result"), 3);

  // A registry that serves the first version again replays an old one.
  folder.write("registry/mcp/" + name, first);
  const json::value old = run_json({"capability", "update"}, 7).at("updates").at(0);
  EXPECT_EQ(old.at("error").at("code"), "REPLAYED_VERSION");

  // With a registry that never finishes its answer, or with none, the pinned code runs.
  server->stalls = true;
  const int asked_before = server->asked;
  EXPECT_EQ(run_json({"capability", "run", name, R"({"a":1})"}, 0).at("result"), 3);
  EXPECT_EQ(server->asked, asked_before);
  const std::uint16_t port = server->port();
  server.reset();
  const EmptyPort gone(port);
  EXPECT_EQ(run_json({"capability", "run", name, R"({"a":1})"}, 0).at("result"), 3);
  EXPECT_EQ(run_json({"capability", "update"}, 4).at("updates").at(0).at("error").at("code"), "REGISTRY_UNAVAILABLE");
  run_json({"capability", "rm", "math:add"}, 0);
  EXPECT_EQ(run_json({"capability", "ls"}, 0).at("capabilities").as_array().size(), 0u);
}

TEST_F(Capability, ThatCannotBeVerifiedIsNotAdded) {
  configure("");
  const std::string name = publish("acme.tools.math.add", "return args.a + 1");
  const std::string path = "registry/mcp/" + name;
  const std::string good = text_of(folder.path() + "/" + path);
  const auto tampered = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    folder.write(path, text);
    return std::string(run_json({"capability", "add", name}, 7).at("error").at("code").as_string());
  };
  EXPECT_EQ(tampered("args.a + 1", "args.a + 2"), "NOT_VERIFIED");
  EXPECT_EQ(tampered("sha256-", "sha512-"), "NOT_VERIFIED");
  EXPECT_EQ(tampered("\"deno\"", "\"shell\""), "NOT_VERIFIED");
  EXPECT_EQ(tampered("math.add", "math.sub"), "NOT_VERIFIED");
  EXPECT_EQ(tampered("{", "<html>{"), "NOT_VERIFIED");
  for (const std::string bad : {"../../etc/passwd", "a.b.c.d\n.a7f3", "a.b.__proto__.d.a7f3", "a.b.c.d"})
    run_json({"capability", "add", bad}, 2);
  EXPECT_EQ(run_json({"capability", "add", "acme.tools.math.mul.0000"}, 2).at("error").at("code"), "NOT_FOUND");
  EXPECT_FALSE(fs::exists(folder.path() + "/.glovebox/mcp.lock"));
  folder.write(path, good);
  run_json({"capability", "add", name}, 0);
}

TEST_F(Capability, WithARealServerAsksBeforeItFirstRuns) {
  configure(R"("allow":["every:echo"])");
  folder.write("deps.json", R"([{"name":"every","type":"stdio","command":")" + kNode + R"(","args":[")" + kEverything +
                                R"("],"version":"2026.8.31"}])");
  const std::string name = publish("acme.tools.talk.echo", "return await mcp.every.echo({ message: args.text })",
                                   {"--tool", "every:echo", "--deps", "deps.json"});
  run_json({"capability", "add", name}, 0);
  const json::value asked = run_json({"capability", "run", name, R"({"text":"hi"})"}, 6);
  EXPECT_EQ(asked.at("approval_type"), "dependency");
  EXPECT_NE(asked.at("context").at("need").as_string().find(kEverything), json::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() + "/.glovebox/deps.json"));
  const std::string digest(asked.at("context").at("digest").as_string());
  run_json({"capability", "run", name, R"({"text":"hi"})", "--approve", digest + "x"}, 6);
  EXPECT_EQ(run_json({"capability", "run", name, R"({"text":"hi"})", "--approve", digest}, 0).at("result"), "Echo: hi");
  EXPECT_EQ(run_json({"capability", "run", name, R"({"text":"ho"})"}, 0).at("result"), "Echo: ho");
  EXPECT_FALSE(fs::exists(folder.path() + "/.glovebox/deps.json")) << "it lies with the owner";
  EXPECT_EQ(run_json({"route", "every:echo"}, 0).at("to"), "dependency");
}

TEST_F(Capability, WhosePackageChangesIsAskedAboutAgain) {
  configure(R"("allow":["every:echo"])");
  fs::create_directories(folder.path() + "/node_modules/wrap");
  folder.write("node_modules/wrap/package.json", R"({"name":"wrap","version":"1.0.0","type":"module"})");
  folder.write("node_modules/wrap/index.js", "await import('" + kEverything + "')");
  folder.write("deps.json", R"([{"name":"every","type":"stdio","command":")" + kNode +
                                R"(","args":["node_modules/wrap/index.js"],"version":"1.0.0"}])");
  const std::string name = publish("acme.tools.talk.echo", "return await mcp.every.echo({ message: args.text })",
                                   {"--tool", "every:echo", "--deps", "deps.json"});
  run_json({"capability", "add", name}, 0);
  const auto asked = [&](const std::string& word) {
    const json::value request = run_json({"capability", "run", name, R"({"text":"hi"})"}, 6);
    EXPECT_EQ(request.at("approval_type"), "dependency");
    EXPECT_NE(request.at("context").at("need").as_string().find(word), json::string::npos) << request;
    return std::string(request.at("context").at("digest").as_string());
  };
  const std::string digest = asked("version 1.0.0");
  EXPECT_EQ(run_json({"capability", "run", name, R"({"text":"hi"})", "--approve", digest}, 0).at("result"), "Echo: hi");
  folder.write("node_modules/wrap/index.js", "/* another */ await import('" + kEverything + "')");
  EXPECT_NE(asked("different files"), digest);
  EXPECT_EQ(run_json({"route", "every:echo"}, 1).at("to"), "nothing");
  folder.write("node_modules/wrap/package.json", R"({"name":"wrap","version":"1.0.1","type":"module"})");
  asked("declares version 1.0.0");
}

TEST_F(Capability, IsATool) {
  configure(R"("allow":["math:add"])");
  run_json({"capability", "add", publish("acme.tools.math.add", "return args.a + 1")}, 0);
  const json::value outcome = run_json(
      {"exec", "--config=glovebox.json", "-e", "return [await mcp.math.add({ a: 1 }), await math.add({ a: 2 })]"}, 0);
  EXPECT_EQ(outcome.at("result"), json::parse("[2,3]"));
  EXPECT_EQ(outcome.at("nested").as_array().size(), 2u);
  // A file that is merely here connects nothing.
  run_json({"exec", "-e", "return await mcp.math.add({ a: 1 })"}, 5);

  // A successful run becomes a capability itself.
  std::string id;
  const json::value listed = run_json({"runs", "ls"}, 0);
  for (const json::value& one : listed.at("runs").as_array())
    if (one.at("client") == "exec") id = one.at("id").as_string();
  const json::value saved = run_json({"capability", "save", id, "--as", "acme.tools.math.both", "--to", "registry"}, 0);
  EXPECT_EQ(saved.at("metadata").at("tools_used"), json::parse(R"(["math:add"])"));
  EXPECT_EQ(run_json({"capability", "run", "math:both"}, 0).at("result"), json::parse("[2,3]"));
}

TEST_F(Capability, IsATaskOfAWorkflow) {
  configure(R"("allow":["math:add"])");
  run_json({"capability", "add", publish("acme.tools.math.add", "return args.a + 1")}, 0);
  folder.write("w.json", R"({"tasks":[
    {"id":"one","type":"capability","capability":"math:add","arguments":{"a":"$INPUT.start"}},
    {"id":"two","type":"capability","capability":"math:add","arguments":{"a":"$OUTPUT[one]"},"dependencies":["one"]},
    {"id":"both","type":"code_execution","code":"return [deps.one.output, deps.two.output]",
     "dependencies":["one","two"]}]})");
  const Ended ended = run({"run", "w.json", "--input", R"({"start":40})", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
  const std::string id(run_json({"runs", "ls"}, 0).at("workflows").at(0).at("workflow_id").as_string());
  const json::value shown = run_json({"runs", "show", id}, 0);
  EXPECT_EQ(shown.at("outcome").at("outputs").at("both"), json::parse("[41,42]")) << shown;

  // One that was not added is reported before anything runs, with its place.
  folder.write("wrong.json", R"({"tasks":[{"id":"one","type":"capability","capability":"math:sub"}]})");
  const Ended wrong = run({"run", "wrong.json"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("wrong.json:1:"), std::string::npos) << wrong.err;
  // What the owner denies is not run through a workflow, either.
  configure(R"("deny":["math:add"])");
  EXPECT_NE(run({"run", "w.json", "--input", R"({"start":40})"}).code, 0);
}

TEST_F(Capability, ThatWaitsIsResumedWithItsCaller) {
  folder.write("glovebox.json", R"({"registry":"registry","permissions":{"allow":["talk:echo"]},"mcpServers":{"every":)"
                                R"({"command":")" +
                                    kNode + R"(","args":[")" + kEverything + R"("]}}})");
  run_json(
      {"capability", "add",
       publish("acme.tools.talk.echo", "return await mcp.every.echo({ message: 'hi' })", {"--tool", "every:echo"})},
      0);
  const Ended waits = run({"exec", "--config=glovebox.json", "-e", "return [await mcp.talk.echo({})]", "--json"});
  ASSERT_EQ(waits.code, 6) << waits.out << waits.err;
  const std::string caller(json::parse(waits.out).at("run_id").as_string());
  // While no gateway runs.
  const std::string request(json::parse(waits.out).at("approval_id").as_string());
  EXPECT_EQ(Command({"approvals", "approve", request}).folder(folder.path()).at_terminal().run().code, 0);
  Command gateway({"serve", "--http", "127.0.0.1:0", "--open"});
  gateway.folder(folder.path()).start();
  json::value shown;
  // If it waits in vain, the time limit of the test ends it.
  do {
    shown = json::parse(run({"runs", "show", caller, "--json"}).out);
  } while (json::serialize(shown).find("\"ended\":null") != std::string::npos);
  gateway.signal(SIGTERM);
  gateway.finish();
  EXPECT_NE(json::serialize(shown).find(R"(["Echo: hi"])"), std::string::npos) << shown;
}

TEST_F(Capability, OfAnotherGatewayRunsThere) {
  const std::string office = folder.path() + "/office";
  fs::create_directory(office);
  folder.write("code.ts", "return { sum: args.a + 1 }");
  // There it is an ordinary capability.
  folder.write("office/glovebox.json", R"({"permissions":{"allow":["math:add"]}})");
  const auto there = [&](std::vector<std::string> arguments) {
    return Command(std::move(arguments)).folder(office).run();
  };
  Ended made = there({"capability", "publish", "acme.tools.math.add.a7f3", "../code.ts", "--to", "registry"});
  ASSERT_EQ(made.code, 0) << made.err;
  ASSERT_EQ(there({"capability", "add", "acme.tools.math.add.a7f3", "--registry", "registry"}).code, 0);
  Command gateway({"serve", "--http", "127.0.0.1:0", "--open"});
  gateway.folder(office).start();
  const std::string url = gateway.read_address();

  // Here it is known, and runs there.
  folder.write("glovebox.json", R"({"registry":"registry","remote":"office","permissions":{"allow":["math:add"]},)"
                                R"("mcpServers":{"office":{"url":")" +
                                    url + R"("}}})");
  run_json({"capability", "add", publish("acme.tools.math.add.a7f3", "return 'never here'", {"--routing", "server"})},
           0);
  EXPECT_EQ(run_json({"route", "math:add"}, 0).at("to"), "remote");
  const json::value outcome =
      run_json({"exec", "--config=glovebox.json", "-e", "return await mcp.math.add({ a: 1 })"}, 0);
  EXPECT_EQ(outcome.at("result").at("sum"), 2) << outcome;
  // It is not among our runs; the office has the record.
  EXPECT_NE(there({"runs", "ls", "--json"}).out.find("capability acme.tools.math.add.a7f3"), std::string::npos);
  gateway.signal(SIGTERM);
  gateway.finish();
  const EmptyPort port(static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
  const json::value gone = run_json({"exec", "--config=glovebox.json", "-e", "return await mcp.math.add({ a: 1 })"}, 5);
  EXPECT_EQ(gone.at("error").at("code"), "SERVER_UNAVAILABLE");
}

TEST_F(Capability, KilledWhileItIsFetchedLeavesEverythingValid) {
  configure("");
  const std::string one = publish("acme.tools.math.add", "return 1");
  const std::string two = publish("acme.tools.math.sub", "return 2");
  run_json({"capability", "add", one}, 0);
  server->stalls = true;
  const int before = server->asked;
  Command add({"capability", "add", two});
  add.folder(folder.path()).start();
  while (server->asked == before) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  add.signal(SIGKILL);
  EXPECT_EQ(add.finish().code, 128 + SIGKILL);
  server->stalls = false;
  EXPECT_EQ(run_json({"capability", "ls"}, 0).at("capabilities").as_array().size(), 1u);
  EXPECT_EQ(run_json({"capability", "run", one}, 0).at("result"), 1);
  run_json({"capability", "add", two}, 0);
}

}  // namespace
}  // namespace glovebox::e2e
