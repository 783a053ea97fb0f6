#include "catalog/offers/built_in_tools.h"

#include <gtest/gtest.h>

#include "catalog/offers/roots.h"
#include "catalog/offers/server_message.h"
#include "catalog/pins/definition.h"

namespace glovebox::catalog {
namespace {

mcp::CallReply reply_of(const std::string& result) {
  return mcp::CallReply(mcp::Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}", {}).value());
}

TEST(BuiltInTools, AreThoseThatTheCapabilitiesName) {
  std::vector<std::string> remarks;
  EXPECT_TRUE(with_built_ins({}, "{}", remarks).empty());
  EXPECT_TRUE(with_built_ins({}, "nonsense", remarks).empty());
  const auto tools = with_built_ins({}, R"({"resources":{},"prompts":{}})", remarks);
  ASSERT_EQ(tools.size(), 2u);
  const auto read = read_tools("s", tools, 10);
  EXPECT_EQ(read[0].name, "$read");
  EXPECT_EQ(read[0].alias, "read_resource");
  EXPECT_EQ(read[0].state, Tool::State::kUsable) << read[0].reason;
  EXPECT_EQ(read[1].name, "$prompt");
  EXPECT_EQ(read[1].alias, "get_prompt");
  EXPECT_TRUE(remarks.empty());
}

TEST(BuiltInTools, NoServerTakesTheirPlace) {
  std::vector<std::string> remarks;
  const auto tools = with_built_ins({R"({"name":"$read","inputSchema":{}})", R"({"name":"\u0024x","inputSchema":{}})",
                                     R"({"name":"read_resource","inputSchema":{"type":"object"}})"},
                                    R"({"resources":{}})", remarks);
  ASSERT_EQ(tools.size(), 2u);
  EXPECT_EQ(remarks.size(), 2u);
  const auto read = read_tools("s", tools, 10);
  EXPECT_EQ(read[1].name, "$read");
  EXPECT_EQ(read[1].alias, "") << "a tool of the server's own has that name";
}

TEST(BuiltInTools, OneTextIsTheValue) {
  const auto value = [](const std::string& contents) {
    auto result = built_in_result(kReadTool, reply_of(R"({"contents":)" + contents + "}"));
    return result ? std::string(result->json) : result.failure().code.text();
  };
  EXPECT_EQ(value(R"([{"uri":"a:","text":"t"}])"), R"("t")");
  EXPECT_EQ(value(R"([{"uri":"a:","mimeType":"application/json","text":"{\"a\":\n1}"}])"), R"({"a": 1})");
  EXPECT_EQ(value(R"([{"uri":"a:","mimeType":"application/json","text":"{"}])"), R"("{")");
  EXPECT_EQ(value(R"([{"uri":"a:","blob":"AA=="}])"), R"([{"type":"resource","resource":{"uri":"a:","blob":"AA=="}}])");
  EXPECT_EQ(value("[]"), "[]");
  EXPECT_EQ(value("[1]"), "PROTOCOL_ERROR");
  EXPECT_EQ(value("3"), "PROTOCOL_ERROR");
}

TEST(BuiltInTools, APromptIsItsMessages) {
  EXPECT_EQ(built_in_result(kPromptTool, reply_of(R"({"description":"d","messages":[{}],"x":1})"))->json,
            R"({"description":"d","messages":[{}]})");
  EXPECT_FALSE(built_in_result(kPromptTool, reply_of("{}")).ok());
}

TEST(Roots, AreTheWorkspaceForServersOfThisMachine) {
  config::ServerSpec here;
  here.command = "x";
  EXPECT_EQ(with_roots("{}", here), R"({"roots":{}})");
  EXPECT_EQ(with_roots(R"({"sampling":{}})", here), R"({"roots":{},"sampling":{}})");
  config::ServerSpec there;
  there.url = "https://example.com/mcp";
  EXPECT_EQ(with_roots("{}", there), "{}");
  EXPECT_EQ(roots_result("/srv/a b"), R"({"roots":[{"uri":"file:///srv/a%20b","name":"workspace"}]})");
}

TEST(ServerMessages, AreTextOfAKnownLevel) {
  EXPECT_EQ(read_message(R"({"level":"info","data":"a"})")->text, "a");
  EXPECT_EQ(read_message(R"({"level":"error","data":{"a":1}})")->text, R"({"a":1})");
  for (const char* params : {"", "{}", R"({"level":"loud","data":"a"})", R"({"level":"info"})"})
    EXPECT_FALSE(read_message(params)) << params;
}

}  // namespace
}  // namespace glovebox::catalog
