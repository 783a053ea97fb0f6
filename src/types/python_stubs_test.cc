#include "types/python_stubs.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

std::string stubs(const char* name, const char* schema, const char* output = "") {
  return python_stubs({{.server = "s", .name = name, .input_schema = schema, .output_schema = output}});
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

}  // namespace
}  // namespace glovebox::types
