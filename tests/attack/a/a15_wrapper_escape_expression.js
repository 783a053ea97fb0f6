// A15: the source closes the parentheses that a bare expression stands in
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"result": null}
1)); globalThis.escaped = 1; (async()=>(2
