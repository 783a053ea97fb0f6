// B12: just below the limit, garbage without end: the collector must not outrun the clock
// options: --timeout 1s --memory 64MB
// expect: {"error": {"code": "EXECUTION_TIMEOUT", "type": "TimeoutError"}}
// or: {"error": {"code": "MEMORY_LIMIT"}}
const keep = [];
for (let i = 0; i < 30000; i++) keep.push(new Array(100).fill({ i }));
for (let i = 0; ; i++) keep[i % keep.length] = new Array(100).fill({ i });
