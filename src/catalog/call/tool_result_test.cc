#include "catalog/call/tool_result.h"

#include <gtest/gtest.h>

#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

mcp::CallReply reply(const std::string& result) {
  auto message =
      mcp::Message::parse(R"({"jsonrpc":"2.0","id":1,"result":)" + result + "}", {.max_depth = mcp::kMaxMessageDepth});
  EXPECT_TRUE(message.ok()) << result;
  return mcp::CallReply(std::move(message).value());
}

std::string value_of(const std::string& result, TextForm form = TextForm::kUnknown) {
  const auto value = tool_result(reply(result), form);
  return value ? std::string(value->json) : value.failure().code.text() + ": " + value.failure().message;
}

TEST(ToolResult, IsWhatTheServerMeans) {
  const struct {
    const char* result;
    const char* value;
  } cases[] = {
      {R"({"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}})", R"({"a":1})"},
      {R"({"content":[{"type":"text","text":"hi\nyou"}]})", R"("hi\nyou")"},
      {R"({"content":[{"type":"text","text":"{\"a\":1}"}]})", R"({"a":1})"},
      {R"({"content":[{"type":"text","text":"\n\t [{\"id\":9007199254740993}]\r\n"}]})",
       " \t [{\"id\":9007199254740993}]  "},
      {R"({"content":[{"type":"text","text":"[INFO] started"}]})", R"("[INFO] started")"},
      {R"({"content":[{"type":"text","text":"{} and more"}]})", R"("{} and more")"},
      {R"({"content":[{"type":"text","text":"17"}]})", R"("17")"},
      {R"({"content":[{"type":"text","text":"\"a\""}]})", R"("\"a\"")"},
      {R"({"content":[{"type":"text","text":""}]})", R"("")"},
      {R"({"content":[{"type":"text","text":"a"}],"structuredContent":null})", R"("a")"},
      {R"({"content":[]})", "null"},
      {R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})",
       R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])"},
      {R"({"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]})",
       R"([{"type":"image","data":"AA==","mimeType":"image/png"}])"},
      {R"({"content":[{"type":"resource","resource":{"uri":"x:","mimeType":"application/json","text":"[1, 2]"}}]})",
       "[1, 2]"},
      {R"({"content":[{"type":"resource","resource":{"uri":"x:","mimeType":"application/json","text":"[1"}}]})",
       R"([{"type":"resource","resource":{"uri":"x:","mimeType":"application/json","text":"[1"}}])"},
      {R"({"content":[{"type":"resource","resource":{"uri":"x:","mimeType":"text/plain","text":"1"}}]})",
       R"([{"type":"resource","resource":{"uri":"x:","mimeType":"text/plain","text":"1"}}])"},
      {R"({"isError":true,"content":[{"type":"text","text":"no such"},{"type":"text","text":"file"}]})",
       "TOOL_ERROR: no such\nfile"},
      {R"({"isError":true,"structuredContent":{"a":1},"content":[]})",
       "TOOL_ERROR: the tool failed and did not say why"},
      {R"({})", "PROTOCOL_ERROR: the server's answer cannot be used: it has no content"},
  };
  for (const auto& item : cases) EXPECT_EQ(value_of(item.result), item.value);
}

TEST(ToolResult, OfADeclaredFormIsWhatTheSchemaSays) {
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"{\"a\":\"\\u00e4\"}"}]})", TextForm::kJson),
            R"({"a":"\u00e4"})");
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"17"}]})", TextForm::kJson), "17");
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"not json"}]})", TextForm::kJson), R"("not json")");
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"[1]"}]})", TextForm::kText), R"("[1]")");
  EXPECT_EQ(text_form(""), TextForm::kUnknown);
  EXPECT_EQ(text_form(R"({"type":"string"})"), TextForm::kText);
  EXPECT_EQ(text_form(R"({"type":["string","null"]})"), TextForm::kText);
  EXPECT_EQ(text_form(R"({"type":["string","array"]})"), TextForm::kJson);
  EXPECT_EQ(text_form(R"({"type":"object","properties":{"a":{"type":"string"}}})"), TextForm::kJson);
  EXPECT_EQ(text_form("{}"), TextForm::kJson);
}

