#include "gateway/runs/recording.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

std::vector<RecordedCall> sample() {
  RecordedCall tool;
  tool.op = "tool";
  tool.arguments = R"({"server":"a","tool":"b","arguments":{"n":1.50}})";
  tool.is_answered = tool.ok = true;
  tool.value_json = R"({"big":123456789012345678901234567890,"x":1.0})";
  tool.now_ms = 7;
  tool.turn = 1;
  tool.after = 4;
  RecordedCall file = tool;
  file.op = "fs.read";
  file.value_json = "null";
  file.bytes = std::string("\xff\0z", 3);
  file.body_digest = "aa";
  file.turn = 0;
  RecordedCall failed = tool;
  failed.ok = false;
  failed.value_json.clear();
  failed.error_name = "MCPToolError";
  failed.error_code = "TOOL_ERROR";
  failed.error_message = "no \"luck\"";
  failed.turn = 2;
  RecordedCall open;
  open.op = "sleep";
  open.arguments = R"({"until":5})";
  return {tool, file, failed, open};
}

// Numbers keep their text: Python distinguishes 1 from 1.0, and has integers of any size.
TEST(Recording, ComesBackAsItWas) {
  const std::string text = to_json(sample());
  const auto back = recorded_calls_of(text);
  ASSERT_TRUE(back.ok()) << back.failure().message;
  EXPECT_EQ(to_json(back.value()), text);
  ASSERT_EQ(back->size(), 4u);
  EXPECT_EQ(back.value()[0].value_json, sample()[0].value_json);
  EXPECT_EQ(back.value()[1].bytes, sample()[1].bytes);
  EXPECT_EQ(back.value()[2].error_message, "no \"luck\"");
  EXPECT_FALSE(back.value()[3].is_answered);
}

TEST(Recording, RefusesWhatNoRunHasWritten) {
  const auto refused = [](const std::string& text, const std::string& why) {
    const auto read = recorded_calls_of(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_NE(read.failure().message.find(why), std::string::npos) << read.failure().message;
  };
  const std::string answer = R"("answer":{"value":1},"now":1,"after":1,"turn":)";
  refused("", "not an array");
  refused("{}", "not an array");
  refused("[1]", "call 1: it is not an object");
  refused(R"([{"op":"tool","args":[]}])", "args");
  refused(R"([{"op":"tool","args":{},"answer":{}}])", "neither");
  refused(R"([{"op":"tool","args":{},"answer":{"value":1}}])", "\"now\"");
  refused(R"([{"op":"tool","args":{},)" + answer + "-1}]", "turn");
  refused(R"([{"op":"fs.read","args":{},"answer":{"value":1,"base64":"!"},"now":1,"turn":0,"after":1}])", "base64");
  refused(R"([{"op":"tool","args":{},"answer":{"value":1},"now":1,"turn":0,"after":0}])", "after");
  refused(R"([{"op":"tool","args":{},"answer":{"value":1},"now":1,"turn":0,"after":2}])", "after");
  const std::string one = R"({"op":"tool","args":{},"answer":{"value":1},"now":1,"turn":0,"after":2})";
  refused("[" + one + "," + one + "]", "another call's");
}

TEST(Recording, KnowsServersAndDefinitions) {
  const auto servers = namespaces_of(to_json(std::vector<ToolNamespace>{{"a", {"b", "c"}}, {"d", {}}}));
  ASSERT_TRUE(servers.ok());
  EXPECT_EQ(to_json(servers.value()), R"([{"server":"a","tools":["b","c"]},{"server":"d","tools":[]}])");
  EXPECT_FALSE(namespaces_of("{}").ok());
  EXPECT_FALSE(namespaces_of(R"([{"server":1,"tools":[]}])").ok());
  EXPECT_EQ(definitions_of(R"({"a:b":"h"})")->at("a:b"), "h");
  EXPECT_FALSE(definitions_of(R"({"a:b":1})").ok());
}

}  // namespace
}  // namespace glovebox::gateway
