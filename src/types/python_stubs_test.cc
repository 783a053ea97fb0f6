#include "types/python_stubs.h"

#include <gtest/gtest.h>

#include "types/schema/translate.h"

namespace glovebox::types {
namespace {

std::string stubs(const char* name, const char* schema, const char* output = "") {
  return python_stubs({{.server = "s", .name = name, .input_schema = schema, .output_schema = output}}, translate);
}

TEST(PythonStubs, AToolIsCalledWithNamesOrWithADict) {
  const std::string text = stubs(
      "read",
      R"({"properties":{"path":{"type":"string","description":"Where"},"n":{"type":"integer"}},"required":["path"]})",
      R"({"type":"array","items":{"properties":{"kind":{"enum":["a","b",null]}},"required":["kind"]}})");
  EXPECT_EQ(
      text,
      "from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict, overload\n\n"
      "# mcp.server.tool.raw(...) gives MCP's content blocks: list[dict[str, Any]]. A call itself gives structured\n"
      "# content; else text, which is parsed if it is a JSON object or array; else the blocks.\n\n"
      "class _s_read_Result_item(TypedDict):\n"
      "    kind: Literal[\"a\", \"b\"] | None\n"
      "class _s_read_Args(TypedDict):\n"
      "    path: str  # Where\n"
      "    n: NotRequired[int]\n"
      "\nclass _s:\n"
      "    @overload\n"
      "    def read(self, args: _s_read_Args, /) -> list[_s_read_Result_item]: ...\n"
      "    @overload\n"
      "    def read(self, *, path: str, n: int = ...) -> list[_s_read_Result_item]: ...\n"
      "    ...\n"
      "\nclass _mcp:\n"
      "    s: _s\n"
      "    ...\n\n"
      "mcp: _mcp\n");
}

TEST(PythonStubs, NamesThatPythonDoesNotTake) {
  const std::string text = stubs("read", R"({"properties":{"from":{"type":"string"},"a-b":{"type":"number"}}})");
  EXPECT_NE(text.find("_s_read_Args = TypedDict(\"_s_read_Args\", {\n    \"from\": NotRequired[str],\n"),
            std::string::npos);
  EXPECT_NE(text.find("def read(self, args: _s_read_Args = ..., /) -> Any: ..."), std::string::npos);
  EXPECT_EQ(text.find("@overload"), std::string::npos);
  EXPECT_NE(stubs("import", "{}").find("    # getattr(…, \"import\")\n"), std::string::npos);
}

// Also where the names of the tools look alike in Python.
TEST(PythonStubs, NoTwoToolsHaveATypeOfOneName) {
  const char* const schema = R"({"properties":{"x":{"properties":{"y":{"type":"string"}}}}})";
  const std::string text = python_stubs({{.server = "s", .name = "a", .alias = "a1", .input_schema = schema},
                                         {.server = "s", .name = "a-", .alias = "a2", .input_schema = schema},
                                         {.server = "s", .name = "a_Args", .input_schema = schema}},
                                        translate);
  for (const char* line :
       {"class _s_a_Args(TypedDict):\n", "class _s_a_Args_x(TypedDict):\n", "class _s_a__Args(TypedDict):\n",
        "class _s_a_Args_Args(TypedDict):\n", "class _s_a_Args_Args_x(TypedDict):\n"}) {
    const std::size_t first = text.find(line);
    ASSERT_NE(first, text.npos) << line << text;
    EXPECT_EQ(text.find(line, first + 1), text.npos) << line << text;
  }
  const ToolShape same{.server = "s", .name = "t", .input_schema = schema};
  ToolShape other = same;
  other.server = "s_t";
  other.name = "Args";
  // The second tool's prefix is the name of a type of the first.
  const std::string both = python_stubs({same, other}, translate);
  EXPECT_NE(both.find("class _s_t_Args(TypedDict):\n"), both.npos) << both;
  EXPECT_NE(both.find("class _s_t_Args_Args(TypedDict):\n"), both.npos) << both;
}

}  // namespace
}  // namespace glovebox::types
