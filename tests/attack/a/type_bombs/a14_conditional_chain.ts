// A14: a conditional type of 20000 branches, each inside the last
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"result": 1}
type C<T> = /*repeat 20000*/T extends #index# ? /*end*/ 1 /*repeat 20000*/ : never/*end*/;
const x: number = 1;
return x;
