// B10: sparse arrays, which are tables
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const a = [];
for (let i = 0; ; i += 5000) a[i % 4294967290] = {};
