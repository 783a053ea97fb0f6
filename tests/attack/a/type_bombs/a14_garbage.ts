// A14: TypeScript that is none, from end to end: the stripper says so and does not fall over
// options: --timeout 5s
// expect: {"error": {"code": "SYNTAX_ERROR", "type": "SyntaxError"}}
type = <<<interface?> enum @@@ ({[<T extends keyof typeof import(>; abstract declare namespace override satisfies asserts x is !!!
/*repeat 2000*/<T,>(x: #index# as unknown as { [K in /*end*/
