#include "catalog/pins/definition.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

constexpr const char* kTool = R"({"name":"read_file","description":"Reads.","inputSchema":{"type":"object",)"
                              R"("properties":{"path":{"type":"string"}}}})";

TEST(Definition, IsReadAsItStands) {
  const Tool tool = read_tool("fs", R"({"name":"read_file","title":"T","description":"Reads\nit.",
    "inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}})");
  EXPECT_EQ(tool.state, Tool::State::kUsable);
  EXPECT_EQ(tool.server, "fs");
  EXPECT_EQ(tool.title, "T");
  EXPECT_EQ(tool.description, "Reads\nit.");
  EXPECT_EQ(tool.input_schema, R"({"type":"object"})");
  EXPECT_EQ(tool.annotations, R"({"readOnlyHint":true})");
  EXPECT_EQ(tool.hash.substr(0, 7), "sha256-");
  EXPECT_EQ(read_tool("s", R"({"name":"a","inputSchema":{},"annotations":{"title":"From hints"}})").title,
            "From hints");
}

TEST(Definition, HashKnowsWhatMattersAndNothingElse) {
  const std::string hash = read_tool("s", kTool).hash;
  const auto differs = [&](const char* text) { return read_tool("s", text).hash != hash; };
  // Order of keys, spaces, annotations and titles do not count.
  EXPECT_FALSE(differs(R"({ "title": "x", "annotations": {"readOnlyHint": true}, "_meta": {"a": 1},
    "inputSchema": {"properties":{"path":{"type":"string"}},"type":"object"},
    "description":"Reads.","name":"read_file"})"));
  EXPECT_TRUE(differs(R"({"name":"read_fil","description":"Reads.","inputSchema":{"type":"object",)"
                      R"("properties":{"path":{"type":"string"}}}})"));
  EXPECT_TRUE(differs(R"({"name":"read_file","description":"Reads!","inputSchema":{"type":"object",)"
                      R"("properties":{"path":{"type":"string"}}}})"));
  EXPECT_TRUE(differs(R"({"name":"read_file","description":"Reads.","inputSchema":{"type":"object",)"
                      R"("properties":{"path":{"type":"number"}}}})"));
  EXPECT_TRUE(differs(R"({"name":"read_file","description":"Reads.","outputSchema":{},"inputSchema":{"type":"object",)"
                      R"("properties":{"path":{"type":"string"}}}})"));
}

TEST(Definition, ThatIsHostileIsRefusedAlone) {
  const std::vector<std::string> texts = {
      kTool,
      R"({"name":"__proto__","inputSchema":{}})",
      R"({"name":"read_file","description":"another","inputSchema":{}})",
      R"({"name":"no_schema"})",
      R"({"name":"text_schema","inputSchema":"x"})",
      R"({"name":"a","name":"b","inputSchema":{}})",
      R"({"name":"twice","inputSchema":{"type":"object","type":"string"}})",
      R"({"name":5,"inputSchema":{}})",
      R"("text")",
      R"({"name":")" + std::string(10'000, 'x') + R"(","inputSchema":{}})",
      R"({"name":"large","inputSchema":{"description":")" + std::string(2 << 20, 'x') + R"("}})",
      R"({"name":"recursive","inputSchema":{"$ref":"#"}})",
      R"({"name":"elsewhere","inputSchema":{"$ref":"https://evil.example/schema"}})",
  };
  const std::vector<Tool> tools = read_tools("s", texts, 100);
  ASSERT_EQ(tools.size(), texts.size());
  EXPECT_EQ(tools[0].state, Tool::State::kUsable);
  EXPECT_EQ(tools[0].alias, "readFile");
  for (std::size_t i = 1; i <= 10; ++i) {
    EXPECT_EQ(tools[i].state, Tool::State::kRefused) << i;
    EXPECT_NE(tools[i].reason, "") << i;
    EXPECT_LE(tools[i].name.size(), 64u);
  }
  EXPECT_EQ(tools[2].reason, "another tool of this server has the same name");
  EXPECT_EQ(tools[11].state, Tool::State::kUsable);
  EXPECT_EQ(tools[11].reason, "");
  // Nothing is fetched: the tool can be used, and its server checks the arguments.
  EXPECT_EQ(tools[12].state, Tool::State::kUsable);
  EXPECT_NE(tools[12].reason.find("not checked here"), std::string::npos);
}

TEST(Definition, ThereAreNotTooMany) {
  std::vector<std::string> texts;
  for (int i = 0; i < 50; ++i) texts.push_back(R"({"name":"t)" + std::to_string(i) + R"(","inputSchema":{}})");
  const std::vector<Tool> tools = read_tools("s", texts, 10);
  EXPECT_EQ(tools.size(), 20u);
  EXPECT_EQ(tools[9].state, Tool::State::kUsable);
  EXPECT_EQ(tools[10].state, Tool::State::kRefused);
}

}  // namespace
}  // namespace glovebox::catalog
