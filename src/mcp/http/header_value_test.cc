#include "mcp/http/header_value.h"

#include <gtest/gtest.h>

#include "mcp/json/json_tree.h"

namespace glovebox::mcp {
namespace {

TEST(HeaderValue, IsPlainWhereItCanBe) {
  EXPECT_EQ(header_value("us-west1"), "us-west1");
  EXPECT_EQ(header_value("Hello, \xe4\xb8\x96\xe7\x95\x8c"), "=?base64?SGVsbG8sIOS4lueVjA==?=");
  EXPECT_EQ(header_value(" padded "), "=?base64?IHBhZGRlZCA=?=");
  EXPECT_EQ(header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
  for (const std::string text : {"plain", "a\r\nX-Injected: 1", "\xc3\xa9", "", "=?base64?a?=", "\t"})
    EXPECT_EQ(from_header_value(header_value(text)), text);
  EXPECT_EQ(header_value("a\r\nb").find('\n'), std::string::npos);
  EXPECT_FALSE(from_header_value("=?base64?SGVsbG8?=").has_value());
  EXPECT_EQ(from_header_value("=?base64?SGVsbG8="), "=?base64?SGVsbG8=");
}

TEST(MirroredArguments, AreFoundOnPlainProperties) {
  const auto schema =
      parse_object(R"({"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},)"
                   R"("b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"C"}}}}})");
  const auto found = mirrored_arguments(schema.value());
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 2u);
  const auto arguments = parse_object(R"({"a":null,"b":{"c":42}})").value();
  EXPECT_FALSE(mirrored_value((*found)[0], arguments).has_value());
  EXPECT_EQ(mirrored_value((*found)[1], arguments), "42");
  EXPECT_TRUE(mirrors((*found)[1], "42.0", "42"));
  EXPECT_FALSE(mirrors((*found)[1], "42.5", "42"));
  EXPECT_FALSE(mirrors((*found)[0], "A", "a"));
}

TEST(MirroredArguments, AreFewAndHaveShortNames) {
  const auto found = [](std::size_t bytes, int count) {
    std::string inner;
    for (int i = 0; i < count; ++i) {
      const std::string name = "\"h" + std::to_string(i) + "\"";
      inner += (i == 0 ? "" : ",") + name + R"(:{"type":"string","x-mcp-header":)" + name + "}";
    }
    const std::string outer = "\"" + std::string(bytes, 'n') + "\"";
    return mirrored_arguments(
        parse_object(R"({"properties":{)" + outer + R"(:{"type":"object","properties":{)" + inner + "}}}}").value());
  };
  EXPECT_TRUE(found(100, 64).ok());
  EXPECT_FALSE(found(100, 65).ok());
  EXPECT_FALSE(found(10'000, 1).ok());
}

TEST(MirroredArguments, AreRefusedAnywhereElse) {
  for (const char* schema :
       {R"({"properties":{"a":{"type":"string","x-mcp-header":""}}})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":"a b"}}})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":"a\r\nb"}}})",
        R"({"properties":{"a":{"type":"number","x-mcp-header":"A"}}})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}})",
        R"({"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}})",
        R"({"type":"string","x-mcp-header":"A"})",
        R"({"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]})",
        R"({"$defs":{"d":{"type":"string","x-mcp-header":"A"}}})",
        R"({"properties":{"a":{"type":"string","x-mcp-header":1}}})"})
    EXPECT_FALSE(mirrored_arguments(parse_object(schema).value()).ok()) << schema;
}

}  // namespace
}  // namespace glovebox::mcp
