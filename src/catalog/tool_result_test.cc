#include "catalog/tool_result.h"

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

std::string value_of(const std::string& result, bool declares_output = false) {
  const auto value = tool_result(reply(result), declares_output);
  return value ? std::string(value->json) : value.failure().code + ": " + value.failure().message;
}

TEST(ToolResult, IsWhatTheServerMeans) {
  const struct {
    const char* result;
    const char* value;
  } cases[] = {
      {R"({"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}})", R"({"a":1})"},
      {R"({"content":[{"type":"text","text":"hi\nyou"}]})", R"("hi\nyou")"},
      {R"({"content":[{"type":"text","text":"{\"a\":1}"}]})", R"("{\"a\":1}")"},
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

TEST(ToolResult, OfADeclaredFormIsParsed) {
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"{\"a\":\"\\u00e4\"}"}]})", true), R"({"a":"\u00e4"})");
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":"not json"}]})", true), R"("not json")");
}

TEST(ToolResult, ThatIsBrokenSaysSo) {
  for (const char* result : {R"({"content":5})", R"({"content":[5]})", R"({"content":{}})",
                             R"({"content":[{"type":"text","text":5}],"content":[]})"})
    EXPECT_EQ(value_of(result).substr(0, 15), "PROTOCOL_ERROR:") << result;
  // A text that is none is passed on as the content that it came in.
  EXPECT_EQ(value_of(R"({"content":[{"type":"text","text":5}]})"), R"([{"type":"text","text":5}])");
}

TEST(ToolResult, DoesNotCopyWhatIsLarge) {
  const std::string large(10 << 20, 'x');
  mcp::CallReply whole = reply(R"({"content":[{"type":"text","text":")" + large + R"("}]})");
  const char* begin = whole.result().data();
  const char* end = begin + whole.result().size();
  const auto value = tool_result(std::move(whole), false);
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
