#include "mcp/message.h"

#include <gtest/gtest.h>

namespace glovebox::mcp {
namespace {

TEST(Message, ReadsEachKind) {
  const auto request = Message::parse(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})", {});
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->kind(), MessageKind::kRequest);
  EXPECT_EQ(request->id(), "\"a\"");
  EXPECT_EQ(request->params(), R"({"x":1})");
  EXPECT_EQ(Message::parse(R"({"jsonrpc":"2.0","method":"m"})", {})->kind(), MessageKind::kNotification);
  EXPECT_EQ(Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{}})", {})->kind(), MessageKind::kResult);
  EXPECT_EQ(Message::parse(R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}})", {})->kind(),
            MessageKind::kError);
}

TEST(Message, ViewsStayWhenItMoves) {
  auto parsed = Message::parse(R"({"jsonrpc":"2.0","id":1,"result":{"a":"b"}})", {});
  Message moved = std::move(parsed).value();
  Message again = std::move(moved);
  EXPECT_EQ(again.result(), R"({"a":"b"})");
}

TEST(Message, RefusesWhatIsNone) {
  for (const char* text :
       {R"([])", R"({"id":1,"method":"m"})", R"({"jsonrpc":"1.0","id":1,"method":"m"})", R"({"jsonrpc":"2.0"})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":{},"method":"m"})",
        R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", R"({"jsonrpc":"2.0","id":null,"method":"m"})",
        R"({"jsonrpc":"2.0","id":1,"method":1})", R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})", R"({"jsonrpc":"2.0","result":{}})",
        R"({"jsonrpc":"2.0","id":1,"result":1})", R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
        R"({"jsonrpc":"2.0","id":1,"error":"no"})", R"({"jsonrpc":"2.0","id":1,"id":2,"method":"m"})"})
    EXPECT_FALSE(Message::parse(text, {}).ok()) << text;
  EXPECT_FALSE(Message::parse(R"({"jsonrpc":"2.0","method":"m","id":")" + std::string(300, 'x') + "\"}", {}).ok());
}

TEST(Message, WritesWhatItReads) {
  EXPECT_TRUE(Message::parse(request_text("7", "a/b", R"({"c":1})"), {}).ok());
  EXPECT_TRUE(Message::parse(notification_text("a\"b", ""), {}).ok());
  EXPECT_EQ(Message::parse(result_text("7", "{}"), {})->result(), "{}");
  const auto error = Message::parse(error_text("", {-5, "why \"so\"", "[1]"}), {});
  const auto read = parse_error(error->error());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->code, -5);
  EXPECT_EQ(read->message, "why \"so\"");
  EXPECT_EQ(read->data, "[1]");
}

TEST(Message, WhatCannotBeReadStillHasAnId) {
  EXPECT_EQ(salvage(R"({"id":1,"method":"x","params":{"a":"\udc00\ud800\u0041"}})").id, "1");
  EXPECT_FALSE(salvage(R"({"id":1,"method":"x","params":{"a":"\ud800"}})").is_answer);
  EXPECT_TRUE(salvage(R"({"id":"q","result":{"a":"\ud800"}})").is_answer);
  for (const char* text : {"", "{", "[]", R"({"id":1.5,"method":"x"})", R"({"id":"\ud800","method":"x"})",
                           R"({"id":1,"id":2,"method":"x"})", R"({"id":1,"method":"\u00"})"}) {
    EXPECT_EQ(salvage(text).id, "") << text;
  }
  // The text is consumed only if it is a message.
  auto text = std::make_unique<std::string>(R"({"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud800"}})");
  EXPECT_FALSE(Message::parse(text, {}).ok());
  ASSERT_TRUE(text);
  *text = R"({"jsonrpc":"2.0","id":1,"method":"x"})";
  EXPECT_TRUE(Message::parse(text, {}).ok());
  EXPECT_FALSE(text);
}

}  // namespace
}  // namespace glovebox::mcp
