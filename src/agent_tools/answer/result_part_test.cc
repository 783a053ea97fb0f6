#include "agent_tools/answer/result_part.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "agent_tools/answer/json_shape.h"

namespace glovebox::agent_tools {
namespace {

namespace json = boost::json;

std::string shape(const char* text) {
  return shape_of_json(json::parse(text));
}

json::object part(const std::string& outcome, const PartWish& wish, std::size_t bytes = 1000) {
  const auto read = read_part("run_1", outcome, wish, {.bytes = bytes, .as_client_sees = {}});
  EXPECT_TRUE(read) << read.failure().message;
  return read ? json::parse(read->json).as_object() : json::object();
}

TEST(JsonShape, SaysWhatAValueIs) {
  EXPECT_EQ(shape(R"([{"sha":1,"author":2},{"sha":3}])"), "array of 2 objects {sha, author}");
  EXPECT_EQ(shape("[]"), "empty array");
  EXPECT_EQ(shape("[1]"), "array of 1 number");
  EXPECT_EQ(shape(R"([1,"a"])"), "array of 2 values");
  EXPECT_EQ(shape(R"({"a":[[1],[2]],"b":{"c":1},"d":1})"), "object {a: array of 2 arrays, b: object, d}");
  EXPECT_EQ(shape(R"({"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0})"), "object {1, 2, 3, 4, 5, 6, 7, 8, …}");
  EXPECT_EQ(shape("\"abc\""), "text of 3 bytes");
  EXPECT_EQ(shape("true"), "boolean");
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(2020), "2,020");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(ResultPart, BeginsWithAHead) {
  std::string items;
  for (int i = 0; i < 2020; ++i) items += (i == 0 ? "" : ",") + std::string(R"({"sha":"é)") + std::to_string(i) + "\"}";
  const ResultPart made = beginning_of_result("run_1", "[" + items + "]", {.bytes = 100, .as_client_sees = {}});
  const json::object parsed = json::parse(made.json).as_object();
  EXPECT_TRUE(std::string(parsed.at("shape").as_string()).starts_with("array of 2,020 objects {sha}, "));
  EXPECT_LE(parsed.at("head").as_string().size(), 100u);
  EXPECT_TRUE(parsed.at("head").as_string().starts_with(R"([{"sha":"é0"})"));
  EXPECT_NE(std::string(parsed.at("next").as_string()).find(R"({"run_id":"run_1","path":"/result","offset":0})"),
            std::string::npos);
}

TEST(ResultPart, NothingIsLostOnTheWayThroughAList) {
  std::string items;
  for (int i = 0; i < 500; ++i) items += (i == 0 ? "" : ",") + std::to_string(i * 7919);
  const std::string outcome = R"({"result":{"a/b":[)" + items + "]}}";
  json::array all;
  for (std::size_t rounds = 0; all.size() < 500 && rounds < 500; ++rounds) {
    const json::object read = part(outcome, {"/result/a~1b", all.size(), 0}, 100);
    EXPECT_EQ(read.at("total"), 500);
    const json::array& values = read.at("value").as_array();
    all.insert(all.end(), values.begin(), values.end());
    EXPECT_EQ(read.contains("next"), all.size() < 500);
  }
  EXPECT_EQ(json::serialize(all), "[" + items + "]");
}

TEST(ResultPart, NorThroughATextOrAnObject) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += i % 3 == 0 ? "é" : i % 3 == 1 ? "😀" : "x";
  const std::string outcome = R"({"result":")" + text + R"(","logs":["a","b","c"],"trace":{"a":1,"b":2,"c":3}})";
  for (const std::size_t limit : {std::size_t{1}, std::size_t{5}, std::size_t{0}}) {
    std::string all;
    for (std::size_t rounds = 0; all.size() < text.size() && rounds < 2000; ++rounds)
      all += part(outcome, {"/result", all.size(), limit}, 64).at("value").as_string();
    EXPECT_EQ(all, text);
  }
  EXPECT_EQ(part(outcome, {"/trace", 1, 1}).at("value"), json::parse(R"({"b":2})"));
  EXPECT_EQ(part(outcome, {"/logs", 2, 0}).at("value"), json::parse(R"(["c"])"));
  EXPECT_EQ(part(outcome, {"/logs", 99, 0}).at("value"), json::parse("[]"));
  EXPECT_EQ(part(outcome, {"/trace/b", 0, 0}).at("value"), 2);
}

TEST(ResultPart, WhatDoesNotFitIsNamedByItsShape) {
  const std::string outcome =
      R"({"result":[[)" + std::string(300, '1') + R"(],{"a":")" + std::string(300, 'x') + "\"}]}";
  const json::array values = part(outcome, {"/result", 0, 0}, 200).at("value").as_array();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_NE(std::string(values[1].as_string()).find("with the path /result/1"), std::string::npos) << values[1];
}

TEST(ResultPart, APathThatLeadsNowhereIsToldWithAnExample) {
  for (const char* path : {"/nothing", "/result/7", "result", "/result/-", "/~7"}) {
    const auto read = read_part("run_1", R"({"result":[1]})", {path, 0, 0}, {});
    ASSERT_FALSE(read) << path;
    EXPECT_NE(read.failure().message.find("/result/0/name"), std::string::npos);
  }
}

TEST(ResultPart, IsCutFromWhatTheClientMaySee) {
  const Budget budget{.bytes = 20, .as_client_sees = [](std::string json) {
                        const std::size_t at = json.find("secret");
                        return at == json.npos ? json : json.replace(at, 6, "<S>");
                      }};
  const auto read = read_part("run_1", R"({"result":"my secret word"})", {"/result", 0, 5}, budget);
  EXPECT_NE(read->json.find("my <S"), std::string::npos) << read->json;
  EXPECT_EQ(beginning_of_result("run_1", R"("my secret word is long")", budget).text.find("sec"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::agent_tools
