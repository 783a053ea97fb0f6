// `glovebox tools eval` at the command line.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/source_folder.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

constexpr const char* kTools =
    R"({"id":"a","server":"git","name":"list_commits","description":"Lists commits of a branch"}
{"id":"b","name":"get_forecast","description":"The weather of the next days"}
{"id":"c","server":"files","name":"read_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}
)";
constexpr const char* kQueries = R"({"id":"1","query":"will it rain tomorrow?","gold":["b"],"split":"test"}
{"id":"2","query":"who made the last commits","gold":["a"],"split":"test"}
{"id":"3","query":"nonsense","gold":["c"],"split":"dev"}
)";

TEST(ToolsEval, PrintsExactlyTheseFigures) {
  const TemporaryFolder folder;
  const std::string tools = folder.write("tools.jsonl", kTools);
  const std::string queries = folder.write("queries.jsonl", kQueries);
  for (const char* mode : {"hybrid", "dense", "lexical"}) {
    const Ended ended =
        Command({"tools", "eval", "--tools", tools, "--queries", queries, "--split", "test", "--mode", mode, "--json"})
            .run();
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json::object figures = json::parse(ended.out).as_object();
    EXPECT_EQ(figures.size(), 8u);
    for (const char* key : {"recall@1", "recall@5", "recall@10", "mrr", "ndcg@10", "p50Ms", "p99Ms"})
      EXPECT_TRUE(figures.contains(key)) << key;
    EXPECT_EQ(figures.at("queries").as_int64(), 2);
    // Rain and weather share no word.
    EXPECT_EQ(figures.at("recall@1").to_number<double>(), std::string(mode) == "lexical" ? 50.0 : 100.0) << mode;
  }
}

TEST(ToolsEval, MeasuresTheMark) {
  const TemporaryFolder folder;
  const std::string tools = folder.write("tools.jsonl", kTools);
  const std::string queries = folder.write("queries.jsonl", kQueries);
  const Ended ended =
      Command({"tools", "eval", "--tools", tools, "--queries", queries, "--split", "test", "--among", "2", "--json"})
          .run();
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value weak = json::parse(ended.out).at("weak");
  EXPECT_EQ(weak.at("among").as_int64(), 2);
  EXPECT_EQ(weak.at("fits").to_number<double>(), 100.0);
  EXPECT_EQ(weak.at("noneFits").to_number<double>(), 100.0);
}

// tests/e2e/intents: what people ask for, on the tools of real servers. If recall drops below these, search has become
// worse.
TEST(ToolsEval, FindsToolsOfRealServers) {
  const std::string folder = base::source_folder() + "/tests/e2e/intents/";
  const Ended ended = Command({"tools", "eval", "--tools", folder + "tools.jsonl", "--queries",
                               folder + "intents.jsonl", "--among", "157", "--json"})
                          .run();
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value figures = json::parse(ended.out);
  EXPECT_EQ(figures.at("queries").as_int64(), 28);
  EXPECT_GE(figures.at("mrr").to_number<double>(), 72.0) << ended.out;
  EXPECT_GE(figures.at("weak").at("fits").to_number<double>(), 67.0) << ended.out;
  EXPECT_GE(figures.at("weak").at("noneFits").to_number<double>(), 35.0) << ended.out;
}

TEST(ToolsEval, SaysWhichLineIsWrong) {
  const TemporaryFolder folder;
  const std::string tools = folder.write("tools.jsonl", kTools + std::string("\n{\"id\":7}\n"));
  const std::string queries = folder.write("queries.jsonl", kQueries);
  const Ended ended = Command({"tools", "eval", "--tools", tools, "--queries", queries}).run();
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("tools.jsonl:5: \"name\" is missing"), std::string::npos) << ended.err;
  const Ended missing = Command({"tools", "eval", "--tools", "/nonexistent", "--queries", queries, "--json"}).run();
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(Command({"tools", "eval", "--tools", tools, "--queries", queries, "--mode", "odd"}).run().code, 2);
}

}  // namespace
}  // namespace glovebox::e2e
