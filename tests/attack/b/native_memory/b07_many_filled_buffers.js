// B07: 32 buffers of 64 MiB, filled
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const keep = [];
for (let i = 0; i < 32; i++) keep.push(new Uint8Array(2 ** 26).fill(1));
