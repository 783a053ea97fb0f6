// `glovebox runs record` and `glovebox test`, with runs recorded from a real server.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/program_part.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

class RecordedRuns : public testing::Test {
 protected:
  RecordedRuns() {
    folder.write("tools.json", definition("n"));
    folder.write("glovebox.json", R"({"mcpServers":{"demo":{"command":")" + kLiar + R"(","args":["--tools",")" +
                                      folder.path() + R"(/tools.json","--ledger",")" + folder.path() +
                                      R"(/ledger"]}},"permissions":{"allow":["demo"]}})");
  }
  static std::string definition(const std::string& argument) {
    return R"([{"name":"echo","description":"does it","inputSchema":{"type":"object","required":[")" + argument +
           R"("],"additionalProperties":false,"properties":{")" + argument + R"(":{"type":"integer"}}}}])";
  }
  Ended run(std::vector<std::string> arguments) const {
    return Command(std::move(arguments)).folder(folder.path()).run();
  }
  // Runs the program and writes its case.
  std::string record(const std::string& file, const std::string& code, int exit_code = 0) {
    folder.write(file, code);
    const Ended ran = run({"exec", file, "--config", "glovebox.json", "--json"});
    EXPECT_EQ(ran.code, exit_code) << ran.out << ran.err;
    const Ended listed = run({"runs", "ls", "--json"});
    const std::string id(json::parse(listed.out).at("runs").at(0).at("id").as_string());
    const Ended recorded = run({"runs", "record", id});
    EXPECT_EQ(recorded.code, 0) << recorded.err;
    return folder.write(file + ".case.json", recorded.out);
  }
  std::string ledger() const {
    std::ifstream file(folder.path() + "/ledger");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
};

constexpr const char* kProgram =
    "const all = await Promise.all([1, 2].map((n) => mcp.demo.echo({ n })));\n"
    "return { all, when: Date.now(), chance: Math.random() }\n";

TEST_F(RecordedRuns, AreTheSameUntilCodeOrToolChange) {
  const std::string path = record("sum.ts", kProgram);
  const std::string calls = ledger();
  EXPECT_EQ(calls, "echo\necho\n");

  Ended tested = run({"test", path});
  EXPECT_EQ(tested.code, 0) << tested.out << tested.err;
  EXPECT_EQ(tested.out, "same       " + path + "\n");

  // Another argument: another call and another result.
  folder.write("changed.ts",
               "const all = await Promise.all([1, 3].map((n) => mcp.demo.echo({ n }).catch((e) => e.code)));\n"
               "return { all, when: Date.now(), chance: Math.random() }\n");
  tested = run({"test", path, "--code", "changed.ts"});
  EXPECT_EQ(tested.code, 1) << tested.err;
  EXPECT_NE(tested.out.find("different  " + path), std::string::npos) << tested.out;
  EXPECT_NE(tested.out.find("- demo.echo {\"n\":2}"), std::string::npos) << tested.out;
  EXPECT_NE(tested.out.find("+ demo.echo {\"n\":3}"), std::string::npos) << tested.out;
  EXPECT_NE(tested.out.find("NOT_RECORDED"), std::string::npos) << tested.out;

  tested = run({"test", path, "--code", "changed.ts", "--json"});
  EXPECT_EQ(tested.code, 1);
  const json::value document = json::parse(tested.out);
  EXPECT_EQ(document.at("ok"), false);
  EXPECT_EQ(document.at("cases").at(0).at("ok"), false);
  EXPECT_FALSE(document.at("cases").at(0).at("calls").as_array().empty());
  EXPECT_TRUE(document.at("cases").at(0).at("tools").as_array().empty());

  // The server has changed the definition of its tool, and this workspace has seen it.
  folder.write("tools.json", definition("number"));
  (void)run({"tools", "ls", "--refresh"});
  (void)run({"server", "test"});
  tested = run({"test", path});
  EXPECT_EQ(tested.code, 1) << tested.out;
  EXPECT_NE(tested.out.find("demo:echo: its definition differs"), std::string::npos) << tested.out;
  EXPECT_NE(tested.out.find("demo:echo does not take {\"n\":1} any more"), std::string::npos) << tested.out;
  EXPECT_EQ(ledger(), calls) << "nothing was called";
}

