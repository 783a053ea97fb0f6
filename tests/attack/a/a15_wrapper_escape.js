// A15: the source closes the function that it stands in and opens another
// expect: {"result": "inside"}
// or: {"error": {"code": "SYNTAX_ERROR"}}
return 'inside' })(); globalThis.escaped = true; (async () => {