TEST(ToolResult, NestedTooDeeplyStaysText) {
  const auto nested = [](std::size_t levels) {
    return R"({"content":[{"type":"text","text":")" + std::string(levels, '[') + std::string(levels, ']') + R"("}]})";
  };
  EXPECT_EQ(value_of(nested(124)).front(), '[');
  EXPECT_EQ(value_of(nested(125)).front(), '"');
  EXPECT_EQ(value_of(nested(100'000)).front(), '"');
}

TEST(ToolResult, HasItsContents) {
  const auto contents_of = [](const std::string& result) {
    return std::string(as_contents(tool_result(reply(result), TextForm::kUnknown).value()).json);
  };
  for (const char* content : {R"([{"type":"text","text":"[1]"}])", R"([{"type":"text","text":"hi"}])", "[]",
                              R"([{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}])"})
    EXPECT_EQ(contents_of(R"({"content":)" + std::string(content) + "}"), content);
  EXPECT_EQ(contents_of(R"({"structuredContent":{"a":1},"content":[{"type":"text","text":"one"}]})"),
            R"([{"type":"text","text":"one"}])");
  // A value that no server sent as contents, such as that of a capability.
  const std::string value = R"({"a":"b"})";
  EXPECT_EQ(as_contents({nullptr, value}).json, R"([{"type":"text","text":"{\"a\":\"b\"}"}])");
  EXPECT_EQ(as_contents({nullptr, R"("b")"}).json, R"([{"type":"text","text":"b"}])");
}

TEST(ToolResult, ThatIsBrokenSaysSo) {
  for (const char* result : {R"({"content":5})", R"({"content":[5]})", R"({"content":{}})",
                             R"({"content":[{"type":"text","text":5}],"content":[]})"})
    EXPECT_EQ(value_of(result).substr(0, 15), "PROTOCOL_ERROR:") << result;
  // An invalid text is passed on as the content that it came in.
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":5}]})"), R"([{"type":"text","text":5}])");
}

TEST(ToolResult, HasNoMoreContentsThanThereIsRoomFor) {
  const auto answer = [](std::size_t count) {
    std::string contents = "{}";
    for (std::size_t i = 1; i < count; ++i) contents += ",{}";
    return value_of(R"({"content":[)" + contents + "]}").substr(0, 15);
  };
  EXPECT_EQ(answer(100'000), "[{},{},{},{},{}");
  EXPECT_EQ(answer(100'001), "PROTOCOL_ERROR:");
}

TEST(ToolResult, DoesNotCopyWhatIsLarge) {
  const std::string large(10 << 20, 'x');
  mcp::CallReply whole = reply(R"({"content":[{"type":"text","text":")" + large + R"("}]})");
  const char* begin = whole.result().data();
  const char* end = begin + whole.result().size();
  const auto value = tool_result(std::move(whole), TextForm::kUnknown);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->json.size(), large.size() + 2);
  EXPECT_TRUE(value->json.data() > begin && value->json.data() + value->json.size() < end);
}

TEST(ToolResult, BoundsWhatAnErrorSays) {
  const std::string text =
      value_of(R"({"isError":true,"content":[{"type":"text","text":")" + std::string(20'000, 'x') + R"("}]})");
  EXPECT_LT(text.size(), 9000u);
  const std::string huge =
      value_of(R"({"isError":true,"content":[{"type":"text","text":")" + std::string(200'000, 'x') + R"("}]})");
  EXPECT_EQ(huge, "TOOL_ERROR: (a text of 200002 bytes)");
}

}  // namespace
}  // namespace glovebox::catalog
