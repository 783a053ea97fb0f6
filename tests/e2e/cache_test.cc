// Cached results, as their owner sees them at the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>

#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

class CacheCommand : public testing::Test {
 protected:
  CacheCommand() { configure(R"("cacheable":["demo:echo"])"); }
  void configure(const std::string& more, const std::string& rest = "") {
    folder.write("glovebox.json", R"({"mcpServers":{"demo":{"command":")" + kLiar + R"(","args":["--ledger",")" +
                                      folder.path() + R"(/ledger"]}},"permissions":{"allow":["demo"],)" + more + "}" +
                                      rest + "}");
  }
  json::value run_json(std::vector<std::string> arguments, int code = 0) const {
    arguments.push_back("--json");
    const Ended ended = Command(std::move(arguments)).folder(folder.path()).run();
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    return json::parse(ended.out);
  }
  json::value exec(const std::string& code, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"exec", "-e", code, "--config", "glovebox.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_json(std::move(arguments));
  }
  std::size_t calls() const {
    std::ifstream file(folder.path() + "/ledger");
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }

  TemporaryFolder folder;
};

TEST_F(CacheCommand, WorkIsDoneOnceUntilSomethingChanges) {
  const std::string code = "return await mcp.demo.echo({ n: 1 })";
  EXPECT_EQ(exec(code).at("metrics").at("cached"), false);
  const json::value again = exec(code);
  EXPECT_EQ(again.at("metrics").at("cached"), true);
  EXPECT_EQ(again.at("result"), json::parse(R"({"n":1})"));
  EXPECT_EQ(calls(), 1u);

  const json::value listed = run_json({"cache", "ls"});
  ASSERT_EQ(listed.at("entries").as_array().size(), 2u) << "the run, and the call";
  const std::string key(listed.at("entries").at(0).at("key").as_string());
  EXPECT_EQ(run_json({"cache", "show", key.substr(0, 10)}).at("key").as_string(), key);
  (void)run_json({"cache", "show", "nothing"}, 2);
  const json::value stats = run_json({"cache", "stats"});
  EXPECT_EQ(stats.at("entries"), 2);
  EXPECT_EQ(stats.at("hits"), 1);
  EXPECT_EQ(stats.at("kept"), 2);

  EXPECT_EQ(exec(code, {"--no-cache"}).at("metrics").at("cached"), false);
  EXPECT_EQ(calls(), 2u);
  EXPECT_EQ(exec("Math.random(); return await mcp.demo.echo({ n: 1 })").at("trace").at(0).at("cached"), true);
  EXPECT_EQ(calls(), 2u);

  // Another config finds nothing.
  configure(R"("cacheable":["demo:echo","demo:json"])");
  EXPECT_EQ(exec(code).at("metrics").at("cached"), false);
  EXPECT_EQ(calls(), 3u);
  EXPECT_EQ(run_json({"cache", "purge"}).at("removed"), 4);
  EXPECT_TRUE(run_json({"cache", "ls"}).at("entries").as_array().empty());
  EXPECT_EQ(exec(code).at("metrics").at("cached"), false);
  EXPECT_EQ(calls(), 4u);
}

TEST_F(CacheCommand, TheOwnerDecides) {
  configure(R"("cacheable":[])");
  const std::string code = "return await mcp.demo.echo({ n: 1 })";
  (void)exec(code);
  EXPECT_EQ(exec(code).at("metrics").at("cached"), false) << "no tool is cacheable by itself";
  EXPECT_EQ(calls(), 2u);
  (void)exec("return 1");
  EXPECT_EQ(exec("return 1").at("metrics").at("cached"), true);
  configure(R"("cacheable":[])", R"(,"cache":{"enabled":false})");
  EXPECT_EQ(exec("return 1").at("metrics").at("cached"), false);
  configure(R"("cacheable":[])", R"(,"cache":{"seconds":"many"})");
  EXPECT_EQ(Command({"config", "validate"}).folder(folder.path()).run().code, 2);
}

}  // namespace
}  // namespace glovebox::e2e
