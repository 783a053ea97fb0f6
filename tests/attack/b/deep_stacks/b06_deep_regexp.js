// B06: a regular expression whose backtracking needs a deep stack
// options: --timeout 5s
// expect: {"result": "ended"}
// or: {"error": {"code": "STACK_LIMIT"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
for (const pattern of [/^(?:a|ab|b)*$/, /^(?:.|\n)*?x/, /(?:(?:a)|(?:b))*c/]) pattern.test('ab'.repeat(5e6));
return 'ended';
