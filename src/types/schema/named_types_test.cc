#include "types/schema/named_types.h"

#include <gtest/gtest.h>

#include "types/limits.h"
#include "types/schema/schema_reader.h"

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

Type name(std::size_t index) {
  return {.kind = Kind::kName, .name = index};
}

TEST(NamedTypes, WhatStandsForItselfIsCut) {
  ToolModel model;
  model.result = name(0);
  // 0 is 1 or a string; 1 is 0 and an object. No compiler accepts that.
  model.names.push_back({.name = "A", .type = {.kind = Kind::kUnion, .parts = {name(1), Type::of(Kind::kString)}}});
  model.names.push_back({.name = "B",
                         .type = {.kind = Kind::kIntersection,
                                  .parts = {name(0), {.kind = Kind::kObject, .properties = {{.name = "x"}}}}}});
  make_finite(model);
  EXPECT_TRUE(model.names[1].type.is(Kind::kObject));
  EXPECT_TRUE(model.names[0].type.is(Kind::kUnion));
}

TEST(NamedTypes, WhatMultipliesOutToTooMuchIsCut) {
  // Eight alternatives, three times: 512 that a compiler would enumerate.
  std::string either = R"({"anyOf":[)";
  for (int i = 0; i < 8; ++i)
    either += (i == 0 ? "" : ",") + std::string(R"({"required":["p)") + std::to_string(i) + "%\"]}";
  either += "]}";
  std::string schema = R"({"type":"object","allOf":[)";
  for (const char* letter : {"a", "b", "c"}) {
    std::string one = either;
    for (std::size_t at = one.find('%'); at != one.npos; at = one.find('%')) one.replace(at, 1, letter);
    schema += (schema.back() == '[' ? "" : ",") + one;
  }
  EXPECT_EQ(read_tool_model("", schema + "]}").result.remark, "too many alternatives");
}

TEST(NamedTypes, ReferencesThatDoubleStaySmall) {
  // Each level is the one below, twice: a million copies if names were replaced without end.
  std::string schema = R"({"$defs":{"a0":{"properties":{"x":{"type":"integer"},"y":{"type":"integer"}}})";
  for (int i = 1; i < 20; ++i) {
    const std::string below = "{\"$ref\":\"#/$defs/a" + std::to_string(i - 1) + "\"}";
    schema += ",\"a" + std::to_string(i) + R"(":{"properties":{"l":)" + below + ",\"r\":" + below + "}}";
  }
  const ToolModel model = read_tool_model("", schema + R"(},"$ref":"#/$defs/a19"})");
  std::size_t nodes = size_of(model.result);
  for (const NamedType& named : model.names) nodes += size_of(named.type);
  EXPECT_LT(nodes, 200u);
}

TEST(NamedTypes, NamesThatNobodyUsesAreDropped) {
  const ToolModel model =
      read_tool_model(R"({"$ref":"#/$defs/A","$defs":{"A":{"required":["a"]},"B":{"$ref":"#/$defs/B"}}})", "");
  EXPECT_TRUE(model.names.empty());
  EXPECT_TRUE(model.arguments.is(Kind::kObject));
  EXPECT_FALSE(model.may_omit_arguments);
}

}  // namespace
}  // namespace glovebox::types
