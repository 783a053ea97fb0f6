#include "types/part_check.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

constexpr const char* kSound = "(args?: any): Promise<any>";

PartQuestion about(PartKind kind) {
  PartQuestion question;
  question.kind = kind;
  question.prefix = kind == PartKind::kPython ? "_s_t" : "$s$t$";
  question.taken = {"_s_t_Taken"};
  return question;
}

std::string_view fault(PartKind kind, std::vector<std::string> signatures, std::string types = "") {
  return fault_in(about(kind), {std::move(signatures), std::move(types)});
}

TEST(PartCheck, TakesWhatTheTranslationMakes) {
  for (const char* signature :
       {kSound, "(args: { a: string; \"b c\"?: $s$t$N[] /* it's */ }): Promise<[string, number?, ...(1|-2.5e+21)[]]>",
        "(args?: {\n  /** a `b` @see \\ # */\n  a: true;\n  [key: string]: Record<string, never>;\n}): Promise<null>"})
    EXPECT_EQ(fault(PartKind::kFull, {signature}), "") << signature;
  for (const char* types :
       {"", "type $s$t$A = any /* why */;\n", "type $s$t$A = string;\n/** x */\ntype $s$t$B = {\n};\n",
        "type $s$t$A = $s$t$B & { a?: \"\\\" } \" };\n"})
    EXPECT_EQ(fault(PartKind::kCompact, {kSound}, types), "") << types;
  EXPECT_EQ(fault(PartKind::kPython,
                  {"(self, args: _s_t_Args = ..., /) -> Any", "(self, *, a: list[str] = ..., **named: Any) -> _s_t_R"},
                  "class _s_t_Args(TypedDict):\n    a: NotRequired[list[str]]  # the \"a\n"
                  "_s_t_X = TypedDict(\"_s_t_X\", {\n    \"b c\": Literal[\"x\", -1] | None,\n})\n"
                  "_s_t_R: TypeAlias = \"dict[str, _s_t_X]\"\n"),
            "");
}

TEST(PartCheck, RefusesASignatureThatDoesNotEndWhereItsPlaceEnds) {
  for (const char* signature : {
           "",
           "args: any",
           "(args: any): Promise<any>; other(args: any): Promise<any>",
           "(args: any): any",
           "(args: any): Promise<any>\n",
           "(args: any\n): Promise<any> }",
           "(args: { a: any): Promise<any>",
           "(args: any): Promise<any> /* ",
           "(args: any /* */ */): Promise<any>",
           "(args: \"): Promise<any>",
           "(args: any): Promise<any> // ",
           "(args: `a`): Promise<any>",
           "(args: 'a'): Promise<any>",
           "(args: any): Promise<any ; { b: any }>",
           "(args:: any): Promise<any>",
           "(args: any |): Promise<any>",
           "(args: any any): Promise<any>",
           "(args: { a: string\n[] }): Promise<any>",
           "(args: {;}): Promise<any>",
           "(args: \"\\\n\"): Promise<any>",
           "(args: any)\n: Promise<any>",
           "(args: any): Promise\n<any>",
       })
    EXPECT_NE(fault(PartKind::kCompact, {signature}), "") << signature;
  EXPECT_NE(fault(PartKind::kCompact, {}), "");
  EXPECT_NE(fault(PartKind::kCompact, {kSound, kSound}), "");
}

TEST(PartCheck, RefusesWordsThatMeanMoreThanAType) {
  for (const char* type : {"import(\"/etc/passwd\")", "typeof mcp", "keyof any", "other", "$z$t$A", "infer A",
                           "any extends any ? any : any", "{ get a(): any }", "{ new(): any }", "any /* @ts-ignore */",
                           "unique symbol", "<A>(a: A) => A"})
    EXPECT_NE(fault(PartKind::kCompact, {"(args: " + std::string(type) + "): Promise<any>"}), "") << type;
}

TEST(PartCheck, RefusesStatementsThatAreNotTypesOfThisTool) {
  for (const char* types :
       {"type $z$t$A = any;\n", "type $s$t$A = any;", "type $s$t$A = any; type $s$t$B = any;\n",
        "interface $s$t$A {}\n", "declare const mcp: any;\n", "type $s$t$A = any;\n}\ninterface $z {\n",
        "type $s$t$A =\nany;\n", ";\n", "type $s$t$A = any = any;\n", "/* \n", "type $s$t$A = any;\n/* ;\n",
        "/** */ type $s$t$A = any;\n"})
    EXPECT_NE(fault(PartKind::kCompact, {kSound}, types), "") << types;
}

TEST(PartCheck, RefusesWhatIsNoPlainText) {
  for (const char* inside :
       {"\r", "\t", "\x1b[2J", "\xc3", "\xed\xa0\x80", "\xe2\x80\xae", "\xe2\x80\xa8", "\x7f", "\xef\xbf\xbd"}) {
    EXPECT_NE(fault(PartKind::kCompact, {"(args: any /* " + std::string(inside) + " */): Promise<any>"}), "");
    EXPECT_NE(fault(PartKind::kCompact, {"(args: \"" + std::string(inside) + "\"): Promise<any>"}), "");
    EXPECT_NE(fault(PartKind::kCompact, {kSound}, "type $s$t$A = any /* " + std::string(inside) + " */;\n"), "");
  }
  EXPECT_NE(fault(PartKind::kCompact, {std::string("(args: any /* \0 */): Promise<any>", 33)}), "");
}

TEST(PartCheck, RefusesPythonThatDoesNotEndWhereItsPlaceEnds) {
  const char* const kAny = "(self, args: dict[str, Any] = ..., /) -> Any";
  EXPECT_EQ(fault(PartKind::kPython, {kAny}), "");
  for (const char* signature :
       {"(self) -> Any: ...\n    def other(self) -> Any", "(self)", "(self) -> ", "(self) -> str, str", "(self -> Any",
        "(self) -> \"\"\"", "(self, a: eval) -> Any", "(self) -> Any\n", "(self) -> list[str",
        "(self, a: str) -> a: str", "(self, a={}) -> Any.x", "(self) -> 'a'"})
    EXPECT_NE(fault(PartKind::kPython, {signature}), "") << signature;
  for (const char* types :
       {"import os\n", "class _z(TypedDict):\n    a: str\n", "class _s_t_Taken(TypedDict):\n    a: str\n",
        "    a: str\n", "_s_t_A = eval(\"_s_t_A\", {\n})\n", "_s_t_A = TypedDict(\"_s_t_A\", {\n    \"a\": str,\n",
        "_s_t_A: TypeAlias = \"\"\"a\n", "_s_t_A: TypeAlias = \"a\"; b\n", "class _s_t_A(TypedDict):\n    a: str = 1\n",
        "class _s_t_A(TypedDict):\n    def a(self): ...\n", "class _s_t_A(TypedDict):\n  a: str\n", "})\n",
        "class _s_t_A(TypedDict):\n    a: str"})
    EXPECT_NE(fault(PartKind::kPython, {kAny}, types), "") << types;
}

TEST(PartCheck, TakesWhatStandsInForAPart) {
  for (const PartKind kind : {PartKind::kCompact, PartKind::kFull, PartKind::kPython}) {
    PartQuestion question = about(kind);
    EXPECT_EQ(fault_in(question, open_part(question, "why")), "");
    question.output_schema = "{}";
    EXPECT_EQ(fault_in(question, open_part(question, "why")), "");
  }
}

}  // namespace
}  // namespace glovebox::types
