// B10: WeakMap, Set, WeakRef
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [], weak = new WeakMap(), set = new Set();
for (;;) { const key = {}; keep.push(key); weak.set(key, [key]); set.add(new WeakRef(key)); }
