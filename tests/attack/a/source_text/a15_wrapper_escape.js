// A15: the source closes the function that it stands in and opens another: whatever runs, runs in the same realm
// expect: {"error": {"code": "SYNTAX_ERROR"}}
// or: {"result": null}
return 'inside' })(); globalThis.escaped = true; (async () => {
