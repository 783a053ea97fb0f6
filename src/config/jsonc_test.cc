#include "config/jsonc.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

const JsonNode* member(const JsonNode& node, std::string_view key) {
  for (const JsonMember& one : *node.as<JsonObject>()) {
    if (one.key == key) return &one.value;
  }
  return nullptr;
}

std::string at(std::string_view text, std::size_t offset) {
  const TextPosition position = position_of(text, offset);
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

TEST(Jsonc, ReadsEveryKindOfValue) {
  const auto parsed =
      parse_jsonc(R"({"a": [1, -2, 1.5, "x\u00e4\n", true, false, null, {}, []], "b": 18446744073709551615})");
  ASSERT_TRUE(parsed.ok()) << parsed.failure().message;
  const JsonArray& items = *member(parsed.value(), "a")->as<JsonArray>();
  ASSERT_EQ(items.size(), 9u);
  EXPECT_EQ(*items[0].as<std::int64_t>(), 1);
  EXPECT_EQ(*items[1].as<std::int64_t>(), -2);
  EXPECT_EQ(*items[2].as<double>(), 1.5);
  EXPECT_EQ(*items[3].as<std::string>(), "xä\n");
  EXPECT_EQ(*items[4].as<bool>(), true);
  EXPECT_EQ(*items[5].as<bool>(), false);
  EXPECT_TRUE(items[6].as<std::nullptr_t>());
  EXPECT_TRUE(items[7].as<JsonObject>()->empty());
  EXPECT_TRUE(items[8].as<JsonArray>()->empty());
  EXPECT_TRUE(member(parsed.value(), "b")->as<double>());
}

TEST(Jsonc, TakesCommentsAndTrailingCommas) {
  const auto parsed =
      parse_jsonc("\xef\xbb\xbf// first\n{ /* a */ \"a\" /* b */ : /* c */ [1, 2,], // d\n}\n/* end */ // e");
  ASSERT_TRUE(parsed.ok()) << parsed.failure().message;
  EXPECT_EQ(member(parsed.value(), "a")->as<JsonArray>()->size(), 2u);
}

TEST(Jsonc, LeavesTextAloneThatLooksLikeAComment) {
  const auto parsed = parse_jsonc(R"({"url": "https://a/*b*/", "quoted\\": "\"// no"})");
  ASSERT_TRUE(parsed.ok()) << parsed.failure().message;
  EXPECT_EQ(*member(parsed.value(), "url")->as<std::string>(), "https://a/*b*/");
  EXPECT_EQ(*member(parsed.value(), "quoted\\")->as<std::string>(), "\"// no");
}

TEST(Jsonc, KnowsWhereEverythingStands) {
  const std::string_view text =
      "// \"not a key\": 1\n"
      "{\n"
      "  \"one\": 12, /* \"x\" */ \"t\\\"wo\": [\"a\", 34/*y*/,5,\n"
      "    true],\n"
      "  // {\n"
      "  \"three\": { \"four\": null } }";
  const auto parsed = parse_jsonc(text);
  ASSERT_TRUE(parsed.ok()) << parsed.failure().message;
  const JsonObject& top = *parsed.value().as<JsonObject>();
  EXPECT_EQ(at(text, parsed.value().offset), "2:1");
  EXPECT_EQ(at(text, top[0].key_offset), "3:3");
  EXPECT_EQ(at(text, top[0].value.offset), "3:10");
  EXPECT_EQ(at(text, top[1].key_offset), "3:24");
  EXPECT_EQ(top[1].key, "t\"wo");
  EXPECT_EQ(at(text, top[1].value.offset), "3:33");
  const JsonArray& items = *top[1].value.as<JsonArray>();
  EXPECT_EQ(at(text, items[0].offset), "3:34");
  EXPECT_EQ(at(text, items[1].offset), "3:39");
  EXPECT_EQ(at(text, items[2].offset), "3:47");
  EXPECT_EQ(at(text, items[3].offset), "4:5");
  EXPECT_EQ(at(text, top[2].key_offset), "6:3");
  EXPECT_EQ(at(text, top[2].value.as<JsonObject>()->at(0).key_offset), "6:14");
  EXPECT_EQ(at(text, top[2].value.as<JsonObject>()->at(0).value.offset), "6:22");
}

TEST(Jsonc, SaysWhereItIsWrong) {
  const struct {
    std::string_view text;
    const char* position;
    const char* message;
  } cases[] = {
      {"", "1:1", "the file ends too early"},
      {"{", "1:2", "the file ends too early"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "3:3", "did not expect '\"' here"},
      {"{\"a\" 1}", "1:6", "did not expect '1' here"},
      {"{a: 1}", "1:2", "did not expect 'a' here"},
      {"{'a': 1}", "1:2", "did not expect ''' here"},
      {"{\"a\": 1} x", "1:10", "there is more after the end"},
      {"{\"a\": 1,\n \"a\": 2}", "2:2", "the key \"a\" appears twice"},
      {"{\"a\": \"\xff\"}", "1:8", "syntax error"},
      {"{\"a\": 01}", "1:8", "did not expect '1' here"},
      {"{} /* open", "1:4", "this comment has no end"},
      {"{} /", "1:4", "there is more after the end"},
      {"{\"a\": /", "1:7", "did not expect '/' here"},
      {"{\"a // b", "1:9", "the file ends too early"},
  };
  for (const auto& item : cases) {
    const auto parsed = parse_jsonc(item.text);
    ASSERT_FALSE(parsed.ok()) << item.text;
    EXPECT_EQ(at(item.text, parsed.failure().offset), item.position) << item.text;
    EXPECT_EQ(parsed.failure().message, item.message) << item.text;
  }
}

TEST(Jsonc, HasAnEnd) {
  EXPECT_EQ(parse_jsonc(std::string(100'000, '[')).failure().message, "too deep");
  EXPECT_EQ(parse_jsonc("\"" + std::string(200'000, 'x') + "\"").failure().message, "string too large");
}

}  // namespace
}  // namespace glovebox::config
