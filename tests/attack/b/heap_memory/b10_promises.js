// B10: promises that are never settled
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) { const p = new Promise(() => {}); keep.push(p.then(() => {}), p.finally(() => {})); }
