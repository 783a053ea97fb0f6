// B07: buffers of one byte: what surrounds them is the memory
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) keep.push(new ArrayBuffer(1));
