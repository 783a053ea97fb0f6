#include "types/schema/translate.h"

#include <gtest/gtest.h>

#include "types/part_check.h"

namespace glovebox::types {
namespace {

PartQuestion asked_about(PartKind kind, std::string_view input, std::string_view output = "") {
  PartQuestion question;
  question.kind = kind;
  question.prefix = kind == PartKind::kPython ? "_s_t" : "$s$t$";
  question.input_schema = input;
  question.output_schema = output;
  return question;
}

constexpr const char* kTree = R"({"$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"}}}},"$ref":"#/$defs/N"})";

TEST(Translate, AskedForTypeScript) {
  const Part part = translate(asked_about(PartKind::kCompact, R"({"properties":{"n":{"type":"integer"}}})", kTree));
  EXPECT_EQ(part.signatures, std::vector<std::string>{"(args?: { n?: number }): Promise<$s$t$N>"});
  EXPECT_EQ(part.types, "type $s$t$N = { n?: $s$t$N };\n");
}

TEST(Translate, AskedForPythonTakesNoNameThatIsTaken) {
  PartQuestion question = asked_about(PartKind::kPython, R"({"properties":{"n":{"type":"integer"}},"required":["n"]})");
  EXPECT_EQ(translate(question).signatures,
            (std::vector<std::string>{"(self, args: _s_t_Args, /) -> Any", "(self, *, n: int) -> Any"}));
  question.taken = {"_s_t_Args", "_s_t_Args_2"};
  const Part part = translate(question);
  EXPECT_EQ(part.signatures.front(), "(self, args: _s_t_Args_3, /) -> Any");
  EXPECT_EQ(part.types, "class _s_t_Args_3(TypedDict):\n    n: int\n");
}

// What is hostile in a schema must not look so to those who check the answer.
TEST(Translate, WhateverASchemaSaysTheGatewayTakesTheAnswer) {
  const char* const schemas[] = {
      "",
      "{",
      "[]",
      "true",
      "{}",
      kTree,
      R"({"properties":{"*/ }": {"description":"*/ @ts-ignore \u202e \u2028","default":"*/","enum":["\"\\","\n"]}}})",
      R"({"properties":{"a\"b":{"type":"string","description":"\"\"\""},"class":{"enum":[1e300,-5,null,true]}}})",
      R"({"description":"\u0000\u001b","patternProperties":{"x":{}},"required":["__proto__","constructor"]})",
      R"({"allOf":[{"properties":{"a":{"prefixItems":[{"type":"string"},{"const":"`"}]}}},{"minProperties":1}]})",
  };
  for (const PartKind kind : {PartKind::kCompact, PartKind::kFull, PartKind::kPython}) {
    for (const char* input : schemas) {
      for (const char* output : schemas) {
        const PartQuestion question = asked_about(kind, input, output);
        EXPECT_EQ(fault_in(question, translate(question)), "") << input << output;
      }
    }
  }
}

TEST(Translate, WhatIsTooLargeIsOpen) {
  std::string huge = R"({"properties":{)";
  for (int i = 0; i < 1500; ++i)
    huge += (i == 0 ? "\"" : ",\"") + std::string(100, 'p') + std::to_string(i) + R"(":{"type":"string"})";
  const std::string whole = huge + "}}";
  for (const PartKind kind : {PartKind::kCompact, PartKind::kFull, PartKind::kPython}) {
    const PartQuestion question = asked_about(kind, whole);
    EXPECT_LT(translate(question).signatures.front().size(), 200u);
  }
}

}  // namespace
}  // namespace glovebox::types
