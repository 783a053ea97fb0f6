// B12: creeping towards the limit, slower and slower: full collections in a row must not hide it
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (let size = 100000; ; size = Math.max(16, size >> 1)) for (let i = 0; i < 1000; i++) keep.push(new Array(size).fill(i));
