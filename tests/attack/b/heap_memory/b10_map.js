// B10: a Map that grows: its table is one large object
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const map = new Map();
for (let i = 0; ; i++) map.set(i, i);
