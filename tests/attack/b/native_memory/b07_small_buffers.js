// B07: small buffers without end
// options: --memory 64MB --timeout 20s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (;;) keep.push(new Uint8Array(4096).fill(1));
