// What is claimed is compared with amaro in tests/blanking; here: that common programs are claimed at all.
#include "program/plain_types.h"

#include <gtest/gtest.h>

#include "base/proving.h"

namespace glovebox::program {
namespace {

struct Blanking {
  const char* code;
  const char* blanked;
};

TEST(PlainTypes, BecomeSpaces) {
  const Blanking cases[] = {
      {"const a: number = 1", "const a         = 1"},
      {"let a: Map<string, Set<number>>;", "let a                          ;"},
      {"const { a }: { a: string } = b", "const { a }                = b"},
      {"interface A { b: string; c?: number[] }\nreturn 1", "                                       \nreturn 1"},
      {"type A = 'b' | { c: A }; const d: A = 'b'", "                         const d    = 'b'"},
      {"const f = (a: number, b?: string): string => b", "const f = (a        , b         )         => b"},
      {"function f(a: A[], ...rest: B[]): void { g(a) }", "function f(a     , ...rest     )       { g(a) }"},
      {"const o = { f(a: number) { return a } }", "const o = { f(a        ) { return a } }"},
      {"try { f() } catch (e: unknown) { g(e) }", "try { f() } catch (e         ) { g(e) }"},
      {"return (a as B).c + (d as any)", "return (a     ).c + (d       )"},
      {"const a = ['b'] as const;", "const a = ['b']         ;"},
      {"const a: string = `b ${c.map((d: D) => `${d}`)}`", "const a         = `b ${c.map((d   ) => `${d}`)}`"},
      {"for (let i: number = 0; i < n; i++) f(i > 1 ? (a) : b)",
       "for (let i         = 0; i < n; i++) f(i > 1 ? (a) : b)"},
  };
  for (const Blanking& one : cases) EXPECT_EQ(blank_plain_types(one.code).value_or("left"), one.blanked);
}

// Whatever is left, V8 refuses.
TEST(PlainTypes, LeaveEverythingElseAsItIs) {
  for (const char* code : {"enum A { B }", "class A { b: number }", "a!.b", "declare const a", "1 + 1"})
    EXPECT_EQ(blank_plain_types(code).value_or("left"), code);
}

TEST(PlainTypes, LeaveDoubtsToAParser) {
  for (const char* code : {
           "f<T>(a)",
           "a ? (b: C) => d : e",
           "const a: B extends C ? D : E = 1",
           "function f(a: string): void",
           "(a): a is string => true",
           "function f(this: A) {}",
           "class A { constructor(private a: string) {} }",
           "for (const a: B of c) {}",
           "if (a) interface B {}",
           "a = interface B {}",
           "a\ntype B = C\n(d)",
           "declare\nconst a: B = 1",
           "a as B + c",
           "'\xc3\xa9' as B",
           "const a: 'b",
           "const a: B = (",
       }) {
    EXPECT_FALSE(blank_plain_types(code).has_value()) << code;
  }
}

TEST(PlainTypes, TakeNoTimeOnNestedBrackets) {
  const int depth = base::is_sanitized() && !base::is_proving() ? 25'000 : 100'000;
  const auto nested = [&](std::string_view before, std::string_view after) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += before;
    for (int i = 0; i < depth; ++i) text += after;
    return text;
  };
  for (const auto& [before, after] : {std::pair("(a = ", ") => a"), std::pair("a<", ">"), std::pair("const a: [", "]"),
                                      std::pair("let a: {b: ", "}"), std::pair("(a: (b: ", ") => c) => d")}) {
    (void)blank_plain_types(nested(before, after));
  }
}

}  // namespace
}  // namespace glovebox::program
