#include "search/tool_text.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

std::vector<std::string> names(const ToolText& tool) {
  std::vector<std::string> out;
  for (const Parameter& parameter : tool.parameters) out.push_back(parameter.name);
  return out;
}
using Names = std::vector<std::string>;

TEST(ToolText, TakesNestedParameters) {
  const ToolText tool = tool_text("s", "t", "d", R"({"type":"object","properties":{
      "to":{"description":"who","properties":{"city":{}}}, "parts":{"items":{"properties":{"file":{}}}}},
      "anyOf":[{"properties":{"or":{}}}], "$defs":{"X":{"properties":{"def":{}}}}})");
  EXPECT_EQ(names(tool), (Names{"to", "parts", "city", "file", "or", "def"}));
  EXPECT_EQ(tool.parameters[0].description, "who");
}

TEST(ToolText, HostileSchemasCostNothing) {
  for (const char* schema :
       {"", "{", "7", "[]", "true", R"({"properties":7})", R"({"properties":{"a":7}})", R"({"items":{"$ref":"#"}})"})
    EXPECT_LE(tool_text("s", "t", "d", schema).parameters.size(), 1u) << schema;
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += R"({"items":)";
  EXPECT_TRUE(tool_text("s", "t", "d", deep).parameters.empty());
  std::string wide = R"({"properties":{)";
  for (int i = 0; i < 5000; ++i) wide += (i ? ",\"p" : "\"p") + std::to_string(i) + "\":{}";
  EXPECT_EQ(tool_text("s", "t", "d", wide + "}}").parameters.size(), 200u);
  const ToolText cut = tool_text("s", "t", std::string(16383, 'a') + "é and more", "");
  EXPECT_EQ(cut.description, std::string(16383, 'a'));
}

TEST(ToolText, NamesAreSpelledOutForTheEncoder) {
  const ToolText tool =
      tool_text("git_hub", "listPullRequests", "Lists them.", R"({"properties":{"repo_name":{}, "b":{}}})");
  EXPECT_EQ(embedding_text(tool), "git hub - list Pull Requests: Lists them. Parameters: repo name, b");
  EXPECT_EQ(embedding_text(tool_text("", "HTTPGet", "", "")), "HTTP Get");
}

}  // namespace
}  // namespace glovebox::search
