// B07: structuredClone of a buffer, again and again
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
const buffer = new Uint8Array(2 ** 20).fill(1);
for (;;) keep.push(structuredClone(buffer));
