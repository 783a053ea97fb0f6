// B10: errors with the longest stacks
// options: --memory 64MB --timeout 3s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
// or: {"error": {"code": "EXECUTION_TIMEOUT"}}
Error.stackTraceLimit = Infinity;
const keep = [];
const f = (n) => { if (n > 0) return f(n - 1); const e = new Error('x'); e.stack; keep.push(e); };
for (;;) f(500);
