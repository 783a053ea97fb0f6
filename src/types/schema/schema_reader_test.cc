#include "types/schema/schema_reader.h"

#include <gtest/gtest.h>

#include "types/limits.h"
#include "types/schema/typescript_printer.h"

namespace glovebox::types {
namespace {

// A result's type in one line, and the types that it refers to on others.
std::string result_of(const std::string& schema) {
  const ToolModel model = read_tool_model("", schema);
  const TypeScriptPrinter printer(model, "$", Form::kCompact);
  const std::string types = printer.named_types();
  return printer.type(model.result, 0) + (types.empty() ? "" : "\n" + types);
}

std::string arguments_of(const std::string& schema) {
  const ToolModel model = read_tool_model(schema, "");
  return TypeScriptPrinter(model, "$", Form::kCompact).signature(0);
}

TEST(SchemaReader, KnowsTheKinds) {
  EXPECT_EQ(result_of(R"({"type":"string"})"), "string");
  EXPECT_EQ(result_of(R"({"type":"integer"})"), "number");
  EXPECT_EQ(result_of(R"({"type":["string","null"]})"), "string|null");
  EXPECT_EQ(result_of(R"({"type":"string","nullable":true})"), "string|null");
  EXPECT_EQ(result_of(R"({"type":"array","items":{"type":["string","number"]}})"), "(string|number)[]");
  EXPECT_EQ(result_of(R"({"type":"array"})"), "any[]");
  EXPECT_EQ(result_of(R"({"enum":["a",1,true,null,{"b":[2]}]})"), R"("a"|1|true|{ b: [2] }|null)");
  EXPECT_EQ(result_of(R"({"const":"a"})"), "\"a\"");
  EXPECT_EQ(result_of(R"({"type":"string","enum":["a",1]})"), "\"a\"");
  EXPECT_EQ(result_of("true"), "any");
  EXPECT_EQ(result_of("{}"), "any");
  EXPECT_EQ(result_of(R"({"minimum":3})"), "any");
  EXPECT_EQ(result_of(""), "any");
}

TEST(SchemaReader, OtherNamesAreAllowedWhereTheSchemaSaysSo) {
  EXPECT_EQ(result_of(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"), "{ a: string }");
  EXPECT_EQ(result_of(R"({"properties":{"a":true},"additionalProperties":false})"), "{ a?: any }");
  EXPECT_EQ(result_of(R"({"properties":{"a":true},"additionalProperties":true})"), "{ a?: any; [key: string]: any }");
  EXPECT_EQ(result_of(R"({"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}})"),
            "{ a?: string; [key: string]: any }");
  EXPECT_EQ(result_of(R"({"type":"object","additionalProperties":{"type":"number"}})"), "{ [key: string]: number }");
  EXPECT_EQ(result_of(R"({"type":"object","patternProperties":{"^a":{"type":"number"}},"additionalProperties":false})"),
            "{ [key: string]: number }");
  EXPECT_EQ(result_of(R"({"type":"object"})"), "{ [key: string]: any }");
  EXPECT_EQ(result_of(R"({"type":"object","additionalProperties":false})"), "Record<string, never>");
  EXPECT_EQ(result_of(R"({"type":"object","properties":{"a":{"type":"object","properties":{}}}})"),
            "{ a?: { [key: string]: any } }");
  EXPECT_EQ(result_of(R"({"type":"object","required":["a"]})"), "{ a: any }");
}

TEST(SchemaReader, ArgumentsAreObjects) {
  EXPECT_EQ(arguments_of(R"({"type":"object","properties":{}})"), "(args?: Record<string, never>): Promise<any>");
  EXPECT_EQ(arguments_of(R"({"type":"object"})"), "(args?: { [key: string]: any }): Promise<any>");
  EXPECT_EQ(arguments_of(R"({"properties":{"a":{"type":"string"}}})"), "(args?: { a?: string }): Promise<any>");
  EXPECT_EQ(arguments_of(R"({"$ref":"#/definitions/A","definitions":{"A":{"required":["a"]}}})"),
            "(args: { a: any }): Promise<any>");
  EXPECT_EQ(arguments_of(R"({"type":"string"})"), "(args?: any /* no value matches the schema */): Promise<any>");
  EXPECT_EQ(arguments_of("nonsense"), "(args?: any /* the schema cannot be read */): Promise<any>");
  EXPECT_EQ(arguments_of(R"({"properties":{"a":1,"a":2}})"),
            "(args?: any /* the schema cannot be read */): Promise<any>");
  EXPECT_EQ(arguments_of(""), "(args?: any): Promise<any>");
}

TEST(SchemaReader, PutsSchemasTogether) {
  EXPECT_EQ(result_of(R"({"anyOf":[{"type":"string"},{"type":"null"}]})"), "string|null");
  EXPECT_EQ(result_of(R"({"oneOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"type":"string"}]})"),
            "{ a: 1 }|string");
  EXPECT_EQ(result_of(R"({"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a"]}]})"), "{ a: string }");
  EXPECT_EQ(result_of(R"({"type":"object","properties":{"a":true,"b":true},)"
                      R"("anyOf":[{"required":["a"]},{"required":["b"]}]})"),
            "{ a?: any; b?: any } & ({ a: any }|{ b: any })");
  EXPECT_EQ(result_of(R"({"type":"object","properties":{"a":true},"anyOf":[{"required":["a"]},{}]})"), "{ a?: any }");
  EXPECT_EQ(result_of(R"({"allOf":[{"type":"string"},{"type":"number"}]})"), "any /* no value matches the schema */");
  EXPECT_EQ(result_of(R"({"properties":{"a":{"not":{}},"b":false}})"), "{ a?: never; b?: never }");
}

