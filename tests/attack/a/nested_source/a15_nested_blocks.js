// A15: 10^5 nested blocks
// options: --timeout 10s
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"error": {"code": "STACK_LIMIT"}}
/*repeat 100000*/{/*end*/ /*repeat 100000*/}/*end*/