TEST_F(RecordedRuns, PythonAndFailuresAreRepeatedToo) {
  const std::string python = record("sum.py",
                                    "import random\n"
                                    "return [mcp.demo.echo(n=n) for n in (1, 2)] + [random.random()]\n");
  const std::string failing = record("fail.ts", "await mcp.demo.echo({ n: 1 }); throw new Error('no luck')", 1);
  const std::string calls = ledger();
  Ended tested = run({"test", python, failing});
  EXPECT_EQ(tested.code, 0) << tested.out << tested.err;

  folder.write("other.ts", "return await mcp.demo.echo({ n: 1 })");
  tested = run({"test", failing, "--code", "other.ts"});
  EXPECT_EQ(tested.code, 1);
  EXPECT_NE(tested.out.find("no luck"), std::string::npos) << tested.out;
  EXPECT_EQ(ledger(), calls);
}

TEST_F(RecordedRuns, FilesThatAreNoCasesAreRefused) {
  EXPECT_EQ(run({"runs", "record", "run_none"}).code, 2);
  const std::string path = record("one.ts", "return 1");
  std::ifstream file(path);
  const std::string good(std::istreambuf_iterator<char>(file), {});
  const auto refused = [&](const std::string& text, const std::string& why) {
    const Ended tested = run({"test", path, folder.write("bad.json", text), "--json"});
    EXPECT_EQ(tested.code, 2) << tested.out;
    EXPECT_NE(tested.out.find(why), std::string::npos) << tested.out;
    EXPECT_NE(tested.out.find("bad.json"), std::string::npos) << tested.out;
  };
  const auto without = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  refused("", "not a JSON object");
  refused("{}", "no \\\"version\\\"");
  refused(without("\"version\": 1", "\"version\": 99"), "version is 99");
  refused(without("\"calls\": []", "\"calls\": [{\"op\": \"tool\"}]"), "call 1");
  refused(without("\"language\": \"ts\"", "\"language\": \"perl\""), "ts, js or py");
  refused(without("\"maxOutputBytes\"", "\"maxOutput\""), "grants");
  EXPECT_EQ(run({"test", "nowhere.json"}).code, 2);
  EXPECT_EQ(run({"test"}).code, 2);
}

// Another program wants another secret, and a case file is kept beside the code.
TEST_F(RecordedRuns, VariablesAreNotInTheFile) {
  const auto with_secret = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"GLOVEBOX_TEST_SECRET=hunter2-hunter2", base::program_part("glovebox")});
    return Command(std::move(arguments)).program("/usr/bin/env").folder(folder.path()).run();
  };
  folder.write("env.ts", "return Deno.env.get('GLOVEBOX_TEST_SECRET')!.length");
  const Ended ran = with_secret({"exec", "env.ts", "--config", "glovebox.json", "--allow-env=GLOVEBOX_TEST_SECRET"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Ended listed = run({"runs", "ls", "--json"});
  const std::string id(json::parse(listed.out).at("runs").at(0).at("id").as_string());
  const Ended recorded = run({"runs", "record", id});
  ASSERT_EQ(recorded.code, 0) << recorded.err;
  EXPECT_EQ(recorded.out.find("hunter2"), std::string::npos);
  const std::string path = folder.write("env.case.json", recorded.out);
  EXPECT_EQ(with_secret({"test", path, "--allow-grants"}).code, 0);
  EXPECT_EQ(run({"test", path, "--allow-grants"}).code, 1) << "whoever tests has no such variable";
  const Ended unasked = with_secret({"test", path});
  EXPECT_EQ(unasked.code, 2) << "a case that somebody sent gets nothing of this machine";
  EXPECT_NE(unasked.err.find("wants the variable GLOVEBOX_TEST_SECRET"), std::string::npos) << unasked.err;
}

}  // namespace
}  // namespace glovebox::e2e
