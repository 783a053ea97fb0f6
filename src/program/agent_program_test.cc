#include "program/agent_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "program/statements.h"

namespace glovebox::program {
namespace {

// The program that is read from it, and its tail after a bar.
std::string read(std::string_view text) {
  const auto program = read_agent_program(text);
  if (!program) return "as it is";
  EXPECT_EQ(std::count(program->code.begin(), program->code.end(), '\n') <= std::count(text.begin(), text.end(), '\n'),
            true);
  return program->code + "|" + program->tail;
}

TEST(AgentProgram, AProgramIsReadAsItIs) {
  for (const char* text : {"", "1 + 1", "return 5", "const a = `\nexport default 1\nimport x from 'mcp'\n`",
                           "const important = 1", "import('x')", "import.meta", "import fs from 'fs'", "import 'mcp'",
                           "import { type A } from 'mcp'", "// import { mcp } from 'mcp'\nreturn 1",
                           "/*\nexport default 1\n*/ 5", "const f = { export: 1 }", "domain.main"})
    EXPECT_EQ(read(text), "as it is") << text;
}

TEST(AgentProgram, Fences) {
  EXPECT_EQ(read("```ts\nreturn 1\n```"), "     \nreturn 1\n|");
  EXPECT_EQ(read("\n ```\nreturn 1"), "\n    \nreturn 1|");
  EXPECT_EQ(read("```ts\nreturn 1\n```\n\nand so on"), "     \nreturn 1\n|");
  EXPECT_EQ(read("```js\nconst a = `\n```\n`\n```"), "     \nconst a = `\n```\n`\n|");
  EXPECT_EQ(read("```\na\n```\nand\n```\nb\n```\nend"), "as it is");
  EXPECT_EQ(read("```"), "   |");
}

TEST(AgentProgram, Imports) {
  EXPECT_EQ(read("import { mcp } from 'mcp';\nx()"), "\nx()|");
  EXPECT_EQ(read("import mcp, { files as f } from \"mcp\"\nx()"), "const f=mcp.files;\nx()|");
  EXPECT_EQ(read("import * as tools from 'glovebox'\nx()"), "const tools=mcp;\nx()|");
  EXPECT_EQ(read("import {\n mcp,\n a\n} from 'mcp'\nx()"), "const a=mcp.a;\n\n\n\nx()|");
  EXPECT_EQ(read("import type { A } from './a'\nx()"), "                            \nx()|");
  EXPECT_EQ(read("import { Buffer } from 'node:buffer'\nx()"), "\nx()|");
  EXPECT_EQ(read("import { Buffer, constants } from 'node:buffer'\nx()"), "as it is");
}

TEST(AgentProgram, Exports) {
  EXPECT_EQ(read("export default function main() {}"), "               function main() {}|return main");
  EXPECT_EQ(read("export default async () => 1"), "const  $main = async () => 1|return $main");
  EXPECT_EQ(read("export const a = 1"), "       const a = 1|return a");
  EXPECT_EQ(read("export const a = 1\nexport const b = 2"), "       const a = 1\n       const b = 2|");
  EXPECT_EQ(read("export { main }\nfunction main() {}"), "               \nfunction main() {}|return main");
  EXPECT_EQ(read("export async function run() {}\nrun()"), "       async function run() {}\nrun()|");
  EXPECT_EQ(read("export * from './a'"), "as it is");
  EXPECT_EQ(read("async function main() {}"), "async function main() {}|return main");
  EXPECT_EQ(read("async function main() {}\nawait main()"), "as it is");
}

TEST(AgentProgram, TheOtherLanguage) {
  EXPECT_TRUE(looks_like_python("def f():\n  return 1"));
  EXPECT_TRUE(looks_like_python("import json\nx = 1"));
  EXPECT_TRUE(looks_like_python("from x import y"));
  EXPECT_FALSE(looks_like_python("import fs from 'fs'"));
  EXPECT_FALSE(looks_like_python("switch (a) {\n  default:\n}"));
  EXPECT_FALSE(looks_like_python("return {\n  if: 1 }"));
}

std::vector<std::string> statements(std::string_view code) {
  std::vector<std::string> found;
  for (const SourceStatement& one : top_level_statements(code))
    found.emplace_back(code.substr(one.begin, one.end - one.begin));
  return found;
}
using Texts = std::vector<std::string>;

TEST(Statements, EndWithSemicolonsAndLines) {
  EXPECT_EQ(statements("const a = 1; a"), (Texts{"const a = 1;", "a"}));
  EXPECT_EQ(statements("const a = 1 // ;\n/* x */ a"), (Texts{"const a = 1", "a"}));
  EXPECT_EQ(statements("a\n  .b(';')\n  .c\nd"), (Texts{"a\n  .b(';')\n  .c", "d"}));
  EXPECT_EQ(statements("a +\nb\nc++\nd"), (Texts{"a +\nb", "c++", "d"}));
  EXPECT_EQ(statements("const f = () =>\n  1\nf"), (Texts{"const f = () =>\n  1", "f"}));
  EXPECT_EQ(statements("if (a) {\n b;\n}\nelse {\n c;\n}\nd"), (Texts{"if (a) {\n b;\n}\nelse {\n c;\n}", "d"}));
}

TEST(Statements, BracketsAndQuotesHoldWhatTheyHold) {
  EXPECT_EQ(statements("f({\na: 1,\n})\ng"), (Texts{"f({\na: 1,\n})", "g"}));
  EXPECT_EQ(statements("x = `a\n${b(`;\n`)}\n`\ny"), (Texts{"x = `a\n${b(`;\n`)}\n`", "y"}));
  EXPECT_EQ(statements("x = /[/;`]\\/(/g\ny"), (Texts{"x = /[/;`]\\/(/g", "y"}));
  EXPECT_EQ(statements("x = a / b\ny = 1 / 2"), (Texts{"x = a / b", "y = 1 / 2"}));
  EXPECT_EQ(statements("function f() {}\n(a)()"), (Texts{"function f() {}", "(a)()"}));
  EXPECT_EQ(statements("a\n(b)"), (Texts{"a\n(b)"}));
  EXPECT_EQ(statements("a )]} b"), (Texts{"a )]} b"}));
}

}  // namespace
}  // namespace glovebox::program
