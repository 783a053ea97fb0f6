#include "skills/signature.h"

#include <gtest/gtest.h>

namespace glovebox::skills {
namespace {

std::string signature(const std::string& input, const std::string& output = "") {
  catalog::Tool tool;
  tool.name = "f";
  tool.input_schema = input;
  tool.output_schema = output;
  return python_signature(tool);
}

std::string of_type(const std::string& schema) {
  return signature(R"({"properties":{"x":)" + schema + R"(},"required":["x"]})");
}

TEST(Signature, ReadsAsPython) {
  EXPECT_EQ(
      signature(R"({"type":"object","properties":{"zone":{"type":"string","default":"UTC"},"n":{"type":"integer"}},
                          "required":["n"],"additionalProperties":false})",
                R"({"type":"string"})"),
      "f(n: int, zone: str = 'UTC') -> str");
  EXPECT_EQ(signature("{}"), "f()");
  EXPECT_EQ(signature(R"({"additionalProperties":true})", R"({"type":"null"})"), "f(**more) -> None");
  EXPECT_EQ(signature(R"({"properties":{"a":{},"b":{"default":{"k":[1,true,null,"it's"]}}}})"),
            R"(f(a: Any = ..., b: Any = {'k': [1, True, None, "it's"]}))");
  EXPECT_EQ(signature(R"({"properties":{"not one":{},"x) -> None: #":{}}})"), "f(**more)");
}

TEST(Signature, Types) {
  EXPECT_EQ(of_type(R"({"type":"array","items":{"type":"number"}})"), "f(x: list[float])");
  EXPECT_EQ(of_type(R"({"type":"array"})"), "f(x: list)");
  EXPECT_EQ(of_type(R"({"type":"array","prefixItems":[{"type":"string"},{"type":"boolean"}]})"),
            "f(x: tuple[str, bool])");
  EXPECT_EQ(of_type(R"({"type":"object","additionalProperties":{"type":"integer"}})"), "f(x: dict[str, int])");
  EXPECT_EQ(of_type(R"({"type":"object","additionalProperties":false})"), "f(x: dict)");
  EXPECT_EQ(of_type(R"({"anyOf":[{"type":"string"},{"type":"null"},{"type":"string"}]})"), "f(x: str | None)");
  EXPECT_EQ(of_type(R"({"enum":["a",1,null]})"), "f(x: Literal['a', 1, None])");
  EXPECT_EQ(of_type("true"), "f(x: Any)");
  EXPECT_EQ(of_type(R"({"type":5})"), "f(x: Any)");
}

TEST(Signature, HasAnEnd) {
  std::string deep = R"({"type":"string"})";
  for (int i = 0; i < 30; ++i) deep = R"({"type":"array","items":)" + deep + "}";
  EXPECT_EQ(of_type(deep), "f(x: list[list[list[list[list[Any]]]]])");
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += (wide.empty() ? "" : ",") + ("\"parameter_" + std::to_string(i)) + "\":{}";
  EXPECT_EQ(signature(R"({"properties":{)" + wide + "}}"), "f(...)");
  EXPECT_EQ(signature("not JSON"), "f()");
}

}  // namespace
}  // namespace glovebox::skills
