// A15: a regular expression nested 10^5 deep in the source
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
return //*repeat 100000*/(/*end*/x/*repeat 100000*/)/*end*//.test('x');
