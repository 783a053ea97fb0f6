// B08: a memory that grows page by page
// options: --memory 64MB --timeout 10s
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const memory = new WebAssembly.Memory({ initial: 1 });
for (;;) { memory.grow(16); new Uint8Array(memory.buffer).fill(1); }
