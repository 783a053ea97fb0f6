// A14: type arguments nested 10^5 deep: the stripper's own stack is the target
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"result": 1}
type T<X> = X;
let x: /*repeat 100000*/T</*end*/number/*repeat 100000*/>/*end*/ = 1;
return x;
