#include "types/declarations.h"

#include <gtest/gtest.h>

#include "types/limits.h"
#include "types/schema/translate.h"

namespace glovebox::types {
namespace {

ToolShape tool(const char* server, const char* name, const char* schema = R"({"type":"object"})") {
  return {.server = server, .name = name, .input_schema = schema};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Declarations, OfOneTool) {
  ToolShape read = tool("files", "read_file",
                        R"({"type":"object","required":["path"],"properties":{)"
                        R"("path":{"type":"string","description":"The path"},)"
                        R"("lines":{"type":"integer","description":"How many","default":10,"minimum":1,"maximum":99},)"
                        R"("since":{"type":"string","format":"date-time"}}})");
  read.description = "Reads a file.\nAll of it.";
  read.output_schema = R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"]})";
  EXPECT_EQ(declare_tool(read, Form::kCompact, translate),
            "/** Reads a file. All of it. */\n"
            "mcp.files.read_file(args: { path: string; lines?: number /* How many (= 10, 1..99) */; "
            "since?: string /* (date-time) */ }): Promise<{ text: string }>");
  EXPECT_EQ(declare_tool(read, Form::kFull, translate),
            "/**\n * Reads a file.\n * All of it.\n */\n"
            "mcp.files.read_file(args: {\n"
            "  /** The path */\n"
            "  path: string;\n"
            "  /**\n   * How many\n   * @default 10\n   * @minimum 1\n   * @maximum 99\n   */\n"
            "  lines?: number;\n"
            "  /** @format date-time */\n"
            "  since?: string;\n"
            "}): Promise<{\n"
            "  text: string;\n"
            "}>");
}

TEST(Declarations, OfEverything) {
  ToolShape dotted = tool("my-server", "a.b");
  dotted.server_alias = "myServer";
  dotted.alias = "aB";
  EXPECT_EQ(declare_all({tool("files", "list"), dotted}, Form::kCompact, translate),
            "declare const mcp: {\n"
            "  files: $files;\n"
            "  \"my-server\": $my_server;\n"
            "  myServer: $my_server;\n"
            "};\n"
            "declare const files: $files;\n"
            "interface $files {\n"
            "  list(args?: { [key: string]: any }): Promise<any>;\n"
            "}\n"
            "interface $my_server {\n"
            "  \"a.b\"(args?: { [key: string]: any }): Promise<any>;\n"
            "  aB: $my_server[\"a.b\"];\n"
            "}\n"
            "interface CallableFunction {\n"
            "  /** mcp.server.tool.raw(args): MCP's content blocks. A call itself gives structured content; else text, "
            "which is "
            "parsed if it is a JSON object or array; else the blocks. */\n"
            "  raw<A extends unknown[]>(this: (...args: A) => Promise<any>, ...args: A): Promise<{ type: string; [key: "
            "string]: any }[]>;\n"
            "}\n");
  EXPECT_EQ(call_of(dotted), "mcp.myServer.aB");
  EXPECT_EQ(call_of(tool("a b", "c-d")), R"(mcp["a b"]["c-d"])");
  EXPECT_EQ(call_of(tool("files", "list")), "mcp.files.list");
}

TEST(Declarations, AServerThatIsNotKnownYetTakesAnyCall) {
  const std::string text =
      declare_all({tool("files", "list")}, Form::kCompact, translate, {{"slow", ""}, {"files", ""}});
  EXPECT_EQ(count(text, "[tool: string]: (args?: { [key: string]: any }) => Promise<any>;"), 2u);
  EXPECT_NE(text.find("declare const slow: $slow;"), std::string::npos);
}

TEST(Declarations, AServerOfARemoteGatewayIsNoGlobal) {
  const std::string text = declare_all({tool("files", "list")}, Form::kCompact, translate, {{"slack", "", false}});
  EXPECT_NE(text.find("  slack: $slack;\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("declare const slack"), std::string::npos) << text;
}

TEST(Declarations, NoServerTakesTheNameOfAGlobal) {
  for (const char* name :
       {"console", "Deno", "mcp", "class", "await", "undefined", "Promise", "a-b", "SharedArrayBuffer"})
    EXPECT_EQ(count(declare_all({tool(name, "x")}, Form::kCompact, translate), "declare const"), 1u) << name;
  EXPECT_EQ(count(declare_all({tool("github", "x")}, Form::kCompact, translate), "declare const"), 2u);
}

TEST(Declarations, NamesThatLookAlikeStayApart) {
  const std::string text =
      declare_all({tool("a-b", "x"), tool("a_b", "x"), tool("a.b", "x")}, Form::kCompact, translate);
  for (const char* name : {"interface $a_b {", "interface $a_b_2 {", "interface $a_b_3 {"})
    EXPECT_EQ(count(text, name), 1u) << name;
  // An alias that is another tool's name, or would name two tools, is given to neither.
  ToolShape first = tool("s", "list-all");
  first.alias = "listAll";
  EXPECT_EQ(count(declare_all({first, tool("s", "listAll")}, Form::kCompact, translate), "listAll"), 1u);
  ToolShape second = tool("t", "x");
  first.server_alias = second.server_alias = "same";
  EXPECT_EQ(count(declare_all({first, second}, Form::kCompact, translate), "same"), 0u);
}

TEST(Declarations, BothFormsDeclareTheSame) {
  // Without comments and spaces they must be equal.
  const auto bare = [](std::string text) {
    for (std::size_t at = text.find("/*"); at != text.npos; at = text.find("/*"))
      text.erase(at, text.find("*/", at) + 2 - at);
    std::string out;
    for (const char c : text)
      if (c != ' ' && c != '\n') out += c;
    // The last member of an object ends with ; only where it has a line of its own.
    for (std::size_t at = out.find(";}"); at != out.npos; at = out.find(";}")) out.erase(at, 1);
    return out;
  };
  ToolShape nested =
      tool("s", "x",
           R"({"$defs":{"N":{"description":"A node","properties":{"n":{"$ref":"#/$defs/N"},)"
           R"("v":{"description":"a */ b","enum":["a","b"],"default":"a"}}}},"properties":{"n":{"$ref":"#/$defs/N"},)"
           R"("m":{"type":"object","additionalProperties":{"prefixItems":[{"type":"string"}]}}}})");
  nested.description = "Some\nlines";
  const std::string compact = declare_all({nested}, Form::kCompact, translate);
  const std::string full = declare_all({nested}, Form::kFull, translate);
  EXPECT_EQ(bare(compact), bare(full));
  EXPECT_LT(compact.size(), full.size());
}

TEST(Declarations, AToolIsNeverLost) {
  std::string huge = R"({"type":"object","properties":{)";
  for (int i = 0; i < 1500; ++i)
    huge += (i == 0 ? "\"" : ",\"") + std::string(100, 'p') + std::to_string(i) + R"(":{"type":"string"})";
  const std::string text = declare_tool(tool("s", "big", (huge + "}}").c_str()), Form::kCompact, translate);
  EXPECT_EQ(text, "mcp.s.big(args?: any /* the schema is too large */): Promise<any>");
}

}  // namespace
}  // namespace glovebox::types
