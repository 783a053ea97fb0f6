// B08: a WebAssembly.Memory of 65536 pages, every one written
// options: --memory 64MB
// expect: {"error": {"code": "MEMORY_LIMIT", "type": "MemoryError"}}
const memory = new WebAssembly.Memory({ initial: 65536 });
const view = new Uint8Array(memory.buffer);
for (let i = 0; i < view.length; i += 4096) view[i] = 1;