TEST(SchemaReader, KnowsTuplesOfBothDrafts) {
  EXPECT_EQ(result_of(R"({"prefixItems":[{"type":"string"},{"type":"number"}],"minItems":1})"),
            "[string, number?, ...any[]]");
  EXPECT_EQ(result_of(R"({"prefixItems":[{"type":"string"}],"items":false})"), "[string?]");
  EXPECT_EQ(
      result_of(R"({"items":[{"type":"string"},{"type":"null"}],"additionalItems":{"type":"number"},"minItems":2})"),
      "[string, null, ...number[]]");
  EXPECT_EQ(result_of(R"({"prefixItems":[true,true],"maxItems":1})"), "[any?]");
}

TEST(SchemaReader, NamesWhatIsRecursive) {
  EXPECT_EQ(result_of(R"({"$defs":{"Node":{"properties":{"next":{"$ref":"#/$defs/Node"}}}},"$ref":"#/$defs/Node"})"),
            "$Node\ntype $Node = { next?: $Node };\n");
  EXPECT_EQ(result_of(R"({"properties":{"down":{"$ref":"#"}}})"),
            "{ down?: $Result }\ntype $Result = { down?: $Result };\n");
  EXPECT_EQ(
      result_of(
          R"({"$defs":{"A":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A"}}})"),
      "{ a?: string; b?: string }");
  EXPECT_EQ(result_of(R"({"properties":{"a":{"$ref":"#/nowhere"}}})"),
            "{ a?: any /* refers to something that is not in the schema */ }");
  EXPECT_EQ(result_of(R"({"properties":{"a":{"$ref":"http://example.com/x"}}})"),
            "{ a?: any /* refers to something that is not in the schema */ }");
}

TEST(SchemaReader, EveryObjectHasSomeNamesAlready) {
  EXPECT_EQ(result_of(R"({"properties":{"toString":{"type":"string"},"__proto__":{"type":"string"}}})"),
            "{ toString?: any; \"__proto__\"?: string }");
}

TEST(SchemaReader, GivesUpInParts) {
  std::string deep = R"({"type":"string"})";
  for (int i = 0; i < 60; ++i) deep = R"({"type":"array","items":)" + deep + "}";
  EXPECT_NE(result_of(deep).find("any /* nested too deeply */"), std::string::npos);

  std::string wide = R"({"type":"object","properties":{"first":{"type":"string"})";
  for (int i = 0; i < 5000; ++i) wide += ",\"p" + std::to_string(i) + R"(":{"type":"string"})";
  const std::string text = result_of(wide + "}}");
  EXPECT_NE(text.find("first?: string"), std::string::npos);
  EXPECT_NE(text.find("[key: string]: any"), std::string::npos);  // omitted properties may still be passed
  EXPECT_EQ(text.find("p4999"), std::string::npos);

  std::string choices = "\"a\"";
  for (int i = 0; i < 500; ++i) choices += ",\"c" + std::to_string(i) + "\"";
  EXPECT_EQ(result_of(R"({"properties":{"a":{"enum":[)" + choices + "]}}}"),
            "{ a?: string /* (one of 501 values) */ }");
}

}  // namespace
}  // namespace glovebox::types
