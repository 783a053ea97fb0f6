// A15: the source closes the parentheses that a bare expression stands in: whatever runs, runs in the same realm
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"result": 2}
1)); globalThis.escaped = 1; (async()=>(2
