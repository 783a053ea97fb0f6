// B07: a resizable buffer grows into its reservation
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const buffer = new ArrayBuffer(0, { maxByteLength: 2 ** 31 });
for (let size = 2 ** 20; size <= 2 ** 31; size += 2 ** 20) { buffer.resize(size); new Uint8Array(buffer).fill(1); }
