// B10: a small text that parses to a large value
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const text = '[' + '[],'.repeat(1e6) + '0]';
const keep = [];
for (;;) keep.push(JSON.parse(text));
