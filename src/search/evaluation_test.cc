#include "search/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace glovebox::search {
namespace {

constexpr const char* kTools = R"({"id":"a","name":"read_file","description":"Reads a file"}

{"id":2,"server":"weather","server_description":"Forecasts","name":"forecast","inputSchema":{"properties":{"city":{}}}}
)";

TEST(Evaluation, ReadsToolsWithoutServerOrSchema) {
  const auto tools = parse_tools(kTools, "tools.jsonl");
  ASSERT_TRUE(tools) << tools.failure().message;
  ASSERT_EQ(tools->size(), 2u);
  EXPECT_EQ((*tools)[1].id, "2");
  EXPECT_EQ((*tools)[1].text.parameters[0].name, "city");
  const auto queries = parse_queries(R"({"query":"read","gold":["a"],"split":"dev"}
{"id":7,"query":"rain","gold":["2","2",2],"split":"test"})",
                                     "q", *tools, "test");
  ASSERT_TRUE(queries) << queries.failure().message;
  ASSERT_EQ(queries->size(), 1u);
  EXPECT_EQ((*queries)[0].gold, std::vector<std::uint32_t>{1});
}

TEST(Evaluation, SaysWhichLineIsWrong) {
  const auto wrong = [](const std::string& lines, const std::string& words) {
    const auto tools = parse_tools(lines, "t.jsonl");
    ASSERT_FALSE(tools) << lines;
    EXPECT_NE(tools.failure().message.find(words), std::string::npos) << tools.failure().message;
  };
  wrong("{\"id\":\"a\",\"name\":\"b\"}\n\n{", "t.jsonl:3: this is not JSON");
  wrong("[]", "t.jsonl:1: a JSON object");
  wrong(R"({"name":"b"})", "t.jsonl:1: \"id\" is missing");
  wrong(R"({"id":"a"})", "\"name\" is missing");
  wrong(R"({"id":"a","name":7})", "\"name\" must be a string");
  wrong(R"({"id":"a","name":"b","inputSchema":7})", "inputSchema");
  wrong("{\"id\":\"a\",\"name\":\"b\"}\n{\"id\":\"a\",\"name\":\"b\"}", "t.jsonl:2: the id a appears twice");
  wrong("\n\n", "contains no tools");
  const auto tools = parse_tools(kTools, "t");
  const auto bad_query = [&](const std::string& lines, const std::string& words) {
    const auto queries = parse_queries(lines, "q.jsonl", *tools, "");
    ASSERT_FALSE(queries) << lines;
    EXPECT_NE(queries.failure().message.find(words), std::string::npos) << queries.failure().message;
  };
  bad_query("\n{\"query\":\"x\",\"gold\":[\"z\"]}", "q.jsonl:2: no tool has the id z");
  bad_query(R"({"query":"x","gold":[]})", "\"gold\" must be a non-empty list");
  bad_query(R"({"gold":["a"]})", "\"query\" is missing");
  bad_query("", "contains no queries");
}

TEST(Evaluation, MeasuresAsTheBooksSay) {
  Measures sums;
  add_ranking(sums, {5, 1, 2, 3, 4, 9}, {1, 9, 30});
  EXPECT_DOUBLE_EQ(sums.recall_at_1, 0);
  EXPECT_DOUBLE_EQ(sums.recall_at_5, 1.0 / 3);
  EXPECT_DOUBLE_EQ(sums.recall_at_10, 2.0 / 3);
  EXPECT_DOUBLE_EQ(sums.mrr, 0.5);
  const double ideal = 1 + 1 / std::log2(3.0) + 1 / std::log2(4.0);
  EXPECT_DOUBLE_EQ(sums.ndcg_at_10, (1 / std::log2(3.0) + 1 / std::log2(7.0)) / ideal);
  Measures nothing;
  add_ranking(nothing, {}, {1});
  EXPECT_EQ(nothing.queries, 1u);
  EXPECT_EQ(nothing.ndcg_at_10, 0);
}

}  // namespace
}  // namespace glovebox::search
