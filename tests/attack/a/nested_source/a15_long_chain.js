// A15: 10^5 additions in a row: not nested to a person, nested to a parser
// options: --timeout 10s
// expect: {"result": 100000}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"error": {"code": "SYNTAX_ERROR"}}
return 0 /*repeat 100000*/+1/*end*/;
