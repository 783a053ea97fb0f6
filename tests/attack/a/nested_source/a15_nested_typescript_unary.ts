// A15: unary nested 10^5 deep: the parser gives up, the process does not
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
return /*repeat 100000*/-(/*end*/1/*repeat 100000*/)/*end*/;
